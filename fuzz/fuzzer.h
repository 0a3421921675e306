/* fuzzer.h - the fuzzing loop in one process, a step at a time: variants take turns, each with its own corpus and its own
 * stream of choices. What a variant meets depends on the seed and its name alone, never on the other variants. */
#ifndef WF_FUZZER_H
#define WF_FUZZER_H
#include "limits.h"
#include "run.h"
#include "select.h"

typedef struct WfFuzzer WfFuzzer;

/* One execution. Pointers are valid until the next call for the same fuzzer. */
typedef struct WfStep {
  size_t target;       /* index of the variant */
  const WfCase *c;     /* without variant and expect lines */
  const WfVerdict *verdict;
  uint64_t size;       /* wf_case_size */
  int new_features;    /* above 0: the case joined the corpus because of them */
} WfStep;

/* The targets must outlive the fuzzer. 0; -1: no memory. */
int wf_fuzzer_create(WfFuzzer **out, const WfTarget *targets, size_t n_targets, uint64_t seed);
void wf_fuzzer_destroy(WfFuzzer *f);

/* From now on cases keep within limits[i] for target i (limits.h), which may leave the contract if they say so, and elements
 * may be off by rtol and atol more (WfRunOptions). limits: n_targets, outlives the fuzzer; NULL: none. */
void wf_fuzzer_limit(WfFuzzer *f, const WfLimits *limits, double rtol, double atol);

/* Queues a case to be run before generated ones, for every target whose limits and contract admit it (its variant line
 * does not matter). Returns the number of these targets, -1: no memory. */
int wf_fuzzer_add(WfFuzzer *f, const WfCase *c);

/* Likewise for one target alone: its next case. 1; 0: it is not admitted; -1: no memory. */
int wf_fuzzer_add_for(WfFuzzer *f, size_t target, const WfCase *c);

/* Chooses the next variant and case: sets out->target and out->c. Cannot fail. */
void wf_fuzzer_choose(WfFuzzer *f, WfStep *out);

/* The next case of this variant, whose turn it need not be. */
void wf_fuzzer_choose_for(WfFuzzer *f, size_t target, WfStep *out);

/* A copy of a case for the queues of any number of targets; NULL: no memory. It is there until the last queue and who made it
 * are done with it. */
typedef struct WfQueued WfQueued;
WfQueued *wf_queued_create(const WfCase *c);
void wf_queued_release(WfQueued *q); /* NULL: nothing */

/* Queues a case that another process found, to be run between others for this target. 1; 0: it is not admitted; -1: no memory. */
int wf_fuzzer_import(WfFuzzer *f, size_t target, WfQueued *c);

/* Features that the target has reached. */
size_t wf_fuzzer_features(const WfFuzzer *f, size_t target);

/* May the target be run on the case, by its contract and limits? g: the launch, if it may. */
int wf_fuzzer_admits(const WfFuzzer *f, size_t target, const WfCase *c, WfGeometry *g);

/* What was run elsewhere joins the corpus of its target, if it is new there: sets size and new_features of a step that has the
 * rest. g: the launch. 0; -1: no memory. */
int wf_fuzzer_offer(WfFuzzer *f, WfStep *step, const WfGeometry *g);

/* Runs what was chosen and sets the rest. 0; -1 with a message: a failure of the harness (no memory, or a generated case
 * outside the contract), after which the next step may follow. */
int wf_fuzzer_execute(WfFuzzer *f, WfStep *step, char *err, size_t err_size);

/* The runner that executions use: free between two of them. */
WfRunner *wf_fuzzer_runner(WfFuzzer *f);

/* Over all variants: cases in the corpora, features reached. */
void wf_fuzzer_totals(const WfFuzzer *f, size_t *n_cases, size_t *n_features);

/* Seed of one part (a worker, a variant) of something seeded. */
uint64_t wf_seed_derive(uint64_t seed, uint64_t part);

#endif
