/* program_report.c - findings of a whole program, as text and as a log. */
#define _GNU_SOURCE
#include "program_report.h"
#include "cli.h"
#include "finding.h"
#include "textbuf.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Decimal, or hexadecimal with 0x; nothing before or after the digits. */
static int parse_schedule(const char *text, uint64_t *out) {
  int hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  char *end;
  errno = 0;
  *out = strtoull(text, &end, hex ? 16 : 10);
  return *text < '0' || *text > '9' || errno || *end ? -1 : 0;
}

static const char *variable(const char *name) { /* NULL: it is not set, or empty */
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

/* malloc'ed, or NULL. */
static char *command_of(const WfProgramReport *r, char *const *argv) {
  WfText t = {0};
  if (r->schedule) wf_text_add(&t, "WARPFUZZ_SCHEDULE=0x%" PRIx64 " ", r->schedule);
  for (int i = 0; argv[i]; i++) {
    wf_text_add(&t, "%s", i ? " " : "");
    wf_text_add_quoted(&t, argv[i]);
  }
  return wf_text_take(&t);
}

int wf_program_report_init(WfProgramReport *r, char *const *argv, char *err, size_t err_size) {
  const char *schedule = variable("WARPFUZZ_SCHEDULE"), *strict = variable("WARPFUZZ_STRICT");
  *r = (WfProgramReport){.name = argv[0] ? argv[0] : "a program", .log = variable("WARPFUZZ_LOG")};
  r->strict = strict && strcmp(strict, "0") != 0;
  if (schedule && parse_schedule(schedule, &r->schedule)) {
    snprintf(err, err_size, "WARPFUZZ_SCHEDULE is to be a number of 64 bits, not '%.64s'", schedule);
    return -1;
  }
  r->command = command_of(r, argv);
  return 0;
}

static void append(WfProgramReport *r, const WfFinding *f) {
  char err[512] = "out of memory", *line = wf_finding_json(f, NULL);
  if ((!line || wf_file_append(r->log, line, err, sizeof err)) && !r->log_failed++) wf_say("warpfuzz: WARPFUZZ_LOG: %s", err);
  free(line);
}

void wf_program_report_found(void *ctx, const SimtFinding *found) {
  WfProgramReport *r = ctx;
  const WfFinding f = {.simt = *found, .whole = r->name, .command = r->command};
  char *text = found->severity == SIMT_MEANT ? wf_finding_meant(&f) : wf_finding_text(&f, NULL);
  fflush(stdout); /* what the program has printed came first */
  if (text) fprintf(stderr, "%s\n", text);
  else wf_say("warpfuzz: out of memory: a finding cannot be shown");
  fflush(stderr);
  free(text);
  if (r->log) append(r, &f);
}

void wf_program_report_unsupported(void *ctx, const char *function, const SimtSite *site) {
  WfProgramReport *r = ctx;
  for (unsigned i = 0; i < r->n_missed; i++)
    if (strcmp(r->missed[i], function) == 0) return;
  if (r->n_missed < WF_REPORT_FUNCTIONS) r->missed[r->n_missed++] = function;
  if (site && site->file) wf_say("warpfuzz: %s:%u: %s is not supported by the engine", site->file, (unsigned)site->line, function);
  else wf_say("warpfuzz: %s is not supported by the engine", function);
}

static void add_count(WfText *t, const char *before, uint64_t n, const char *what) {
  wf_text_add(t, "%s%" PRIu64 " %s%s", before, n, what, n == 1 ? "" : what[strlen(what) - 1] == 'h' ? "es" : "s");
}

static void print_summary(const WfProgramReport *r, const SimtProgramTotals *n) {
  WfText t = {0};
  wf_text_add(&t, "SUMMARY: warpfuzz: ");
  if (!n->errors && !n->warnings) wf_text_add(&t, "no findings");
  if (n->errors) add_count(&t, "", n->errors, "error");
  if (n->warnings) add_count(&t, n->errors ? ", " : "", n->warnings, "warning");
  wf_text_add(&t, " in %s: ", r->name);
  add_count(&t, "", n->launches, "launch");
  if (r->schedule) wf_text_add(&t, ", schedule 0x%" PRIx64, r->schedule);
  if (n->unjudged) add_count(&t, "; not judged for values that nobody wrote: ", n->unjudged, "launch");
  if (n->abandoned) wf_text_add(&t, "; part of a launch was left out: no verdict on it");
  char *line = wf_text_take(&t);
  wf_say("%s", line ? line : "SUMMARY: warpfuzz: out of memory");
  free(line);
}

int wf_program_report_end(WfProgramReport *r, const SimtProgramTotals *n, int status) {
  fflush(stdout);
  if (n->launches || n->errors || n->warnings) print_summary(r, n);
  free(r->command);
  r->command = NULL;
  if (r->log_failed) return WF_EXIT_HARNESS;
  return n->errors || (r->strict && n->warnings) ? WF_EXIT_FINDINGS : status;
}
