# wf_clang.m4 - WF_FIND_CLANG: the clang that compiles kernels.
#
# Sets and substitutes CLANG (path), CLANG_VERSION, LLVM_CONFIG, LLVM_CPPFLAGS, LLVM_LDFLAGS, LLVM_LIBS, LIBFUZZER (path of
# the archive). The bitcode that clang writes is read by our LLVM-C program, and libFuzzer is linked by path, so all three
# must come from one version. 14 is the floor: it is the default of Debian 12 and Ubuntu 22.04, the oldest systems supported,
# and the oldest clang that the tests run with.

# The shell functions of the search. Each candidate that will not do adds a line to wf_clang_why.
AC_DEFUN([_WF_CLANG_FUNCTIONS], [
# wf_clang_reject NAME REASON: notes why a candidate will not do; always fails.
wf_clang_reject ()
{
  wf_clang_why="$wf_clang_why
    $[]1: $[]2"
  return 1
}

# wf_clang_find_fuzzer NAME MAJOR: sets LIBFUZZER by asking clang, in the layouts with and without the processor's name.
wf_clang_find_fuzzer ()
{
  for wf_name in libclang_rt.fuzzer-x86_64.a libclang_rt.fuzzer.a; do
    LIBFUZZER=`"$CLANG" -print-file-name=$wf_name 2>/dev/null`
    test -f "$LIBFUZZER" && return 0
    LIBFUZZER=`"$CLANG" -print-runtime-dir 2>/dev/null`/$wf_name
    test -f "$LIBFUZZER" && return 0
  done
  wf_clang_reject "$[]1" "no libclang_rt.fuzzer (Debian and Ubuntu: libclang-rt-$[]2-dev)"
}

# wf_clang_find_llvm NAME MAJOR: sets LLVM_CONFIG; the one beside the real clang is asked first.
wf_clang_find_llvm ()
{
  wf_real=`readlink -f "$CLANG"`
  for LLVM_CONFIG in "`dirname "$wf_real"`/llvm-config" "`dirname "$CLANG"`/llvm-config-$[]2" llvm-config-$[]2 llvm-config; do
    LLVM_CONFIG=`command -v "$LLVM_CONFIG" 2>/dev/null` || continue
    case `"$LLVM_CONFIG" --version 2>/dev/null` in $[]2.*) ;; *) continue ;; esac
    test -f "`"$LLVM_CONFIG" --includedir`/llvm-c/Core.h" && return 0
  done
  wf_clang_reject "$[]1" "no LLVM-C headers and llvm-config of version $[]2 (Debian and Ubuntu: llvm-$[]2-dev)"
}

# wf_clang_try NAME: succeeds with everything set when NAME and what belongs to it will do.
wf_clang_try ()
{
  CLANG=`command -v "$[]1" 2>/dev/null` || { wf_clang_reject "$[]1" "not found"; return 1; }
  CLANG_VERSION=`"$CLANG" -dumpversion 2>/dev/null`
  wf_major=`expr "x$CLANG_VERSION" : 'x\(@<:@0-9@:>@*\)'`
  echo __clang__ | "$CLANG" -E -P - 2>/dev/null | grep -q '^1' ||
    { wf_clang_reject "$[]1" "not a clang"; return 1; }
  test "${wf_major:-0}" -ge 14 || { wf_clang_reject "$[]1" "version $CLANG_VERSION is older than 14"; return 1; }
  echo '#include <cmath>' | "$CLANG" -x c++ -std=c++17 -fsyntax-only - 2>/dev/null ||
    { wf_clang_reject "$[]1" "finds no C++ headers (Debian and Ubuntu: g++, or the libstdc++-N-dev of the newest gcc-N there)"
      return 1; }
  wf_clang_find_llvm "$[]1" "$wf_major" && wf_clang_find_fuzzer "$[]1" "$wf_major"
}
])

# Links a program with LLVM-C, as simt-instrument will be.
AC_DEFUN([_WF_CLANG_LINK_LLVM], [
AC_MSG_CHECKING([whether LLVM-C links])
wf_save_CPPFLAGS=$CPPFLAGS wf_save_LDFLAGS=$LDFLAGS wf_save_LIBS=$LIBS
CPPFLAGS="$CPPFLAGS $LLVM_CPPFLAGS" LDFLAGS="$LDFLAGS $LLVM_LDFLAGS" LIBS="$LLVM_LIBS $LIBS"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <llvm-c/Core.h>]], [[LLVMContextDispose(LLVMContextCreate());]])],
  [AC_MSG_RESULT([yes])],
  [AC_MSG_RESULT([no])
   AC_MSG_ERROR([cannot link with "$LLVM_LIBS" of $LLVM_CONFIG (Debian and Ubuntu: llvm-$wf_major-dev); config.log has the details])])
CPPFLAGS=$wf_save_CPPFLAGS LDFLAGS=$wf_save_LDFLAGS LIBS=$wf_save_LIBS
])

AC_DEFUN([WF_FIND_CLANG], [
AC_REQUIRE([AC_PROG_CC])
AC_ARG_WITH([clang],
  [AS_HELP_STRING([--with-clang=VERSION|PROGRAM],
    [the clang that compiles kernels, e.g. 14 or /opt/llvm/bin/clang (default: the newest suitable of clang-19 to clang-14, clang)])],
  [], [with_clang=yes])
_WF_CLANG_FUNCTIONS
AS_CASE([$with_clang],
  [yes], [wf_candidates="clang-19 clang-18 clang-17 clang-16 clang-15 clang-14 clang"],
  [no], [AC_MSG_ERROR([kernels cannot be compiled without clang])],
  [*@<:@!0-9@:>@*], [wf_candidates=$with_clang],
  [wf_candidates=clang-$with_clang])
AC_MSG_CHECKING([for a clang with LLVM-C and libFuzzer])
wf_clang_why= wf_found=no
for wf_candidate in $wf_candidates; do
  AS_IF([wf_clang_try "$wf_candidate"], [wf_found=yes; break])
done
AS_IF([test $wf_found = yes], [AC_MSG_RESULT([$CLANG, $CLANG_VERSION])], [AC_MSG_RESULT([no])])
AS_IF([test $wf_found = no], [AC_MSG_ERROR([no clang that will do. Looked at:$wf_clang_why
  warpfuzz needs clang 14 or newer, and LLVM-C and libFuzzer of the same version. On Debian 12 and Ubuntu, for example:
    apt-get install clang-14 llvm-14-dev libclang-rt-14-dev g++])])

LLVM_CPPFLAGS="-isystem `"$LLVM_CONFIG" --includedir`"
LLVM_LDFLAGS="`"$LLVM_CONFIG" --ldflags` -Wl,-rpath,`"$LLVM_CONFIG" --libdir`"
LLVM_LIBS=`"$LLVM_CONFIG" --libs core analysis bitreader bitwriter irreader linker passes 2>/dev/null`
AS_IF([test "`"$LLVM_CONFIG" --shared-mode 2>/dev/null`" = static],
  [LLVM_LIBS="$LLVM_LIBS `"$LLVM_CONFIG" --system-libs` -lstdc++"])
_WF_CLANG_LINK_LLVM
AC_SUBST([CLANG])
AC_SUBST([CLANG_VERSION])
AC_SUBST([LLVM_CONFIG])
AC_SUBST([LLVM_BIN], [`"$LLVM_CONFIG" --bindir`])
AC_SUBST([LLVM_CPPFLAGS])
AC_SUBST([LLVM_LDFLAGS])
AC_SUBST([LLVM_LIBS])
AC_SUBST([LIBFUZZER])
])
