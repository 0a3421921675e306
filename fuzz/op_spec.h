/* op_spec.h - an op of the user's own, from a file (doc/CHECK.md, "Ops of your own"):
 *
 *   warpfuzz op 1
 *   name gelu
 *   dim n 1..100000                  range that is drawn; cases may hold more
 *   in x[n]                          float tensors; extents: a dim, 1, a-b+1 or a*b of dims
 *   in h f16 [n]                     of 16 bits: f16 or bf16 (--dtype has the last word); the reference still gets floats
 *   out y[n]                         exactly one; `zero` or `-inf` behind it: what it holds before the launch
 *   scalar slope 0.5 0.1             values that are drawn, the first most often; `flag NAME` is 0 or 1
 *   requires n % 2 == 0              of dims
 *   values 1000                      inputs are finite, of at most this magnitude
 *   reference gelu.c gelu            C file, beside this one, and the function in it
 *   bound rtol=1e-6 atol=1e-7        or the name of a function in the same file
 */
#ifndef WF_OP_SPEC_H
#define WF_OP_SPEC_H
#include "op.h"
#include "textbuf.h"

typedef struct WfOpSpec {
  WfOp op;                 /* without reference and variants */
  char *text;              /* the file: names in op point into it */
  char *c_file;            /* path of the reference, from the current folder */
  const char *function, *bound; /* bound: NULL, rtol and atol say it */
  double rtol, atol;
  double values;           /* 0: any */
} WfOpSpec;

/* 0; -1 with "PATH:LINE: message" in err. out is to be freed either way. */
int wf_op_spec_load(WfOpSpec *out, const char *path, char *err, size_t err_size);
void wf_op_spec_free(WfOpSpec *s);

/* C source of the op as `const WfOp wf_op_user`, around the text of its reference: compiled with -I where fuzz/op.h lies. The functions'
 * prototypes come first, so that a compiler tells of others. */
void wf_op_spec_source(const WfOpSpec *s, const char *reference, WfText *t);

/* The beginning of a file, up to 64 KiB, malloc'ed. NULL with errno set, or 0: no memory. */
char *wf_text_read(const char *path);

/* s as a literal of C. */
void wf_text_add_c(WfText *t, const char *s);

#endif
