# wf_nvcc.m4 - WF_FIND_NVCC: nvcc, where there is one. It compiles every kernel a second time, for the GPU leg. Sets and
# substitutes NVCC (path or empty), NVCCFLAGS, GPU_FLAVORS (how kernels are compiled: gpu/device.h) and CUDA_LIBS (the static CUDA
# runtime and what it needs), and the Automake conditional HAVE_NVCC.
AC_DEFUN([WF_FIND_NVCC], [
AC_ARG_WITH([cuda],
  [AS_HELP_STRING([--with-cuda@<:@=DIR@:>@],
    [build the GPU leg: kernels compiled with nvcc, too (of the toolkit in DIR; default: if nvcc is in PATH and works)])],
  [], [with_cuda=auto])
AC_ARG_WITH([gpu-flavors],
  [AS_HELP_STRING([--with-gpu-flavors=LIST],
    [how nvcc compiles each kernel: some of default, fastmath, nofmad and debug (default: "default"; each more takes as long again)])],
  [], [with_gpu_flavors=default])
AC_ARG_VAR([NVCCFLAGS], [flags for nvcc])
NVCC= CUDA_LIBS= GPU_FLAVORS=
AS_CASE([$with_gpu_flavors], [yes|no|''], [AC_MSG_ERROR([--with-gpu-flavors wants a list: default, fastmath, nofmad, debug])])
for wf_flavor in `echo "$with_gpu_flavors" | tr , ' '`; do
  AS_CASE([$wf_flavor],
    [default|fastmath|nofmad|debug],
    [AS_CASE([" $GPU_FLAVORS "], [*" $wf_flavor "*], [], [GPU_FLAVORS="${GPU_FLAVORS:+$GPU_FLAVORS }$wf_flavor"])],
    [AC_MSG_ERROR([--with-gpu-flavors: no flavor "$wf_flavor": default, fastmath, nofmad, debug])])
done
AS_CASE([$with_cuda],
  [no], [],
  [yes|auto], [AC_PATH_PROG([NVCC], [nvcc])],
  [AC_PATH_PROG([NVCC], [nvcc], [], [$with_cuda/bin])])
AS_IF([test -z "$NVCC" && test "$with_cuda" != no && test "$with_cuda" != auto],
  [AC_MSG_ERROR([--with-cuda: no nvcc found (looked in PATH, or in DIR/bin)])])
AS_IF([test -z "$NVCCFLAGS"], [NVCCFLAGS="-O2 -gencode=arch=compute_90,code=sm_90"])
AS_IF([test -n "$NVCC"], [WF_TRY_NVCC])
AM_CONDITIONAL([HAVE_NVCC], [test -n "$NVCC"])
AC_SUBST([NVCC])
AC_SUBST([CUDA_LIBS])
AC_SUBST([GPU_FLAVORS])
])

# A kernel is compiled, and a program with it linked by the host compiler. Where the runtime lies, nvcc tells.
AC_DEFUN([WF_TRY_NVCC], [
  AC_MSG_CHECKING([whether $NVCC compiles kernels that link])
  cat > conftest.cu <<'_WFEOF'
__global__ void k(float *p) { p@<:@threadIdx.x@:>@ = 0.0f; }
int main() { k<<<1, 1>>>(nullptr); return 0; }
_WFEOF
  CUDA_LIBS=`"$NVCC" --dryrun conftest.cu 2>&1 | sed -n 's/^#\\$ LIBRARIES= *//p' | tr -d '"'`
  CUDA_LIBS="$CUDA_LIBS -lcudart_static -lstdc++ -ldl -lrt -lpthread"
  AS_IF([AC_TRY_COMMAND(["$NVCC" -std=c++17 $NVCCFLAGS -c -o conftest.$OBJEXT conftest.cu >&AS_MESSAGE_LOG_FD 2>&1]) &&
         AC_TRY_COMMAND([$CC -no-pie -o conftest$EXEEXT conftest.$OBJEXT $CUDA_LIBS >&AS_MESSAGE_LOG_FD 2>&1])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     AS_IF([test "$with_cuda" = auto], [NVCC= CUDA_LIBS=],
       [AC_MSG_ERROR([$NVCC does not compile and link a kernel with "$NVCCFLAGS"; config.log has the details])])])
  rm -f conftest.cu conftest.$OBJEXT conftest$EXEEXT
])
