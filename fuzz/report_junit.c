/* report_junit.c - a report as JUnit XML, as Jenkins, GitLab and others read it: a suite an op, a test case a variant, a failure for each finding that
 * counts. */
#include "class_text.h"
#include "number.h"
#include "report.h"
#include "textbuf.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What XML 1.0 cannot hold becomes '?'. In attributes blanks other than ' ' would be lost. */
static void add_escaped(WfText *t, const char *s, int in_attribute) {
  for (size_t left = s ? strlen(s) : 0; left;) {
    size_t n = wf_utf8_len(s, left);
    unsigned char c = (unsigned char)*s;
    int is_none = n == 3 && c == 0xef && (unsigned char)s[1] == 0xbf && ((unsigned char)s[2] & 0xfe) == 0xbe; /* U+FFFE, U+FFFF */
    if (n == 0 || is_none || (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) wf_text_put(t, "?", 1);
    else if (c == '&' || c == '<' || c == '>' || (in_attribute && (c == '"' || c < ' '))) wf_text_add(t, "&#%u;", c);
    else wf_text_put(t, s, n);
    s += n ? n : 1;
    left -= n ? n : 1;
  }
}

static void add_xml(WfText *t, const char *s) { add_escaped(t, s, 0); }

static void add_attribute(WfText *t, const char *name, const char *value) {
  wf_text_add(t, " %s=\"", name);
  add_escaped(t, value, 1);
  wf_text_put(t, "\"", 1);
}

/* ---- findings ---- */

static void add_side(WfText *t, const char *heading, const WfReportSide *s) {
  if (!s->function) return;
  wf_text_add(t, "%s", heading);
  add_xml(t, s->access ? s->access : "here");
  if (s->has_thread) wf_text_add(t, " by thread (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", s->thread[0], s->thread[1], s->thread[2]);
  if (s->has_block) wf_text_add(t, " of block (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", s->block[0], s->block[1], s->block[2]);
  wf_text_put(t, "\n  ", 3);
  add_xml(t, s->file ? s->file : "?");
  wf_text_add(t, ":%" PRId64 ":%" PRId64 " in ", s->line, s->column);
  add_xml(t, s->function);
  wf_text_put(t, "\n", 1);
  for (size_t i = 0; i < s->n_frames; i++) {
    wf_text_put(t, "    called from ", 16);
    add_xml(t, s->frames[i].function);
    wf_text_put(t, " at ", 4);
    add_xml(t, s->frames[i].file);
    wf_text_add(t, ":%" PRId64 ":%" PRId64 "\n", s->frames[i].line, s->frames[i].column);
  }
  if (!s->launch) return;
  wf_text_put(t, "    in ", 7);
  add_xml(t, s->launch);
  wf_text_put(t, "\n", 1);
}

static void add_line(WfText *t, const char *name, const char *value) {
  if (!value) return;
  wf_text_add(t, "%s: ", name);
  add_xml(t, value);
  wf_text_put(t, "\n", 1);
}

static void add_values(WfText *t, const WfReportFinding *f) {
  char a[WF_NUMBER_SIZE], b[WF_NUMBER_SIZE], c[WF_NUMBER_SIZE];
  if (!f->has_value) return;
  wf_text_add(t, "element %" PRId64 ": got %s, expected %s, bound %s; %" PRId64 " of %" PRId64 " elements\n", f->index,
              wf_number_print_double(a, f->got), wf_number_print_double(b, f->expected), wf_number_print_double(c, f->bound), f->n_bad, f->n_elems);
}

static void add_details(WfText *t, const WfReportFinding *f) {
  add_line(t, "message", f->message);
  add_side(t, "", &f->here);
  add_side(t, f->here.function ? "other side: " : "", &f->other);
  add_side(t, "last ", &f->writer);
  add_line(t, "object", f->object);
  add_values(t, f);
  add_line(t, "rule", f->rule);
  add_line(t, "reason", f->reason);
  add_line(t, "outside the contract", f->outside);
  add_line(t, "first seen", f->first_seen);
  add_line(t, "id", f->id);
  add_line(t, "replay", f->replay);
  add_line(t, "case", f->case_path);
  if (f->case_text) add_xml(t, f->case_text);
}

static const char *severity_name(SimtSeverity s) { return s == SIMT_ERROR ? "error" : s == SIMT_WARNING ? "warning" : "meant"; }

static void add_title(WfText *t, const WfReportFinding *f) {
  add_escaped(t, (f->is_between_operations ? wf_class_text_of_operations() : wf_class_text(f->cls))->title, 1);
  if (f->message) {
    wf_text_put(t, ": ", 2);
    add_escaped(t, f->message, 1);
  }
}

static void add_failure(WfText *t, const WfReportFinding *f) {
  wf_text_put(t, "      <failure", 14);
  add_attribute(t, "type", f->class_name);
  wf_text_add(t, " message=\"");
  add_title(t, f);
  wf_text_add(t, "\">");
  add_details(t, f);
  wf_text_add(t, "</failure>\n");
}

/* What is no failure: warnings, known findings, those that are gone ... */
static void add_note(WfText *t, const WfReportFinding *f) {
  wf_text_add(t, "%s, %s, ", severity_name(f->severity), wf_report_state_name(f->state));
  add_xml(t, f->class_name);
  wf_text_put(t, ": ", 2);
  add_title(t, f);
  wf_text_put(t, "\n", 1);
  add_details(t, f);
  wf_text_put(t, "\n", 1);
}

static int is_of(const WfReportFinding *f, const WfReportVariant *v) {
  const char *op = f->op ? f->op : f->program ? f->program : "?";
  const char *name = f->op && f->variant ? f->variant : f->kernel ? f->kernel : "host code";
  return strcmp(op, v->op) == 0 && strcmp(name, v->variant) == 0;
}

/* ---- suites ---- */

static void add_case(WfText *t, const WfReport *r, const WfReportVariant *v) {
  size_t notes = 0;
  wf_text_put(t, "    <testcase", 13);
  add_attribute(t, "name", v->variant);
  add_attribute(t, "classname", v->op);
  if (v->seconds > 0) wf_text_add(t, " time=\"%.3f\"", v->seconds);
  wf_text_put(t, ">\n", 2);
  if (v->verdict == WF_VERDICT_NOT_RUN) wf_text_add(t, "      <skipped message=\"not run in the latest run\"/>\n");
  if (v->n_failures) wf_text_add(t, "      <error type=\"harness\" message=\"the harness failed at %zu case%s\"/>\n", v->n_failures, v->n_failures == 1 ? "" : "s");
  for (size_t i = 0; i < r->n_findings; i++) {
    if (!is_of(&r->findings[i], v)) continue;
    if (r->findings[i].counts) add_failure(t, &r->findings[i]);
    else notes++;
  }
  if (notes || v->has_counts) {
    wf_text_add(t, "      <system-out>");
    if (v->has_counts) wf_text_add(t, "%" PRId64 " executions\n", v->executions);
    for (size_t i = 0; i < r->n_findings; i++)
      if (is_of(&r->findings[i], v) && !r->findings[i].counts) add_note(t, &r->findings[i]);
    wf_text_add(t, "</system-out>\n");
  }
  wf_text_add(t, "    </testcase>\n");
}

static void add_property(WfText *t, const char *name, const char *value) {
  if (!value) return;
  wf_text_put(t, "      <property", 15);
  add_attribute(t, "name", name);
  add_attribute(t, "value", value);
  wf_text_put(t, "/>\n", 3);
}

static void add_number(WfText *t, const char *name, uint64_t v) {
  char digits[32];
  snprintf(digits, sizeof digits, "%" PRIu64, v);
  add_property(t, name, digits);
}

static void add_properties(WfText *t, const WfReportRun *run) {
  if (!run) return;
  wf_text_add(t, "    <properties>\n");
  add_property(t, "run", run->id);
  if (run->has_seed) add_number(t, "seed", run->seed);
  if (run->jobs > 0) add_number(t, "jobs", (uint64_t)run->jobs);
  add_property(t, "backend", run->backend);
  add_property(t, "dtype", run->dtype);
  add_property(t, "build", run->build);
  for (size_t i = 0; i < run->n_arguments; i++) add_property(t, "argument", run->arguments[i]);
  add_property(t, "command", run->command);
  wf_text_add(t, "    </properties>\n");
}

typedef struct Totals {
  size_t tests, failures, errors, skipped;
  double seconds;
} Totals;

static void count(Totals *n, const WfReportVariant *v) {
  n->tests++;
  n->failures += v->n_counting > 0;
  n->errors += v->n_failures > 0;
  n->skipped += v->verdict == WF_VERDICT_NOT_RUN;
  n->seconds += v->seconds;
}

/* 2026-11-30T18:43:00Z without its zone, as ISO 8601 in these files has none. */
static void add_timestamp(WfText *t, const WfReportRun *run) {
  if (!run || !run->started) return;
  char text[20];
  snprintf(text, sizeof text, "%s", run->started);
  add_attribute(t, "timestamp", text);
}

/* The suite of variants[first], and of those behind it of the same op; the first one of the next. */
static size_t add_suite(WfText *t, const WfReport *r, size_t first) {
  const WfReportRun *run = wf_report_latest(r);
  Totals n = {0};
  size_t end = first;
  for (; end < r->n_variants && strcmp(r->variants[end].op, r->variants[first].op) == 0; end++) count(&n, &r->variants[end]);
  wf_text_put(t, "  <testsuite", 12);
  add_attribute(t, "name", r->variants[first].op);
  wf_text_add(t, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"", n.tests, n.failures, n.errors, n.skipped);
  if (n.seconds > 0) wf_text_add(t, " time=\"%.3f\"", n.seconds);
  add_timestamp(t, run);
  if (run && run->host) add_attribute(t, "hostname", run->host);
  wf_text_put(t, ">\n", 2);
  add_properties(t, run);
  for (size_t i = first; i < end; i++) add_case(t, r, &r->variants[i]);
  wf_text_add(t, "  </testsuite>\n");
  return end;
}

char *wf_report_junit(const WfReport *r) {
  const WfReportRun *run = wf_report_latest(r);
  WfText t = {0};
  Totals n = {0};
  for (size_t i = 0; i < r->n_variants; i++) count(&n, &r->variants[i]);
  wf_text_add(&t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"warpfuzz\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"", n.tests, n.failures, n.errors);
  if (run && run->elapsed_s > 0) wf_text_add(&t, " time=\"%.3f\"", run->elapsed_s);
  wf_text_put(&t, ">\n", 2);
  for (size_t i = 0; i < r->n_variants;) i = add_suite(&t, r, i);
  wf_text_add(&t, "</testsuites>\n");
  return wf_text_take(&t);
}
