# wf_nvcc.m4 - WF_FIND_NVCC: nvcc, where there is one. It compiles every kernel a second time, so that the sources stay
# CUDA. Sets and substitutes NVCC (path or empty) and NVCCFLAGS, and the Automake conditional HAVE_NVCC.
AC_DEFUN([WF_FIND_NVCC], [
AC_ARG_WITH([cuda],
  [AS_HELP_STRING([--with-cuda@<:@=DIR@:>@],
    [compile the kernels with nvcc, too (of the toolkit in DIR; default: if nvcc is in PATH and works)])],
  [], [with_cuda=auto])
AC_ARG_VAR([NVCCFLAGS], [flags for nvcc])
NVCC=
AS_CASE([$with_cuda],
  [no], [],
  [yes|auto], [AC_PATH_PROG([NVCC], [nvcc])],
  [AC_PATH_PROG([NVCC], [nvcc], [], [$with_cuda/bin])])
AS_IF([test -z "$NVCC" && test "$with_cuda" != no && test "$with_cuda" != auto],
  [AC_MSG_ERROR([--with-cuda: no nvcc found (looked in PATH, or in DIR/bin)])])
AS_IF([test -z "$NVCCFLAGS"], [NVCCFLAGS="-O2 -gencode=arch=compute_90,code=sm_90"])
AS_IF([test -n "$NVCC"], [
  AC_MSG_CHECKING([whether $NVCC compiles kernels])
  echo '__global__ void k(float *p) { p@<:@threadIdx.x@:>@ = 0.0f; }' > conftest.cu
  AS_IF([AC_TRY_COMMAND(["$NVCC" -std=c++17 $NVCCFLAGS -c -o conftest.$OBJEXT conftest.cu >&AS_MESSAGE_LOG_FD 2>&1])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     AS_IF([test "$with_cuda" = auto], [NVCC=],
       [AC_MSG_ERROR([$NVCC does not compile a kernel with "$NVCCFLAGS"; config.log has the details])])])
  rm -f conftest.cu conftest.$OBJEXT])
AM_CONDITIONAL([HAVE_NVCC], [test -n "$NVCC"])
AC_SUBST([NVCC])
])
