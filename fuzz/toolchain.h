/* toolchain.h - where the tools, headers and libraries lie with which warpfuzz builds programs of others, and how a tool is run.
 *
 * One folder, the root, holds toolchain.conf and, below it, what the build makes: simt/simt-cc, simt/libsimt.a, libwf.a ... The headers
 * (fuzz/op.h, simt/include/) are in the folder `sources`, laid out alike. In a build tree the root is its top and `sources` that of the
 * source tree; installed, both are PREFIX/lib/warpfuzz. The root is found, in this order:
 *   1. the environment variable WARPFUZZ_HOME, if it is set and not empty;
 *   2. the folder of the running executable, and the one above (a build tree);
 *   3. ../lib/warpfuzz beside that folder (installed: PREFIX may be moved as a whole). */
#ifndef WF_TOOLCHAIN_H
#define WF_TOOLCHAIN_H
#include <stddef.h>

enum { WF_TOOL_PATH = 4096, WF_TOOL_WORDS = 2048 };

typedef struct WfToolchain {
  char root[WF_TOOL_PATH], sources[WF_TOOL_PATH];      /* absolute, without / at the end */
  char cc[WF_TOOL_WORDS];                              /* C compiler that links; words */
  char clang[WF_TOOL_PATH], objcopy[WF_TOOL_PATH], ld[WF_TOOL_PATH];
  char nvcc[WF_TOOL_PATH];                             /* "": none was found when this was built */
  char flags[WF_TOOL_WORDS];                           /* for cc, to compile and to link; words */
  char libs[WF_TOOL_WORDS], cuda_libs[WF_TOOL_WORDS];  /* behind our own libraries; words */
} WfToolchain;

/* 0; -1 with one line in err: nowhere, or what is there cannot be read. */
int wf_toolchain_find(WfToolchain *out, char *err, size_t err_size);

/* A list of arguments that grows; starts as zero bytes. Adding never fails: running out of memory shows in wf_args_run(). */
typedef struct WfArgs {
  char **arg; /* malloc'ed texts, NULL at the end */
  size_t n, max;
  int failed;
} WfArgs;

void wf_args_add(WfArgs *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
void wf_args_add_words(WfArgs *a, const char *words); /* what blanks separate, one argument each */
void wf_args_free(WfArgs *a);

/* Runs arg[0], looked for in PATH unless it has a slash, and waits for its end. output: the file that gets what it writes to both its
 * streams; NULL: they are this process's. Its exit status, 128 + N if signal N ended it; -1 with errno set: it could not be run. */
int wf_args_run(const WfArgs *a, const char *output);

#endif
