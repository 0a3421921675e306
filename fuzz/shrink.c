/* shrink.c - the rounds of shrinking, and the trial of one candidate. */
#include "shrink.h"
#include "case_order.h"
#include "shrink_impl.h"
#include <stdlib.h>
#include <string.h>

#define BIT(c) (1u << (c))

/* A candidate is given up when it takes this many times the steps of the case as it came, and so many more: of a case that is too
 * large to be run whole only some blocks run, and a smaller one may cost a thousand times as much. Then it is not taken. */
enum { ARBITRARY_STEPS_FACTOR = 4, ARBITRARY_MORE_STEPS = 1 << 20 };

static int same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

int wf_shrink_keeps(const WfFinding *target, const WfFinding *f) {
  if (!wf_finding_same(target, f) || target->simt.severity != f->simt.severity)
    return 0;
  if (target->simt.here.site || target->simt.other.site)
    return 1;
  return strcmp(target->simt.object, f->simt.object) == 0 &&
         (wf_finding_by_relation(target) || same_text(target->simt.rule, f->simt.rule));
}

/* The finding in the last verdict; NULL: it is not there. */
static const WfFinding *find_target(const WfShrinker *s) {
  for (size_t i = 0; i < s->verdict->n; i++)
    if (wf_shrink_keeps(s->target, &s->verdict->finding[i]))
      return &s->verdict->finding[i];
  return NULL;
}

/* ---- trying ---- */

/* Places in the table of keys: a power of two above twice the executions. */
static size_t places(const WfShrinker *s) {
  size_t n = 64;
  while (n < 2 * s->max_executions)
    n *= 2;
  return n;
}

/* 1, and remembered from now on; 0: it was tried. */
static int is_new(WfShrinker *s, const WfCase *c) {
  uint64_t key = wf_case_key(c);
  size_t mask = places(s) - 1, at = (size_t)key & mask;
  while (s->tried[at] && s->tried[at] != key)
    at = (at + 1) & mask;
  if (key == 0 || s->tried[at])
    return key == 0; /* no memory to print it: at worst it runs again */
  s->tried[at] = key;
  return 1;
}

/* On the side of the contract that the finding is on, and within the limits. */
static int is_allowed(const WfShrinker *s, const WfCase *c) {
  const WfVariant *v = s->target->variant;
  int inside = wf_case_admits(c, v, NULL, NULL, 0);
  WfGeometry g;
  if (!inside == !s->target->outside[0] || !wf_limits_hold(s->opt->limits, c))
    return 0;
  return inside || wf_case_launch(c, v, &g, NULL, 0);
}

/* One execution. 1: it shows the finding; 0: it does not, or could not be run (a smaller case that needs more memory than there
 * is proves nothing). */
static int run_once(WfShrinker *s, const WfCase *c) {
  s->executions++;
  return wf_run(s->runner, c, s->target->variant, &s->run, s->verdict, NULL, 0) == 0 && find_target(s) != NULL;
}

/* The same, unless shrinking has ended: then 0. */
static int execute(WfShrinker *s, const WfCase *c) {
  if (s->executions >= s->max_executions || (s->opt->before && s->opt->before(s->opt->arg, c)))
    s->is_ended = 1;
  return s->is_ended ? 0 : run_once(s, c);
}

/* Where the condition ties scalars to the shape, as in "scale == 1 / sqrt(d)", they go along with it. */
static const WfCase *with_scalars(const WfShrinker *s, const WfCase *candidate, WfCase *settled) {
  const WfVariant *v = s->target->variant;
  if (s->target->outside[0] || !v->requires || candidate->op->n_scalars == 0 || wf_case_condition(candidate, v, candidate->scalar, NULL))
    return candidate;
  *settled = *candidate;
  return wf_case_settle_scalars(settled, v, NULL) ? settled : candidate;
}

int wf_shrink_try(WfShrinker *s, const WfCase *wanted) {
  WfCase settled;
  const WfCase *candidate = with_scalars(s, wanted, &settled);
  if (s->is_ended || wf_case_compare(candidate, &s->best, s->target->variant) >= 0 || !is_allowed(s, candidate) ||
      !is_new(s, candidate) || !execute(s, candidate))
    return 0;
  s->best = *candidate;
  return 1;
}

/* ---- rounds ---- */

/* Shapes first: small cases run faster. Joint changes only where single ones get no further. */
static void shrink_to_fixpoint(WfShrinker *s) {
  int taken;
  do {
    do {
      taken = wf_shrink_shape(s);
      taken += wf_shrink_schedule(s);
      taken += wf_shrink_edits(s);
      taken += wf_shrink_fills(s);
      taken += wf_shrink_scalars(s) + wf_shrink_place(s);
    } while (taken && !s->is_ended);
    taken = wf_shrink_joint(s);
  } while (taken && !s->is_ended);
}

/* What the last execution, which was one like a replay's, says of the case. */
static void tell(const WfShrinker *s, const WfCase *c, WfShrunk *out) {
  out->c = *c;
  out->c.variant = s->target->variant;
  out->c.expect = s->verdict->errors | BIT(s->target->simt.cls);
  out->finding = *find_target(s);
  out->finding.key = wf_case_key(&out->c);
}

/* Whatever ends the search, what it has found is told. */
static int shrink(WfShrinker *s, const WfCase *c, WfShrunk *out) {
  const int all_relations = s->run.all_relations;
  s->best = *c;
  s->best.variant = NULL;
  s->best.expect = 0;
  s->run.all_relations = 1;
  if (!execute(s, &s->best))
    return 1;
  tell(s, &s->best, out);
  const WfCase start = s->best;
  s->run.all_relations = all_relations;
  if (s->target->simt.cls != SIMT_HANG)
    s->run.max_steps = ARBITRARY_STEPS_FACTOR * s->verdict->stats.steps + ARBITRARY_MORE_STEPS;
  shrink_to_fixpoint(s);
  out->is_complete = !s->is_ended;
  s->run.all_relations = 1;
  s->run.max_steps = 0;
  if (wf_case_compare(&s->best, &start, s->target->variant) < 0 && run_once(s, &s->best))
    tell(s, &s->best, out);
  return 0;
}

int wf_shrink(WfRunner *r, const WfCase *c, const WfFinding *f, const WfShrinkOptions *opt, WfShrunk *out) {
  WfShrinker s = {.runner = r, .target = f, .opt = opt};
  memset(out, 0, sizeof *out);
  s.max_executions = (opt->max_executions ? opt->max_executions : WF_SHRINK_EXECUTIONS) - 1; /* one to tell the result */
  s.run = (WfRunOptions){.detect = SIMT_DETECT_ALL,
                         .rtol = opt->rtol,
                         .atol = opt->atol,
                         .outside = f->outside[0] != '\0',
                         .all_relations = wf_finding_by_relation(f) || f->simt.cls == SIMT_NONDETERMINISTIC};
  s.verdict = malloc(sizeof *s.verdict);
  s.tried = calloc(places(&s), sizeof *s.tried);
  int rc = s.verdict && s.tried ? shrink(&s, c, out) : -1;
  out->executions = s.executions;
  free(s.verdict);
  free(s.tried);
  return rc;
}
