/* select.h - which variants the operands of a command stand for. */
#ifndef WF_SELECT_H
#define WF_SELECT_H
#include "op.h"

typedef struct WfTarget {
  const WfOp *op;
  const WfVariant *variant;
} WfTarget;

enum { WF_NAME_MAX = 128 }; /* bytes of "op/variant" with its end */

void wf_target_name(const WfTarget *t, char out[WF_NAME_MAX]); /* "op/variant" */

int wf_glob(const char *pattern, const char *text); /* 1: it matches; '*' stands for any text, '/' included */

/* Patterns "OP" (clean variants, with `published` all), "OP/VARIANT" (exactly those, clean or not); '*' matches any
 * text. No pattern: every op. The result is in the order of the op and variant tables, without duplicates, malloc'ed.
 * 0; -1: no memory; -2: a pattern that matches nothing, with near names in err. */
int wf_select(const char *const *patterns, int n_patterns, int published, WfTarget **out, size_t *n_out, char *err,
              size_t err_size);

#endif
