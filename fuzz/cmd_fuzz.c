/* cmd_fuzz.c - warpfuzz fuzz: plans a campaign, runs it, reports it. */
#define _DEFAULT_SOURCE
#include "campaign_report.h"
#include "check_info.h"
#include "cli.h"
#include "resume.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define DEFAULT_TIME_NS UINT64_C(60000000000)

/* Of a time limit, one part in so many is for shrinking one finding: a tensor of 2^31 elements takes its time, and there may be dozens
 * of findings. */
enum { ARBITRARY_SHRINK_PART = 100 };
/* A case of a campaign takes milliseconds on a device; one that hangs costs this whenever it is run. */
#define ARBITRARY_DEVICE_NS UINT64_C(2000000000)

typedef struct Seeds {
  WfCase *cases;
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
    WfCase *more = realloc(s->cases, max * sizeof *more);
    if (!more) return -1;
    s->cases = more;
    s->max = max;
  }
  s->cases[s->n++] = *c;
  return 0;
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
  if (wf_case_files_add(&files, dir, err, sizeof err) != 0) {
    wf_say("warpfuzz: %s", err);
    status = WF_EXIT_USAGE;
  }
  for (size_t i = 0; i < files.n && status == WF_EXIT_CLEAN; i++) {
    WfCase c;
    if (!strict && is_harness_case(files.path[i])) continue;
    if (wf_case_load(&c, files.path[i], err, sizeof err) != 0) {
      wf_say("%s%s", err, strict ? "" : " (left out)");
      if (strict) status = WF_EXIT_USAGE;
    } else if (!is_within(p, &c)) {
      s->n_outside++;
    } else if (seeds_push(s, &c) != 0) {
      wf_say("warpfuzz: out of memory");
      status = WF_EXIT_HARNESS;
    }
  }
  wf_case_files_free(&files);
  return status;
}

static int choose_seed(const WfOptions *o, uint64_t *out) {
  *out = o->seed;
  if (o->has_seed) return WF_EXIT_CLEAN;
  if (getrandom(out, sizeof *out, 0) == (ssize_t)sizeof *out) return WF_EXIT_CLEAN;
  wf_say("warpfuzz: the system gives no random seed; use --seed");
  return WF_EXIT_HARNESS;
}

static int verdict_status(const WfOptions *o, const WfRow *rows, size_t n) {
  int found = 0, unexpected = 0;
  for (size_t i = 0; i < n; i++) {
    found |= wf_row_errors(&rows[i]) || (o->strict && wf_row_warnings(&rows[i]));
    unexpected |= !wf_row_as_expected(&rows[i], o->strict);
  }
  return (o->expected ? unexpected : found) ? WF_EXIT_FINDINGS : WF_EXIT_CLEAN;
}

/* What goes to stdout depends on seed and executions alone; times go to stderr. */
static int report(const WfOptions *o, const WfCollector *c, const WfCampaignResult *r) {
  const WfPlan *p = c->plan;
  if (wf_campaign_print(stdout, o, c, r) != 0) return WF_EXIT_HARNESS;
  fflush(stdout);
  double seconds = (double)r->elapsed_ns / 1e9;
  uint64_t n = r->executions + r->shrink_executions;
  wf_say("warpfuzz: %.1f s, %.0f executions/s%s", seconds, seconds > 0 ? (double)n / seconds : 0.0,
         r->interrupted ? ", interrupted" : "");
  if (r->shrunk)
    wf_say("warpfuzz: %" PRIu64 " finding%s shrunk in %" PRIu64 " further executions", r->shrunk, r->shrunk == 1 ? "" : "s",
           r->shrink_executions);
  if (r->shrunk_in_part)
    wf_say("warpfuzz: %" PRIu64 " not to the end: 'shrink' goes on with the case of such a finding", r->shrunk_in_part);
  if (c->failures)
    wf_say("warpfuzz: %u failure%s of the harness, see above", c->failures, c->failures == 1 ? "" : "s");
  if (wf_check_info && wf_campaign_save(o, c, r) != 0) return WF_EXIT_HARNESS;
  return c->failures || r->broken ? WF_EXIT_HARNESS : verdict_status(o, r->rows, p->n_targets);
}

static void print_start(const WfPlan *p) {
  if (wf_check_info) fprintf(stderr, "warpfuzz: what is assumed of the kernel\n%s", wf_check_info->contract);
  fprintf(stderr, "warpfuzz: seed %" PRIu64 ", %zu variant%s, %zu cases to start from", p->seed, p->n_targets,
          p->n_targets == 1 ? "" : "s", p->n_seeds);
  if (p->n_known) fprintf(stderr, ", %zu finding%s known", p->n_known, p->n_known == 1 ? "" : "s");
  fputc('\n', stderr);
}

static int run_plan(const WfOptions *o, WfPlan *p) {
  WfCollector c;
  WfCampaignResult r = {0};
  char err[WF_CASE_ERROR_MAX];
  uint64_t *known = NULL;
  int status = WF_EXIT_HARNESS, rc = wf_collector_init(&c, p, stdout, stderr, err, sizeof err);
  if (rc == 0 && o->resume) rc = wf_collect_resume(&c, &known, &p->n_known, err, sizeof err);
  p->known = known;
  if (rc != 0) {
    status = usage("", err);
  } else {
    print_start(p);
    uint64_t time_ns = o->time_ns || o->runs ? o->time_ns : DEFAULT_TIME_NS;
    p->deadline_ns = time_ns ? wf_clock_ns() + time_ns : 0;
    p->shrink_ns = time_ns / ARBITRARY_SHRINK_PART;
    int ran = wf_campaign_run(&c, &r) == 0, saved = wf_collect_finish(&c, err, sizeof err) == 0;
    if (ran) status = report(o, &c, &r);
    if (!saved) {
      wf_say("warpfuzz: %s", err);
      status = WF_EXIT_HARNESS;
    }
  }
  free(known);
  free(r.rows);
  wf_collector_free(&c);
  return status;
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

/* Everything but the targets and limits. */
static int make_plan(const WfOptions *o, WfPlan *p, Seeds *seeds) {
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
  p->runs = o->runs;
  p->jobs = (unsigned)o->jobs;
  p->allowed = o->allowed;
  p->backend = o->backend;
  p->flavor = o->flavor;
  p->device_ns = o->device_ns ? o->device_ns : ARBITRARY_DEVICE_NS;
  p->rtol = o->rtol;
  p->atol = o->atol;
  p->strict = o->strict;
  p->stop_on_first = o->stop_on_first;
  p->out = o->out;
  p->program = o->program;
  return status;
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
  if (status == WF_EXIT_CLEAN) status = wf_backend_check(o, &p.n_devices);
  if (status == WF_EXIT_CLEAN) status = wf_backend_keep_built(o, targets, &p.n_targets);
  if (status == WF_EXIT_CLEAN) status = make_limits(o, targets, &p.n_targets, &limits);
  p.limits = limits;
  if (status == WF_EXIT_CLEAN) status = make_plan(o, &p, &seeds);
  if (status == WF_EXIT_CLEAN) status = engine_has_room();
  if (status == WF_EXIT_CLEAN) status = run_plan(o, &p);
  free(seeds.cases);
  free(limits);
  free(targets);
  return status;
}
