/* verdict.c - the list of findings of one run of one variant. */
#include "check_info.h"
#include "run.h"
#include "suppress.h"

static WfFinding *find_same(WfFinding *list, size_t n, const WfFinding *f) {
  for (size_t i = 0; i < n; i++)
    if (wf_finding_same(&list[i], f))
      return &list[i];
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

static void add_meant(WfVerdict *v, const WfFinding *f) {
  WfFinding *have = find_same(v->meant_race, v->n_meant, f);
  v->meant |= 1u << f->simt.cls;
  if (have)
    merge(have, f);
  else if (v->n_meant < WF_MAX_MEANT)
    v->meant_race[v->n_meant++] = *f;
}

void wf_verdict_add(WfVerdict *v, const WfFinding *f) {
  uint32_t bit = 1u << f->simt.cls;
  const char *reason = wf_check_info ? wf_suppressed(wf_check_info->suppressions, wf_check_info->n_suppressions, f) : NULL;
  if (f->simt.severity == SIMT_MEANT || reason) {
    WfFinding told = *f;
    told.simt.severity = SIMT_MEANT;
    told.simt.reason = reason ? reason : f->simt.reason;
    add_meant(v, &told);
    return;
  }
  if (f->simt.severity == SIMT_ERROR)
    v->errors |= bit;
  else
    v->warnings |= bit;

  WfFinding *have = find_same(v->finding, v->n, f);
  if (have)
    merge(have, f);
  else if (v->n < WF_MAX_FINDINGS)
    v->finding[v->n++] = *f;
  else
    v->n_dropped++;
}
