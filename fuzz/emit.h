/* emit.h - one variant on one case as a stand-alone CUDA program (doc/EMIT.md): the kernel, its launch, the values, and what must
 * come of it, in one file that plain nvcc compiles. */
#ifndef WF_EMIT_H
#define WF_EMIT_H
#include "run.h"

typedef struct WfEmit {
  const WfCase *c;
  const WfVariant *v;
  const WfVerdict *verdict; /* of wf_run() on them: what the program's first comment tells, and which elements are judged first */
  const char *case_path;    /* for the comment; any bytes */
  const char *sources;      /* folder in which kernels/ lies */
} WfEmit;

enum {
  WF_EMIT_JUDGED = 64,     /* elements of the output whose value is known to the program, at most */
  WF_EMIT_LITERALS = 256,  /* elements of an input up to which they are written out */
  WF_EMIT_HOST = 1 << 22  /* elements of a tensor up to which the program has a copy of it on the host */
};

enum { WF_EMIT_NO_MEMORY = -1, WF_EMIT_NO_SOURCE = -2 };

/* The program: the same text each time, whatever the machine. *out is malloc'ed. 0; WF_EMIT_NO_MEMORY; WF_EMIT_NO_SOURCE: a file
 * of the kernel cannot be read; one line in err. */
int wf_emit(WfRunner *r, const WfEmit *e, char **out, char *err, size_t err_size);

#endif
