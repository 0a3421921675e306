/* run_company.c - of a job that ran on a device in company, among others of a batch: whether all is right. References are kept, since
 * variants differ in little of what they ask them for. */
#include "run_gpu.h"
#include "run_impl.h"
#include "situations.h"

/* What of a variant's flags a reference asks for (op.h). */
#define REFERENCE_FLAGS (WF_FAST_EXP | WF_PLAIN_EXP | WF_FAST_MATH | WF_KEEPS_SUBNORMALS | WF_OWN_SCALARS)

/* Those that widen a bound, and change nothing else: what is within the bound without them is within that with them. */
#define WIDENING_FLAGS (WF_FAST_EXP | WF_FAST_MATH)

/* One that was made for the same; with `without`, for the same but for these flags, which it may lack. */
static WfKnownRef *find_known(WfRunner *r, const WfCase *c, const WfRefArgs *a, uint32_t without) {
  uint32_t flags = a->variant_flags & REFERENCE_FLAGS;
  for (size_t i = 0; i < WF_KNOWN_REFS; i++) {
    WfKnownRef *k = &r->known[i];
    if (k->c == c && k->masked == a->masked && k->arith == a->arith && k->depth == a->depth && (k->flags | (flags & without)) == flags)
      return k;
  }
  return NULL;
}

static uint32_t value_situations(const WfExec *x) {
  for (size_t i = 0; i < WF_KNOWN_REFS; i++)
    if (x->runner->known[i].c == x->c)
      return x->runner->known[i].situations & ~(1u << WF_EXACT);
  return wf_value_situations(x->c, x->dim, x->values);
}

/* Makes it in the place of the oldest. NULL: out of memory. */
static WfKnownRef *make_known(WfExec *x, WfRefArgs *a) {
  WfRunner *r = x->runner;
  WfKnownRef *k = &r->known[r->next_known];
  size_t n = x->n_elems[x->output];
  uint32_t situations = value_situations(x);
  r->next_known = (r->next_known + 1) % WF_KNOWN_REFS;
  k->c = NULL;
  x->ref = wf_array_room(&k->ref, n, sizeof *x->ref);
  x->bound = wf_array_room(&k->bound, n, sizeof *x->bound);
  a->variant_flags &= REFERENCE_FLAGS;
  if (!x->ref || !x->bound || x->c->op->reference(a, x->ref, x->bound) != 0)
    return NULL;
  k->masked = a->masked;
  k->arith = a->arith;
  k->flags = a->variant_flags;
  k->depth = a->depth;
  k->situations = situations | (wf_exec_is_exact(x) ? 1u << WF_EXACT : 0);
  k->c = x->c;
  return k;
}

void wf_gpu_batch_begin(WfRunner *r) {
  for (size_t i = 0; i < WF_KNOWN_REFS; i++)
    r->known[i].c = NULL;
}

static int is_right_by(WfExec *x, const WfKnownRef *k, const float *y) {
  WfJudge j;
  x->ref = k->ref.p;
  x->bound = k->bound.p;
  wf_exec_judging(x, y, &j);
  return wf_judge_all_right(&j);
}

static int keeps_invariant(const WfExec *x, const float *y) {
  char msg[sizeof((SimtFinding *)0)->detail];
  const WfOp *op = x->c->op;
  WfRefArgs a;
  wf_ref_args(x, &a);
  return !op->invariant || x->opt->rtol > 0 || x->opt->atol > 0 || op->invariant(&a, y, msg, sizeof msg) < 0;
}

int wf_gpu_is_right(WfRunner *r, const WfGpuJob *job, const WfGpuAnswer *a, const WfRunOptions *opt, uint32_t *situations) {
  WfExec x;
  WfRefArgs ref;
  if (a->end != WF_GPU_RAN || a->launch.status != WF_DEVICE_OK || a->guard.n_words || a->input.n_words || a->unwritten)
    return 0;
  wf_gpu_exec_begin(&x, r, job->c, job->v, &job->g, opt, NULL);
  for (int t = 0; t < job->c->op->n_tensors; t++)
    x.values[t] = a->in[t];
  wf_ref_args(&x, &ref);
  const WfKnownRef *k = find_known(r, job->c, &ref, WIDENING_FLAGS);
  int right = k && is_right_by(&x, k, a->y);
  if (!right && !(k = find_known(r, job->c, &ref, 0)) && !(k = make_known(&x, &ref)))
    return -1;
  *situations = wf_launch_situations(job->c, job->v, &job->g) | k->situations;
  return (right || is_right_by(&x, k, a->y)) && keeps_invariant(&x, a->y);
}
