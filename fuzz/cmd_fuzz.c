/* cmd_fuzz.c - warpfuzz fuzz: plans a campaign, runs it, reports it. */
#define _DEFAULT_SOURCE
#include "campaign_report.h"
#include "check_info.h"
#include "check_probe.h"
#include "cli.h"
#include "resume.h"
#include "runs_log.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define DEFAULT_MEMORY_BYTES (UINT64_C(2) << 30)
#define DEFAULT_TIME_NS UINT64_C(60000000000)

/* Of a time limit, one part in so many is for shrinking one finding: a tensor of 2^31 elements takes its time, and there may be dozens
 * of findings. */
enum { ARBITRARY_SHRINK_PART = 100 };
/* A case of a campaign takes milliseconds on a device; one that hangs costs this whenever it is run. */
#define ARBITRARY_DEVICE_NS UINT64_C(2000000000)

typedef struct Seeds {
  WfCase **cases;   /* packed: a resumed campaign has thousands, and each worker inherits them */
  size_t n, max;
  size_t n_outside; /* left out: outside --dims */
} Seeds;

static int usage(const char *option, const char *message) {
  wf_say("warpfuzz: %s%s", option, message);
  return WF_EXIT_USAGE;
}

static int seeds_push(Seeds *s, const WfCase *c) {
  if (s->n == s->max) {
    size_t max = s->max ? 2 * s->max : 64;
    WfCase **more = realloc(s->cases, max * sizeof *more);
    if (!more) return -1;
    s->cases = more;
    s->max = max;
  }
  const size_t bytes = wf_case_packed_bytes(c);
  if (!(s->cases[s->n] = malloc(bytes))) return -1;
  memcpy(s->cases[s->n++], c, bytes);
  return 0;
}

static void seeds_free(Seeds *s) {
  for (size_t i = 0; i < s->n; i++) free(s->cases[i]);
  free(s->cases);
}

/* The case of an earlier failure of the harness, in the output directory: it would end this campaign's workers too. */
static int is_harness_case(const char *path) {
  const char *slash = strrchr(path, '/');
  return strncmp(slash ? slash + 1 : path, "harness-", 8) == 0;
}

/* Do the limits of any target of its op admit the case? Cases of other ops do no harm. */
static int is_within(const WfPlan *p, const WfCase *c) {
  int n = 0;
  for (size_t i = 0; i < p->n_targets; i++) {
    if (p->targets[i].op != c->op) continue;
    if (wf_limits_hold(p->limits ? &p->limits[i] : NULL, c)) return 1;
    n++;
  }
  return n == 0;
}

/* Adds the cases below a directory. One that cannot be read ends it with WF_EXIT_USAGE when `strict`, else it is left out
 * (a campaign that was killed may leave half a file). */
static int load_seeds(Seeds *s, const WfPlan *p, const char *dir, int strict) {
  WfCaseFiles files = {0};
  char err[WF_CASE_ERROR_MAX];
  int status = WF_EXIT_CLEAN;
  size_t n_bad = 0;
  if (wf_case_files_add(&files, dir, err, sizeof err) != 0) {
    wf_say("warpfuzz: %s", err);
    status = WF_EXIT_USAGE;
  }
  for (size_t i = 0; i < files.n && status == WF_EXIT_CLEAN; i++) {
    WfCase c;
    if (!strict && is_harness_case(files.path[i])) continue;
    if (wf_case_load(&c, files.path[i], err, sizeof err) != 0) {
      if (n_bad++ == 0) wf_say("%s%s", err, strict ? "" : " (left out)");
      if (strict) status = WF_EXIT_USAGE;
    } else if (!is_within(p, &c)) {
      s->n_outside++;
    } else if (seeds_push(s, &c) != 0) {
      wf_say("warpfuzz: out of memory");
      status = WF_EXIT_HARNESS;
    }
  }
  if (n_bad > 1) wf_say("warpfuzz: %zu more cases in %s that cannot be used left out", n_bad - 1, dir);
  wf_case_files_free(&files);
  return status;
}

static int choose_seed(const WfOptions *o, uint64_t *out) {
  *out = o->seed;
  if (o->has_seed) return WF_EXIT_CLEAN;
  int drawn = getrandom(out, sizeof *out, 0) == (ssize_t)sizeof *out;
  *out >>= 1; /* JSON readers take integers of 63 bits */
  if (drawn) return WF_EXIT_CLEAN;
  wf_say("warpfuzz: the system gives no random seed; use --seed");
  return WF_EXIT_HARNESS;
}

/* By the rows, and by what replays have shown. */
static int verdict_status(const WfOptions *o, const WfCollector *c, const WfRow *rows, size_t n) {
  int found = 0, unexpected = 0;
  for (size_t i = 0; i < c->n_kept; i++) found |= wf_kept_counts(&c->kept[i], o->strict);
  for (size_t i = 0; i < n; i++) {
    found |= wf_row_errors(&rows[i]) || (o->strict && wf_row_warnings(&rows[i]));
    unexpected |= !wf_row_as_expected(&rows[i], o->strict);
  }
  return (o->expected ? unexpected : found) ? WF_EXIT_FINDINGS : WF_EXIT_CLEAN;
}

static int is_about_a_target(const WfPlan *p, const WfKnownLine *line) {
  for (size_t i = 0; line->target && i < p->n_targets; i++) {
    char name[WF_NAME_MAX];
    wf_target_name(&p->targets[i], name);
    if (wf_glob(line->target, name)) return 1;
  }
  return 0;
}

/* Lines of the list under which nothing came: they are out of date, or wrong. */
static void tell_unused(const WfCollector *c) {
  const WfKnownList *list = c->plan->listed;
  for (size_t i = 0; list && i < list->n; i++) {
    int used = 0;
    for (size_t k = 0; k < c->n_kept; k++) used |= c->kept[k].listed == &list->line[i];
    if (!used && is_about_a_target(c->plan, &list->line[i])) wf_say("warpfuzz: %s: no finding falls under this line", list->line[i].at);
  }
}

/* What goes to stdout depends on seed and executions alone; times go to stderr. */
static int report(const WfOptions *o, const WfCollector *c, const WfCampaignResult *r) {
  const WfPlan *p = c->plan;
  if (!o->json && wf_campaign_print(stdout, o, c, r) != 0) return WF_EXIT_HARNESS;
  fflush(stdout);
  double seconds = (double)r->elapsed_ns / 1e9;
  uint64_t n = r->new_executions + r->shrink_executions;
  wf_say("warpfuzz: %.1f s, %.0f executions/s%s", seconds, seconds > 0 ? (double)n / seconds : 0.0,
         r->interrupted ? ", interrupted" : "");
  if (r->shrunk)
    wf_say("warpfuzz: %" PRIu64 " case%s of findings shrunk in %" PRIu64 " further execution%s", r->shrunk, r->shrunk == 1 ? "" : "s",
           r->shrink_executions, r->shrink_executions == 1 ? "" : "s");
  if (r->shrunk_in_part)
    wf_say("warpfuzz: %" PRIu64 " not to the end: 'shrink' goes on with such a case", r->shrunk_in_part);
  if (!r->interrupted && !r->broken) tell_unused(c);
  if (c->failures)
    wf_say("warpfuzz: %u failure%s of the harness, see above", c->failures, c->failures == 1 ? "" : "s");
  if (wf_check_info && wf_campaign_save(o, c, r) != 0) return WF_EXIT_HARNESS;
  return c->failures || r->broken ? WF_EXIT_HARNESS : verdict_status(o, c, r->rows, p->n_targets);
}

static void print_start(const WfCollector *c) {
  const WfPlan *p = c->plan;
  const WfRunLog *run = c->run;
  if (wf_check_info) fprintf(stderr, "warpfuzz: what is assumed of the kernel\n%s", wf_check_info->contract);
  fprintf(stderr, "warpfuzz: seed %" PRIu64 ", %zu variant%s, %zu cases to start from", p->seed, p->n_targets,
          p->n_targets == 1 ? "" : "s", p->n_seeds);
  if (c->n_kept) fprintf(stderr, ", %zu finding%s of earlier runs", c->n_kept, c->n_kept == 1 ? "" : "s");
  fputc('\n', stderr);
  if (run->before) fprintf(stderr, "warpfuzz: going on with run %s, which came to %.0f s\n", run->id, (double)run->elapsed_ns / 1e9);
}

/* Limits of this part of the run, and of the whole of it: what was typed, or for a run that is gone on with, what is left. */
static void set_limits(const WfOptions *o, WfPlan *p, WfRunLog *run) {
  uint64_t time_ns = o->time_ns, executions = 0;
  p->runs = o->runs;
  for (size_t i = 0; run->before && i < p->n_targets; i++) executions += run->before[i].executions;
  if (!o->time_ns && !o->runs && run->before) {
    time_ns = run->time_limit_ns > run->elapsed_ns ? run->time_limit_ns - run->elapsed_ns : run->time_limit_ns ? 1 : 0;
    p->runs = run->runs_limit > executions ? run->runs_limit - executions : run->runs_limit ? 1 : 0;
  }
  if (!time_ns && !p->runs) time_ns = DEFAULT_TIME_NS;
  run->time_limit_ns = time_ns ? run->elapsed_ns + time_ns : 0;
  run->runs_limit = p->runs ? executions + p->runs : 0;
  p->is_balanced = time_ns != 0 && p->backend != WF_BACKEND_GPU; /* else the number of executions decides, as it does exactly with one worker */
  p->deadline_ns = time_ns ? wf_clock_ns() + time_ns : 0;
  p->shrink_ns = time_ns / ARBITRARY_SHRINK_PART;
}

/* What earlier runs have found. Without it what is found again would be new, and take the place of its history. */
static int load_past(const WfOptions *o, WfPlan *p, WfCollector *c, uint64_t **ids) {
  char err[WF_CASE_ERROR_MAX];
  if (wf_collect_resume(c, !o->resume, ids, &p->n_known, err, sizeof err) != 0) return usage("", err);
  if (wf_collect_replays(c, &p->n_replays, &p->n_cases) != 0) return wf_out_of_memory();
  p->replays = c->replays;
  p->known = *ids;
  if (!o->resume) p->n_known = 0; /* all is news */
  return WF_EXIT_CLEAN;
}

/* The end of the run, in runs.jsonl. */
static int close_run(WfCollector *c, const WfCampaignResult *r, int status) {
  char err[WF_CASE_ERROR_MAX];
  WfRunLog *run = c->run;
  const WfRunState s = {r->rows, r->elapsed_ns, r->deaths, r->generations, 1};
  run->status = run->has_failed ? WF_EXIT_HARNESS : status;
  run->interrupted = r->interrupted;
  if (wf_run_log_write(run, c->plan, &s, err, sizeof err) == 0) return run->status;
  if (!run->has_failed) wf_say("warpfuzz: %s", err);
  return WF_EXIT_HARNESS;
}

static int run_campaign(const WfOptions *o, WfCollector *c) {
  WfCampaignResult r = {0};
  char err[WF_CASE_ERROR_MAX];
  int status = WF_EXIT_HARNESS, ran = wf_campaign_run(c, &r) == 0, saved = wf_collect_finish(c, err, sizeof err) == 0;
  if (ran) wf_campaign_join_earlier(c, r.rows);
  if (ran) status = report(o, c, &r);
  if (!saved) {
    wf_say("warpfuzz: %s", err);
    status = WF_EXIT_HARNESS;
  }
  if (ran) status = close_run(c, &r, status);
  if (o->json) wf_campaign_tell_end(c, &r, status);
  if (ran) wf_campaign_summary(c, &r, status);
  free(r.rows);
  return status;
}

static int run_plan(const WfOptions *o, WfPlan *p, WfRunLog *run) {
  WfCollector c;
  char err[WF_CASE_ERROR_MAX];
  uint64_t *ids = NULL;
  if (wf_collector_init(&c, p, stdout, stderr, err, sizeof err) != 0) {
    wf_collector_free(&c);
    return usage("", err);
  }
  c.run = run;
  c.with_json = o->json;
  int status = load_past(o, p, &c, &ids);
  if (status == WF_EXIT_CLEAN) {
    set_limits(o, p, run);
    print_start(&c);
    status = run_campaign(o, &c);
  }
  free(ids);
  wf_collector_free(&c);
  return status;
}

/* Of --known, and of the output directory. */
static int load_known(const WfOptions *o, WfKnownList *list) {
  char path[4096], err[WF_CASE_ERROR_MAX];
  if (o->known && wf_known_load(list, o->known, err, sizeof err) != 0) return usage("", err);
  snprintf(path, sizeof path, "%s/known", o->out);
  if (access(path, F_OK) == 0 && wf_known_load(list, path, err, sizeof err) != 0) return usage("", err);
  return WF_EXIT_CLEAN;
}

/* Leaves out the targets whose contracts have no case within their limits. */
static int keep_possible(WfTarget *targets, WfLimits *limits, size_t *n_targets) {
  size_t n = 0;
  for (size_t i = 0; i < *n_targets; i++) {
    char name[WF_NAME_MAX];
    if (wf_limits_leave_room(&limits[i], targets[i].op, targets[i].variant)) {
      targets[n] = targets[i];
      limits[n++] = limits[i];
      continue;
    }
    wf_target_name(&targets[i], name);
    wf_say("warpfuzz: %s left out: no case within --dims was found that its contract admits", name);
  }
  *n_targets = n;
  return n ? WF_EXIT_CLEAN : WF_EXIT_NOTHING;
}

/* Leaves out the targets whose tensors are of other types than --dtype says; ops that have no tensor of a name are others. */
static int keep_types(const WfOptions *o, WfTarget *targets, size_t *n_targets) {
  char why[160] = "";
  size_t n = 0, n_readable = 0;
  for (size_t i = 0; i < *n_targets; i++) {
    WfDtype wanted[WF_MAX_TENSORS] = {WF_F32};
    const WfOp *op = targets[i].op;
    if (wf_dtypes_parse(op, o->dtype, strlen(o->dtype), wanted, why, sizeof why) != 0) continue;
    n_readable++;
    if (memcmp(wanted, targets[i].variant->dtype, (size_t)op->n_tensors * sizeof *wanted) == 0) targets[n++] = targets[i];
  }
  if (*n_targets && !n_readable) return usage("--dtype: ", why);
  if (*n_targets && !n) wf_say("warpfuzz: no variant of these types (--dtype)");
  *n_targets = n;
  return n ? WF_EXIT_CLEAN : WF_EXIT_NOTHING;
}

/* --dims and --outside, by target; *out stays NULL where neither was given. */
static int make_limits(const WfOptions *o, WfTarget *targets, size_t *n_targets, WfLimits **out) {
  char err[WF_CASE_ERROR_MAX];
  size_t n = *n_targets;
  if (!o->dims && !o->outside) return WF_EXIT_CLEAN;
  const WfOp **ops = malloc(n * sizeof *ops);
  *out = malloc(n * sizeof **out);
  int rc = ops && *out ? 0 : -1;
  for (size_t i = 0; rc == 0 && i < n; i++) {
    ops[i] = targets[i].op;
    wf_limits_init(&(*out)[i], ops[i]);
  }
  int status = rc == 0 ? WF_EXIT_CLEAN : WF_EXIT_HARNESS;
  if (rc == 0 && o->dims && wf_limits_parse(o->dims, ops, n, *out, err, sizeof err) != 0) status = usage("--dims: ", err);
  free(ops);
  for (size_t i = 0; rc == 0 && i < n; i++) (*out)[i].outside = o->outside;
  return status == WF_EXIT_CLEAN && o->dims ? keep_possible(targets, *out, n_targets) : status;
}

/* A new run, or with --resume the last one, if it was cut short. */
static int choose_run(const WfOptions *o, WfPlan *p, WfRunLog *run) {
  wf_run_log_begin(run);
  run->dtype = o->dtype;
  run->arguments = o->arguments;
  run->n_arguments = o->n_arguments;
  run->resumed = o->resume;
  int rc = o->resume ? wf_run_log_resume(run, p) : 0;
  if (rc < 0) return wf_out_of_memory();
  if (rc == 1 && !o->has_seed) p->seed = run->seed;
  p->first_generation = run->generations;
  p->run = run->id;
  return WF_EXIT_CLEAN;
}

/* Everything but the targets and limits. */
static int make_plan(const WfOptions *o, WfPlan *p, Seeds *seeds, WfRunLog *run) {
  char err[WF_CASE_ERROR_MAX];
  int status = choose_seed(o, &p->seed);
  if (status == WF_EXIT_CLEAN && o->corpus) status = load_seeds(seeds, p, o->corpus, 1);
  if (status != WF_EXIT_CLEAN) return status;
  if (wf_dir_make(o->out, err, sizeof err) != 0) return usage("", err);
  status = load_seeds(seeds, p, o->out, 0);
  if (seeds->n_outside)
    wf_say("warpfuzz: %zu case%s outside --dims left out", seeds->n_outside, seeds->n_outside == 1 ? "" : "s");
  p->seeds = seeds->cases;
  p->n_seeds = seeds->n;
  p->jobs = (unsigned)o->jobs;
  p->allowed = o->allowed;
  p->memory_bytes = o->memory_bytes ? o->memory_bytes : DEFAULT_MEMORY_BYTES;
  p->backend = o->backend;
  p->flavor = o->flavor;
  p->device_ns = o->device_ns ? o->device_ns : ARBITRARY_DEVICE_NS;
  p->rtol = o->rtol;
  p->atol = o->atol;
  p->strict = o->strict;
  p->tells_warnings = o->strict || wf_check_info;
  p->stop_on_first = o->stop_on_first;
  p->out = o->out;
  p->program = o->program;
  return status == WF_EXIT_CLEAN ? choose_run(o, p, run) : status;
}

/* Rather than in each of the workers, which cannot say why. */
static int engine_has_room(void) {
  WfRunner *r;
  if (wf_runner_create(&r) == 0) {
    wf_runner_destroy(r);
    return WF_EXIT_CLEAN;
  }
  fputs("warpfuzz: " WF_NO_RUNNER "\n", stderr);
  return WF_EXIT_HARNESS;
}

int wf_cmd_fuzz(const WfOptions *o) {
  WfPlan p = {0};
  Seeds seeds = {0};
  WfRunLog run = {0};
  WfKnownList listed = {0};
  WfTarget *targets = NULL;
  WfLimits *limits = NULL;
  char err[1024];
  int status = WF_EXIT_CLEAN, rc = wf_select(o->operands, o->n_operands, o->published, &targets, &p.n_targets, err, sizeof err);
  if (rc != 0) {
    usage("", err);
    return rc == -1 ? WF_EXIT_HARNESS : WF_EXIT_USAGE;
  }
  p.targets = targets;
  if (p.n_targets == 0) {
    wf_say("warpfuzz: no variant to run");
    status = WF_EXIT_NOTHING;
  }
  if (status == WF_EXIT_CLEAN && o->dtype) status = keep_types(o, targets, &p.n_targets);
  if (status == WF_EXIT_CLEAN) status = wf_backend_check(o, &p.n_devices);
  if (status == WF_EXIT_CLEAN) status = wf_backend_keep_built(o, targets, &p.n_targets);
  if (status == WF_EXIT_CLEAN) status = make_limits(o, targets, &p.n_targets, &limits);
  p.limits = limits;
  if (status == WF_EXIT_CLEAN) status = load_known(o, &listed);
  p.listed = &listed;
  if (status == WF_EXIT_CLEAN) status = make_plan(o, &p, &seeds, &run);
  if (status == WF_EXIT_CLEAN) status = engine_has_room();
  if (status == WF_EXIT_CLEAN && wf_check_info) status = wf_check_probe(&p);
  if (status == WF_EXIT_CLEAN) status = run_plan(o, &p, &run);
  wf_run_log_free(&run);
  wf_known_free(&listed);
  seeds_free(&seeds);
  free(limits);
  free(targets);
  return status;
}
