/* worker_child.c - the process of a worker: fuzzes, shrinks what it finds, and reports. */
#define _GNU_SOURCE
#include "case_order.h"
#include "corpus_import.h"
#include "corpus_merge.h"
#include "gpu_batch.h"
#include "shrink.h"
#include "turns.h"
#include "worker.h"
#include <errno.h>
#include <jansson.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Shrinking goes on for so long past the end of the time limit: a finding is what the time was spent for. So does looking at what
 * was not right on a device, in company. */
#define ARBITRARY_SHRINK_GRACE_NS UINT64_C(5000000000)

#define COUNTS_PERIOD_NS UINT64_C(2000000000)
#define MEMORY_PERIOD_NS UINT64_C(500000000)
#define IMPORT_PERIOD_NS UINT64_C(15000000000)

/* A merge may take so long, or one part in so many of what the worker has run. */
#define ARBITRARY_MERGE_NS UINT64_C(20000000000)
#define ARBITRARY_MERGE_PART 50

enum { MAX_MERGE_DROP = 65536 }; /* what is beyond is left for the next time */

typedef struct Seen { /* a finding that was reported, and its smallest case */
  uint64_t id;
  uint32_t target;
  SimtClass cls;
  SimtSeverity severity;
  int outside;
  int is_listed;      /* WfPlan.listed */
  uint64_t shrink_ns; /* that shrinking it has taken */
  uint64_t count;     /* executions that found it, not told yet */
  WfCase c;
} Seen;

typedef struct News { /* a finding of this execution that is new, or has a smaller case than before */
  size_t finding; /* index in the verdict */
  size_t seen;    /* and in Child.seen */
  int first;      /* no finding of its class, severity and variant came before */
} News;

typedef struct Child {
  const WfPlan *plan;
  WfShared *shared;
  WfFuzzer *fuzzer;
  WfGpu *gpu;
  WfGpuBatches *batches; /* on a device alone */
  Seen *seen;
  size_t n_seen;
  int fd;
  int stop; /* an error came and the plan says to stop there */
  uint64_t tell_ns; /* when to tell counts next */
  WfTurns turns;    /* of a balanced plan */
  WfImport import;
  uint64_t import_ns, memory_ns; /* when to look next */
  uint64_t start_ns, merge_end_ns;
  int is_full;      /* of memory: another generation goes on */
  uint64_t began_ns; /* the execution in progress, on the engine */
  uint64_t over_ns; /* when the device was told to come to an end; 0: not yet */
} Child;

/* ---- records ---- */

static int send_record(const Child *c, WfRecord *r) { return wf_record_send(c->fd, r); }

static int send_failure(const Child *c, const WfStep *s, const char *message) {
  WfRecord r = {.kind = WF_RECORD_FAILURE, .target = (uint32_t)s->target, .c = *s->c};
  r.c.variant = c->plan->targets[s->target].variant;
  r.text = (char *)message;
  return send_record(c, &r);
}

static int send_corpus(Child *c, const WfStep *s) {
  WfRecord r = {.kind = WF_RECORD_CORPUS, .target = (uint32_t)s->target, .c = *s->c};
  r.key = wf_case_key(&r.c);
  if (c->plan->is_balanced && wf_import_note(&c->import, s->target, r.key) != 0) return -1;
  return send_record(c, &r);
}

/* Notes the finding of a record. 1: worth reporting (new, or with a smaller case); 0; -1: no memory. */
static int note_finding(Child *c, const WfRecord *r, News *out) {
  out->first = 1;
  for (out->seen = 0; out->seen < c->n_seen; out->seen++) {
    Seen *s = &c->seen[out->seen];
    if (s->target == r->target && s->cls == r->cls && s->severity == r->severity && s->outside == r->outside) out->first = 0;
    if (s->id != r->id) continue;
    if (r->kind == WF_RECORD_MEANT || wf_case_compare(&r->c, &s->c, c->plan->targets[r->target].variant) >= 0) return 0;
    s->c = r->c;
    return 1;
  }
  Seen *more = realloc(c->seen, (c->n_seen + 1) * sizeof *more);
  if (!more) return -1;
  c->seen = more;
  c->seen[c->n_seen++] = (Seen){.id = r->id, .target = r->target, .cls = r->cls, .severity = r->severity, .outside = r->outside, .c = r->c};
  return 1;
}

/* What is sent of a finding, but for its texts; `expect` is what its case is to expect. */
static void describe(const Child *c, size_t target, const WfCase *kase, uint32_t expect, const WfFinding *f, WfRecord *r) {
  *r = (WfRecord){.target = (uint32_t)target, .cls = f->simt.cls, .severity = f->simt.severity};
  r->kind = f->simt.severity == SIMT_MEANT ? WF_RECORD_MEANT : WF_RECORD_FINDING;
  r->outside = f->outside[0] != '\0';
  r->site_id = wf_finding_id(f);
  r->id = wf_plan_id(c->plan, r->site_id);
  r->c = *kase;
  r->c.variant = c->plan->targets[target].variant;
  r->c.expect = expect;
  r->key = wf_case_key(&r->c); /* what a replay of the saved file will say */
  char *places = wf_finding_places(f);
  snprintf(r->places, sizeof r->places, "%s", places ? places : "");
  free(places);
}

/* Is the finding on the list of those that are known? */
static int is_listed(const Child *c, const WfFinding *f) {
  uint64_t id = wf_plan_id(c->plan, wf_finding_id(f));
  if (!c->plan->listed || c->plan->listed->n == 0) return 0;
  for (size_t i = 0; i < c->n_seen; i++)
    if (c->seen[i].id == id) return c->seen[i].is_listed;
  char *line = wf_finding_line(f, NULL, id);
  json_t *json = line ? json_loads(line, 0, NULL) : NULL;
  int yes = json && wf_known_find(c->plan->listed, json);
  json_decref(json);
  free(line);
  return yes;
}

/* A race that is meant: its reason goes in the place of the text, and no case is saved. */
static int send_meant(Child *c, const WfStep *s, const WfFinding *f) {
  WfRecord r;
  News news;
  describe(c, s->target, s->c, s->verdict->errors, f, &r);
  int worth = note_finding(c, &r, &news);
  if (worth >= 0) c->seen[news.seen].count++;
  if (worth <= 0) return worth;
  r.json = wf_finding_line(f, NULL, r.id);
  r.text = (char *)f->simt.reason;
  int rc = r.json ? send_record(c, &r) : -1;
  free(r.json);
  return rc;
}

/* Sends a described finding with its texts. */
static int send_finding(const Child *c, const WfFinding *found, int with_text, WfRecord *r) {
  WfFinding f = *found;
  char name[WF_FILE_NAME_MAX], path[4096];
  wf_finding_file_name(&c->plan->targets[r->target], r->cls, r->key, name);
  snprintf(path, sizeof path, "%s/%s", c->plan->out, name);
  f.key = r->key;
  f.program = c->plan->program;
  r->json = wf_finding_line(&f, path, r->id);
  int is_told = f.simt.severity == SIMT_ERROR || (c->plan->tells_warnings && f.simt.severity == SIMT_WARNING);
  r->text = with_text && is_told ? wf_finding_text(&f, path) : NULL;
  int rc = r->json ? send_record(c, r) : -1;
  free(r->json);
  free(r->text);
  r->json = r->text = NULL;
  return rc;
}

/* ---- shrinking ---- */

typedef struct Shrinking {
  Child *c;
  size_t target;
  uint64_t end_ns; /* 0: none */
} Shrinking;

/* WfShrinkOptions.before: notes what is run, and says when to end. */
static int shrink_ends(void *arg, const WfCase *next) {
  const Shrinking *s = arg;
  WfShared *shared = s->c->shared;
  uint64_t deadline_ns = s->c->plan->deadline_ns, now = wf_clock_ns();
  shared->current = *next;
  shared->current_target = (uint32_t)s->target;
  shared->busy = WF_SHRINKING;
  return shared->stop == WF_STOP_NOW || (s->end_ns && now >= s->end_ns) ||
         (deadline_ns && now >= deadline_ns + ARBITRARY_SHRINK_GRACE_NS);
}

/* Shrinks what was announced as pending and sends it: with its smallest case, or as it was where that is not to be had (it does
 * not show when all relations are run, there is no memory, or its time was spent on a larger case). */
static int send_shrunk(Child *c, const WfStep *s, const News *news) {
  const WfFinding *found = &s->verdict->finding[news->finding];
  const WfPlan *p = c->plan;
  Seen *seen = &c->seen[news->seen];
  const uint64_t start_ns = wf_clock_ns(), left_ns = p->shrink_ns > seen->shrink_ns ? p->shrink_ns - seen->shrink_ns : 0;
  Shrinking shrinking = {c, s->target, p->shrink_ns && !c->stop ? start_ns + left_ns : 0};
  const WfShrinkOptions opt = {.limits = p->limits ? &p->limits[s->target] : NULL,
                               .rtol = p->rtol,
                               .atol = p->atol,
                               .before = shrink_ends,
                               .arg = &shrinking};
  WfRecord r;
  WfShrunk out;
  int rc = wf_shrink(wf_fuzzer_runner(c->fuzzer), s->c, found, &opt, &out);
  c->shared->busy = WF_IDLE;
  seen->shrink_ns += wf_clock_ns() - start_ns;
  c->shared->shrunk++;
  c->shared->shrunk_in_part += !out.is_complete;
  c->shared->shrink_executions += out.executions;
  if (rc == 0)
    describe(c, s->target, &out.c, out.c.expect, &out.finding, &r);
  else
    describe(c, s->target, s->c, s->verdict->errors | 1u << found->simt.cls, found, &r);
  seen->c = r.c;
  return send_finding(c, rc == 0 ? &out.finding : found, news->first, &r);
}

static void add_set(_Atomic uint64_t *counts, unsigned n, uint32_t set) {
  for (unsigned i = 0; i < n; i++) counts[i] += set >> i & 1;
}

/* The classes of which every finding is known; where not all findings are there, nobody can tell. */
static uint32_t listed_classes(const Child *c, const WfVerdict *v) {
  uint32_t listed = 0, others = 0;
  for (size_t i = 0; i < v->n; i++) {
    uint32_t cls = 1u << v->finding[i].simt.cls;
    if (is_listed(c, &v->finding[i])) listed |= cls;
    else others |= cls;
  }
  return v->n_dropped ? 0 : listed & ~others;
}

static void count_step(const Child *c, const WfStep *s) {
  WfCounts *n = &c->shared->counts[s->target];
  const WfVerdict *v = s->verdict;
  const uint32_t listed = listed_classes(c, v);
  size_t corpus, features;
  n->executions++;
  add_set(n->situations, WF_SITUATION_COUNT, v->situations);
  add_set(n->meant, SIMT_CLASS_COUNT, v->meant);
  n->no_verdict += v->no_verdict != 0;
  wf_envelope_take(&n->envelope, s->c, &v->stats);
  wf_tried_take(&n->tried, s->c, v, c->batches ? 0 : wf_clock_ns() - c->began_ns);
  if (v->outside[0]) {
    n->outside++;
    add_set(n->outside_classes, SIMT_CLASS_COUNT, v->errors | v->warnings);
  } else {
    add_set(n->errors, SIMT_CLASS_COUNT, v->errors & ~listed);
    add_set(n->warnings, SIMT_CLASS_COUNT, v->warnings & ~listed);
    add_set(n->listed, SIMT_CLASS_COUNT, (v->errors | v->warnings) & listed);
  }
  if (s->new_features > 0 && !c->batches) {
    const WfCover cover = wf_cover_at(&c->shared->counts[c->plan->n_targets]);
    wf_cover_take(&cover, s->target);
  }
  wf_fuzzer_totals(c->fuzzer, &corpus, &features);
  n->features = wf_fuzzer_features(c->fuzzer, s->target);
  c->shared->corpus = corpus;
  c->shared->features = features;
}

/* Is it a reason to stop at the first error? */
static int stops(const WfPlan *p, const WfFinding *f) {
  if (f->outside[0] || !(p->strict || f->simt.severity == SIMT_ERROR)) return 0;
  return !wf_plan_knows(p, wf_plan_id(p, wf_finding_id(f)));
}

/* All findings go out before any is shrunk: nothing is lost, whatever happens then. */
static int send_verdict(Child *c, const WfStep *s) {
  const WfVerdict *v = s->verdict;
  News news[WF_MAX_FINDINGS];
  size_t n = 0;
  for (size_t i = 0; i < v->n; i++) {
    const WfFinding *f = &v->finding[i];
    WfRecord r;
    describe(c, s->target, s->c, v->errors | 1u << f->simt.cls, f, &r);
    int listed = is_listed(c, f); /* then nobody waits for it, and it is not shrunk */
    r.is_pending = !c->shared->no_shrinking && !listed;
    r.is_listed = listed;
    news[n].finding = i;
    int worth = note_finding(c, &r, &news[n]);
    if (worth < 0) return -1;
    c->seen[news[n].seen].is_listed = listed;
    c->seen[news[n].seen].count++;
    if (worth && send_finding(c, f, !listed && !r.is_pending && news[n].first, &r) != 0) return -1;
    n += worth && r.is_pending;
    c->stop |= c->plan->stop_on_first && !listed && stops(c->plan, f);
  }
  for (size_t i = 0; i < n; i++)
    if (send_shrunk(c, s, &news[i]) != 0) return -1;
  for (size_t i = 0; i < v->n_meant; i++)
    if (send_meant(c, s, &v->meant_race[i]) != 0) return -1;
  return 0;
}

/* Tells how often findings were found: some seconds after the last time, or now. 0; -1: the pipe failed. */
static int send_counts(Child *c, int now) {
  uint64_t at_ns = wf_clock_ns();
  if (!now && at_ns < c->tell_ns) return 0;
  c->tell_ns = at_ns + COUNTS_PERIOD_NS;
  for (size_t i = 0; i < c->n_seen; i++) {
    Seen *s = &c->seen[i];
    WfRecord r = {.kind = WF_RECORD_COUNT, .target = s->target, .cls = s->cls, .id = s->id, .count = s->count};
    if (s->count && send_record(c, &r) != 0) return -1;
    s->count = 0;
  }
  return 0;
}

static void note_current(void *arg, const WfStep *s) {
  Child *c = arg;
  c->shared->current = *s->c;
  c->shared->current_target = (uint32_t)s->target;
  c->shared->busy = WF_FUZZING;
  c->began_ns = wf_clock_ns();
}

/* Counts an execution and reports what came of it. 0; -1: the pipe or the memory failed. */
static int step_done(void *arg, WfStep *s, const char *message) {
  Child *c = arg;
  c->shared->busy = WF_IDLE;
  if (message) {
    c->shared->counts[s->target].executions++;
    return send_failure(c, s, message);
  }
  count_step(c, s);
  if (s->new_features > 0 && send_corpus(c, s) != 0) return -1;
  return send_verdict(c, s) == 0 ? send_counts(c, 0) : -1;
}

/* ---- work that is shared ---- */

/* Whose turn it is in a balanced plan; SIZE_MAX: this worker has nothing to do just now. */
static size_t choose_turn(Child *c) {
  for (size_t i = 0; i < c->turns.n; i++) wf_turns_weigh(&c->turns, i, c->shared->counts[i].weight);
  return wf_turns_next(&c->turns);
}

/* Takes cases of others in, now and then, and at once what earlier generations of this worker had. 0; -1: no memory. */
static int import(Child *c) {
  uint64_t now = wf_clock_ns();
  if (now < c->import_ns) return 0;
  c->import_ns = now + IMPORT_PERIOD_NS;
  return wf_import_all(&c->import, c->fuzzer, c->plan->targets, c->turns.weight, c->plan->n_targets, c->plan->out);
}

/* What a merge has to say, in memory shared with the process that makes it. */
typedef struct Merged {
  int is_done;
  uint64_t n_left, n_drop, drop[MAX_MERGE_DROP];
} Merged;

static int leaves_the_merge(void *arg) {
  const Child *c = arg;
  return c->shared->stop || wf_clock_ns() >= c->merge_end_ns;
}

/* In a process of its own, whose memory goes with it, and which may die of a case. */
static void merge_apart(Child *c, const WfOp *op, Merged *out) {
  const WfLimits *limits = c->plan->limits;
  const WfMergeOptions opt = {c, leaves_the_merge, limits && limits[0].outside};
  WfMerge m;
  char dir[4096];
  snprintf(dir, sizeof dir, "%s/corpus/%s", c->plan->out, op->name);
  if (wf_corpus_merge(op, c->plan->targets, c->plan->n_targets, dir, wf_fuzzer_runner(c->fuzzer), &opt, &m) != 1) return;
  out->n_left = m.n_cases - m.n_drop;
  for (size_t i = 0; i < m.n_drop && i < MAX_MERGE_DROP; i++) out->drop[out->n_drop++] = m.drop[i];
  out->is_done = 1;
}

static int send_merged(Child *c, uint32_t target, const Merged *m) {
  WfRecord r = {.kind = WF_RECORD_DROP, .target = target};
  for (size_t i = 0; i < m->n_drop; i++) {
    r.key = m->drop[i];
    if (send_record(c, &r) != 0) return -1;
  }
  r.kind = WF_RECORD_MERGED;
  r.count = m->n_left;
  return send_record(c, &r);
}

/* Makes the corpus of an op small, if the parent asks for it. 0; -1: the pipe failed. */
static int merge(Child *c) {
  const uint32_t asked = c->shared->merge;
  int rc = 0;
  if (!asked) return 0;
  uint64_t now = wf_clock_ns(), part_ns = (now - c->start_ns) / ARBITRARY_MERGE_PART;
  c->merge_end_ns = now + (part_ns > ARBITRARY_MERGE_NS ? part_ns : ARBITRARY_MERGE_NS);
  Merged *m = mmap(NULL, sizeof *m, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  pid_t pid = m == MAP_FAILED ? -1 : fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    merge_apart(c, c->plan->targets[asked - 1].op, m);
    _exit(0);
  }
  while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) continue;
  if (pid > 0 && m->is_done) rc = send_merged(c, asked - 1, m);
  if (m != MAP_FAILED) munmap(m, sizeof *m);
  c->shared->merge = 0;
  return rc;
}

/* ---- steps ---- */

/* Runs what was chosen. 0; -1: the pipe or the memory failed. */
static int run_step(Child *c, WfStep *s) {
  char err[256];
  note_current(c, s);
  int rc = wf_fuzzer_execute(c->fuzzer, s, err, sizeof err);
  return step_done(c, s, rc == 0 ? NULL : err);
}

/* The case that the generation before was killed in. 1: it was run; 0: there is none; -1: the pipe or the memory failed. */
static int step_again(Child *c) {
  WfShared *shared = c->shared;
  WfStep s;
  if (!shared->again) return 0;
  shared->again = 0;
  int rc = wf_fuzzer_add_for(c->fuzzer, shared->current_target, &shared->current);
  if (rc <= 0) return rc;
  wf_fuzzer_choose_for(c->fuzzer, shared->current_target, &s);
  return run_step(c, &s) == 0 ? 1 : -1;
}

/* One execution and its reports. 1: so many; -1: the pipe or the memory failed. */
static int step_one(Child *c) {
  WfStep s;
  size_t turn = c->plan->is_balanced ? choose_turn(c) : 0;
  if (c->plan->is_balanced && (import(c) != 0 || merge(c) != 0)) return -1;
  if (turn == SIZE_MAX) {
    usleep(100000);
    return 0;
  }
  uint64_t start_ns = wf_clock_ns();
  if (c->plan->is_balanced) wf_fuzzer_choose_for(c->fuzzer, turn, &s);
  else wf_fuzzer_choose(c->fuzzer, &s);
  int rc = run_step(c, &s);
  if (c->plan->is_balanced) wf_turns_spend(&c->turns, s.target, wf_clock_ns() - start_ns);
  return rc == 0 ? 1 : -1;
}

/* Is there more memory than a worker may have? What a single case needs is given back, or is for the next generation to do without. */
static int is_full(Child *c) {
  uint64_t now = wf_clock_ns(), bytes = 0;
  if (!c->plan->memory_bytes || now < c->memory_ns) return 0;
  c->memory_ns = now + MEMORY_PERIOD_NS;
  return wf_resident_bytes(getpid(), &bytes) == 0 && bytes > c->plan->memory_bytes;
}

static int is_over(const Child *c) {
  const WfPlan *p = c->plan;
  return c->stop || c->shared->stop || (p->deadline_ns && wf_clock_ns() >= p->deadline_ns);
}

/* WfGpuSink.is_over */
static int leaves_the_rest(void *arg) {
  Child *c = arg;
  if (!is_over(c)) return 0;
  if (!c->over_ns) c->over_ns = wf_clock_ns();
  return c->stop || c->shared->stop == WF_STOP_NOW || wf_clock_ns() >= c->over_ns + ARBITRARY_SHRINK_GRACE_NS;
}

/* At most `left` executions on the device; 0: those that are on their way come to their end. How many, or -1. */
static int step_many(Child *c, uint64_t left) {
  const WfGpuSink sink = {c, note_current, step_done, leaves_the_rest};
  const WfStep nothing = {.c = &c->shared->current};
  char err[256];
  int n = wf_gpu_batches_step(c->batches, left, &sink, err, sizeof err);
  if (n < 0 && err[0]) send_failure(c, &nothing, err);
  return n;
}

static int child_loop(Child *c, uint64_t runs) {
  const WfPlan *p = c->plan;
  int again = c->batches ? 0 : step_again(c);
  if (again < 0) return -1;
  for (uint64_t n = (uint64_t)again; (!p->runs || n < runs) && !is_over(c);) {
    int did = c->batches ? step_many(c, p->runs ? runs - n : UINT64_MAX) : step_one(c);
    if (did < 0) return -1;
    n += (uint64_t)did;
    if ((c->is_full = is_full(c))) break;
  }
  int rc = c->batches ? step_many(c, 0) : 0;
  return rc >= 0 ? send_counts(c, 1) : -1;
}

/* The device, as the plan says. 0; -1: it cannot be used, which is reported. */
static int open_device(Child *c, int device) {
  const WfPlan *p = c->plan;
  const WfGpuOptions opt = {.device = device, .timeout_ns = p->device_ns};
  const WfStep nothing = {.c = &c->shared->current};
  const WfRunOptions run = {.rtol = p->rtol, .atol = p->atol, .outside = p->limits && p->limits[0].outside};
  char err[256] = "out of memory";
  if (p->backend == WF_BACKEND_SIMT) return 0;
  c->shared->current.op = p->targets[0].op;
  if (wf_gpu_create(&c->gpu, &opt, err, sizeof err) == 0) {
    wf_runner_use(wf_fuzzer_runner(c->fuzzer), p->backend, c->gpu, p->flavor);
    if (p->backend == WF_BACKEND_BOTH) return 0;
    if (wf_gpu_batches_create(&c->batches, c->fuzzer, p->targets, p->n_targets, c->gpu, &run) == 0) return 0;
  }
  send_failure(c, &nothing, err);
  return -1;
}

/* It is in all queues, and need not be taken from the disk once more. 0; -1: no memory. */
static int note_seed(Child *c, const WfCase *seed) {
  const uint64_t key = c->plan->is_balanced ? wf_case_key(seed) : 0;
  for (size_t i = 0; c->plan->is_balanced && i < c->plan->n_targets; i++)
    if (c->plan->targets[i].op == seed->op && wf_import_note(&c->import, i, key) != 0) return -1;
  return 0;
}

static int child_run(Child *c, uint64_t seed, uint64_t runs, int with_seeds, int device) {
  const WfPlan *p = c->plan;
  if (wf_fuzzer_create(&c->fuzzer, p->targets, p->n_targets, seed) != 0) return -1;
  wf_fuzzer_limit(c->fuzzer, p->limits, p->rtol, p->atol);
  for (size_t i = 0; with_seeds && i < p->n_seeds; i++)
    if (wf_fuzzer_add(c->fuzzer, &p->seeds[i]) < 0 || note_seed(c, &p->seeds[i]) != 0) return -1;
  return open_device(c, device) != 0 ? -1 : child_loop(c, runs);
}

int wf_worker_child(const WfPlan *p, WfShared *shared, int fd, uint64_t seed, uint64_t runs, int with_seeds, int device) {
  enum { MAPPED_BYTES = 1 << 20 };
  Child c = {.plan = p, .shared = shared, .fd = fd, .start_ns = wf_clock_ns()};
  mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES); /* large arrays go back to the system when they are freed, wherever they lie */
  int rc = wf_turns_init(&c.turns, p->n_targets);
  if (rc == 0) rc = child_run(&c, seed, runs, with_seeds, device);
  wf_gpu_destroy(c.gpu);
  return rc == 0 && c.is_full ? WF_WORKER_FULL : rc;
}
