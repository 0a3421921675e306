/* verdict.c - the list of findings of one run of one variant. */
#include "run.h"

static WfFinding *find_same(WfVerdict *v, const WfFinding *f) {
  for (size_t i = 0; i < v->n; i++)
    if (wf_finding_same(&v->finding[i], f))
      return &v->finding[i];
  return NULL;
}

/* A conflict can be harmless under one schedule (equal values written) and an error under the next: the worse example
 * is the one to show. */
static void merge(WfFinding *have, const WfFinding *f) {
  uint64_t count = have->simt.count + f->simt.count;
  if (f->simt.severity > have->simt.severity)
    *have = *f;
  have->simt.count = count;
}

void wf_verdict_add(WfVerdict *v, const WfFinding *f) {
  uint32_t bit = 1u << f->simt.cls;
  if (f->simt.severity == SIMT_ERROR)
    v->errors |= bit;
  else
    v->warnings |= bit;

  WfFinding *have = find_same(v, f);
  if (have)
    merge(have, f);
  else if (v->n < WF_MAX_FINDINGS)
    v->finding[v->n++] = *f;
  else
    v->n_dropped++;
}
