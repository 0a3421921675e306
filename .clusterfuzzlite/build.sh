#!/bin/sh -e
# build.sh - run by OSS-Fuzz's `compile` in the source directory, with $CC, $CFLAGS, $LIB_FUZZING_ENGINE, $SANITIZER, $OUT and $WORK set. The tools and
# the kernels are built without these variables, then the targets with them.
source=$PWD
mkdir -p "$WORK/warpfuzz"
[ -f configure ] || autoreconf -i
cd "$WORK/warpfuzz"
plain() {
  env -u CC -u CXX -u CFLAGS -u CXXFLAGS -u LDFLAGS "$@"
}
[ -f Makefile ] || plain "$source/configure" --without-cuda
plain make -j "$(nproc)" kernels/libkernels.a
make -j "$(nproc)" oss-fuzz OUT="$OUT"
