/* report_html.c - a report as one page, whole in itself: no other file, no request. Here: its frame, the verdict, the variants. */
#include "report_html.h"
#include "class_text.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OPEN_FINDINGS = 8 }; /* unfolded from the start, of those that count */

/* ---- text ---- */

void wf_html_add_n(WfText *t, const char *s, size_t left) {
  while (left) {
    size_t n = wf_utf8_len(s, left);
    unsigned char c = (unsigned char)*s;
    unsigned char d = n > 1 ? (unsigned char)s[1] : 0, e = n > 2 ? (unsigned char)s[2] : 0;
    int c1 = n == 2 && c == 0xc2 && d < 0xa0; /* U+0080..9F: control characters as well */
    int turns = n == 3 && c == 0xe2 && ((d == 0x80 && e >= 0xaa && e <= 0xae) || (d == 0x81 && e >= 0xa6 && e <= 0xa9)); /* the order of letters */
    if (n == 0 || c1 || turns || (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) wf_text_put(t, "?", 1);
    else if (strchr("&<>\"'", c)) wf_text_add(t, "&#%u;", c);
    else wf_text_put(t, s, n);
    s += n ? n : 1;
    left -= n ? n : 1;
  }
}

void wf_html_add(WfText *t, const char *s) {
  if (s) wf_html_add_n(t, s, strlen(s));
}

void wf_html_count(WfText *t, int64_t n) {
  char digits[24];
  int len = snprintf(digits, sizeof digits, "%" PRId64, n);
  for (int i = 0; i < len; i++) {
    wf_text_put(t, &digits[i], 1);
    int behind = len - 1 - i;
    if (behind && behind % 3 == 0 && digits[i] != '-') wf_text_put(t, ",", 1);
  }
}

void wf_html_seconds(WfText *t, double s) {
  if (s >= 3600) wf_text_add(t, "%.0f h %.0f min", floor(s / 3600), floor(fmod(s, 3600) / 60));
  else if (s >= 60) wf_text_add(t, "%.0f min %.0f s", floor(s / 60), floor(fmod(s, 60)));
  else wf_text_add(t, "%.0f s", s);
}

void wf_html_svg(WfText *t, int width, int height, const char *label) {
  wf_text_add(t, "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\"><title>", width, height, width, height);
  wf_html_add(t, label);
  wf_text_add(t, "</title>");
}

void wf_html_power(WfText *t, int64_t bin) {
  static const char *const units[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  if (bin < 0) wf_text_add(t, "0");
  else wf_text_add(t, "%d%s", 1 << bin % 10, units[bin / 10 % 7]);
}

static const char *plural(size_t n, const char *one, const char *many) { return n == 1 ? one : many; }

/* ---- the verdict ---- */

static void add_headline(WfText *t, const WfReport *r) {
  size_t fresh = r->by_state[WF_STATE_NEW], count = r->n_counting;
  const char *kind = count > 0 ? "bad" : r->n_failures || r->n_warnings ? "warn" : "";
  wf_text_add(t, "<section class=\"verdict %s\"><h1>", kind);
  if (fresh) wf_text_add(t, "%zu new finding%s", fresh, plural(fresh, "", "s"));
  if (count && !fresh) wf_text_add(t, "%zu finding%s", count, plural(count, "", "s"));
  if (count && fresh && count > fresh) wf_text_add(t, ", %zu in all that count", count);
  if (!count && !fresh) wf_text_add(t, "%s", r->n_warnings ? "No errors, but warnings" : "No findings that count");
  if (r->n_failures) wf_text_add(t, ", and %zu failure%s of the harness", r->n_failures, plural(r->n_failures, "", "s"));
  wf_text_add(t, "</h1><p>");
  if (!r->n_expected) return;
  wf_text_add(t, "Of the %zu that count, <b>%zu %s not expected</b>, %zu %s in variants that are faulty on purpose. ", count, count - r->n_expected,
              plural(count - r->n_expected, "is", "are"), r->n_expected, plural(r->n_expected, "is", "are"));
}

static void add_did(WfText *t, const WfReport *r) {
  const WfReportRun *run = wf_report_latest(r);
  size_t not_run = 0;
  for (size_t i = 0; i < r->n_variants; i++) not_run += r->variants[i].verdict == WF_VERDICT_NOT_RUN;
  size_t n = r->n_variants - not_run;
  wf_text_add(t, "%zu %s%s", n, r->is_log ? "kernel" : "variant", plural(n, "", "s"));
  if (run) {
    wf_text_add(t, ", ");
    wf_html_count(t, run->executions);
    wf_text_add(t, " executions");
    if (run->elapsed_s > 0) {
      wf_text_add(t, " in ");
      wf_html_seconds(t, run->elapsed_s);
    }
    if (run->jobs > 0) wf_text_add(t, " with %" PRId64 " job%s", run->jobs, run->jobs == 1 ? "" : "s");
    if (!run->ended) wf_text_add(t, "; the run did not end by itself");
    if (run->interrupted) wf_text_add(t, "; it was interrupted");
    if (run->deaths > 0) wf_text_add(t, "; %" PRId64 " worker%s died and %s started again", run->deaths, run->deaths == 1 ? "" : "s", run->deaths == 1 ? "was" : "were");
  } else if (!r->is_log) {
    wf_text_add(t, " with findings; this directory does not say what else was run");
  }
  wf_text_add(t, ".</p></section>\n");
}

static void add_tile(WfText *t, size_t n, const char *what, int loud) {
  wf_text_add(t, "<div class=\"tile%s\"><b>%zu</b><span>%s</span></div>", loud && n ? " on" : "", n, what);
}

static void add_tiles(WfText *t, const WfReport *r) {
  int has_states = r->by_state[WF_STATE_FOUND] == 0;
  wf_text_add(t, "<div class=\"tiles\">");
  if (has_states) {
    add_tile(t, r->by_state[WF_STATE_NEW], "new", 1);
    add_tile(t, r->by_state[WF_STATE_OPEN], "open: seen before and again", 1);
    add_tile(t, r->by_state[WF_STATE_KNOWN], "known, with a reason", 0);
    add_tile(t, r->by_state[WF_STATE_GONE], "gone: replayed, clean now", 0);
    add_tile(t, r->by_state[WF_STATE_MISSED], "not seen again", 0);
  } else {
    add_tile(t, r->n_errors, "errors", 1);
    add_tile(t, r->n_warnings, "warnings", 0);
  }
  if (r->n_outside) add_tile(t, r->n_outside, "outside the contracts", 0);
  if (r->n_meant) add_tile(t, r->n_meant, "races that are meant", 0);
  wf_text_add(t, "</div>\n");
}

static void add_fact(WfText *t, const char *name, const char *value) {
  if (!value || !*value) return;
  wf_text_add(t, "<div><dt>%s</dt><dd>", name);
  wf_html_add(t, value);
  wf_text_add(t, "</dd></div>");
}

static void add_run(WfText *t, const WfReport *r) {
  const WfReportRun *run = wf_report_latest(r);
  char text[64];
  wf_text_add(t, "<dl class=\"facts\">");
  add_fact(t, !r->is_log ? "Output" : strstr(r->dir, ", ") ? "Logs" : "Log", r->dir);
  if (run) {
    add_fact(t, "Run", run->id);
    add_fact(t, "Started", run->started);
    add_fact(t, "Ended", run->ended);
    snprintf(text, sizeof text, "%" PRIu64, run->seed);
    if (run->has_seed) add_fact(t, "Seed", text);
    add_fact(t, "Backend", run->backend);
    add_fact(t, "Element type", run->dtype);
    add_fact(t, "Build", run->build);
    add_fact(t, "Host", run->host);
    wf_text_add(t, "%s", run->n_arguments ? "<div class=\"all\"><dt>Arguments</dt><dd><code>" : "");
    for (size_t i = 0; i < run->n_arguments; i++) {
      wf_text_add(t, "%s", i ? " " : "");
      wf_html_add(t, run->arguments[i]);
    }
    wf_text_add(t, "%s", run->n_arguments ? "</code></dd></div>" : "");
    if (r->n_runs > 1) wf_text_add(t, "<div><dt>Earlier runs</dt><dd>%zu</dd></div>", r->n_runs - 1);
  }
  if (r->n_bad_lines) wf_text_add(t, "<div><dt>Left out</dt><dd>%zu line%s that cannot be read</dd></div>", r->n_bad_lines, plural(r->n_bad_lines, "", "s"));
  wf_text_add(t, "</dl>\n");
}

/* ---- variants ---- */

static const char *verdict_class(WfReportVerdict v) {
  switch (v) {
  case WF_VERDICT_CLEAN:
    return "clean";
  case WF_VERDICT_WARNING:
    return "warning";
  case WF_VERDICT_ERROR:
    return "error";
  case WF_VERDICT_KNOWN:
    return "known";
  case WF_VERDICT_CAUGHT:
    return "caught";
  case WF_VERDICT_NOT_RUN:
    break;
  }
  return "";
}

void wf_html_verdict(WfText *t, WfReportVerdict v) { wf_text_add(t, "<span class=\"pill %s\">%s</span>", verdict_class(v), wf_report_verdict_name(v)); }

int wf_html_is_loud(const WfReportVariant *v) { return v->verdict == WF_VERDICT_ERROR || v->verdict == WF_VERDICT_WARNING; }

WfHtmlOp wf_html_op(const WfReport *r, size_t first) {
  WfHtmlOp op = {.end = first};
  for (; op.end < r->n_variants && strcmp(r->variants[op.end].op, r->variants[first].op) == 0; op.end++) {
    op.by[r->variants[op.end].verdict]++;
    op.is_loud |= wf_html_is_loud(&r->variants[op.end]);
  }
  return op;
}

static int is_of(const WfReportFinding *f, const WfReportVariant *v) {
  const char *op = f->op ? f->op : f->program ? f->program : "?";
  const char *name = f->op && f->variant ? f->variant : f->kernel ? f->kernel : "host code";
  return strcmp(op, v->op) == 0 && strcmp(name, v->variant) == 0;
}

/* Links to its findings, each class once. */
static void add_links(WfText *t, const WfReport *r, const WfReportVariant *v) {
  static const char *const states[WF_STATE_COUNT] = {[WF_STATE_FOUND] = "", [WF_STATE_NEW] = " (new)", [WF_STATE_OPEN] = "", [WF_STATE_KNOWN] = " (known)",
                                                     [WF_STATE_MISSED] = " (not seen again)", [WF_STATE_GONE] = " (gone)"};
  uint64_t seen = 0;
  for (size_t i = 0; i < r->n_findings; i++) {
    const WfReportFinding *f = &r->findings[i];
    if (!is_of(f, v) || seen >> f->cls & 1) continue;
    wf_text_add(t, "%s<a href=\"#", seen ? ", " : "");
    wf_html_anchor(t, r, f);
    wf_text_add(t, "\">");
    wf_html_add(t, f->class_name);
    wf_text_add(t, "</a>%s", f->severity == SIMT_MEANT ? " (meant)" : f->outside ? " (outside)" : states[f->state]);
    seen |= UINT64_C(1) << f->cls;
  }
}

static void add_row(WfText *t, const WfReport *r, const WfReportVariant *v) {
  wf_text_add(t, "<tr><td><code>");
  wf_html_add(t, v->variant);
  wf_text_add(t, "</code></td><td>");
  wf_html_verdict(t, v->verdict);
  wf_text_add(t, "</td><td>");
  add_links(t, r, v);
  if (v->n_failures) wf_text_add(t, " the harness failed at %zu case%s (harness-*.case)", v->n_failures, plural(v->n_failures, "", "s"));
  wf_text_add(t, "</td><td class=\"num\" data-l=\"executions\">");
  if (v->has_counts) wf_html_count(t, v->executions);
  wf_text_add(t, "</td></tr>\n");
}

/* What was assumed of a user's kernel: a finding is one only as far as callers keep to it. */
static void add_contract(WfText *t, const WfReportRun *run) {
  if (!run || !run->n_contract) return;
  wf_text_add(t, "<div class=\"contract\"><h4>Contract: what callers were assumed to keep to</h4><dl>");
  for (size_t i = 0; i < run->n_contract; i++) {
    wf_text_add(t, "<dt>");
    wf_html_add(t, run->contract[i].name);
    wf_text_add(t, "</dt><dd><code>");
    wf_html_add(t, run->contract[i].value);
    wf_text_add(t, "</code></dd>");
  }
  wf_text_add(t, "</dl>");
  if (run->command) {
    wf_text_add(t, "<pre class=\"case\">");
    wf_html_add(t, run->command);
    wf_text_add(t, "</pre>");
  }
  wf_text_add(t, "</div>\n");
}

/* variants[first] and those behind it of the same op, the loud ones first; the first one of the next. Nothing is added of an op of the other kind: `loud` ones have a
 * loud variant. */
static size_t add_op(WfText *t, const WfReport *r, size_t first, int loud) {
  const WfHtmlOp op = wf_html_op(r, first);
  int open = op.is_loud || r->n_variants <= WF_HTML_FEW;
  if (loud != op.is_loud) return op.end;
  wf_text_add(t, "<details class=\"op\"%s><summary>", open ? " open" : "");
  wf_html_add(t, r->variants[first].op);
  wf_text_add(t, "<span class=\"soft small\">");
  const char *lead = "";
  for (int v = WF_VERDICT_CAUGHT; v >= 0; v--) {
    if (!op.by[v]) continue;
    wf_text_add(t, "%s%zu %s", lead, op.by[v], wf_report_verdict_name((WfReportVerdict)v));
    lead = ", ";
  }
  wf_text_add(t, "</span></summary><table><thead><tr><th>%s</th><th>verdict</th><th>findings</th><th class=\"num\">executions</th></tr></thead><tbody>\n",
              r->is_log ? "kernel" : "variant");
  for (int quiet = 0; quiet < 2; quiet++)
    for (size_t i = first; i < op.end; i++)
      if (wf_html_is_loud(&r->variants[i]) != quiet) add_row(t, r, &r->variants[i]);
  wf_text_add(t, "</tbody></table></details>\n");
  return op.end;
}

static void add_variants(WfText *t, const WfReport *r) {
  size_t faulty = 0;
  if (!r->n_variants) return;
  for (size_t i = 0; i < r->n_variants; i++) faulty += r->variants[i].fault != NULL;
  wf_text_add(t, "<h2 id=\"variants\">%s</h2>\n", r->is_log ? "Programs and kernels" : "Ops and variants");
  if (faulty) wf_text_add(t, "<p class=\"soft small\">Caught: the variant is faulty on purpose, and its fault was found.</p>\n");
  wf_text_add(t, "<div class=\"card\">\n");
  add_contract(t, wf_report_latest(r));
  for (int loud = 1; loud >= 0; loud--)
    for (size_t i = 0; i < r->n_variants;) i = add_op(t, r, i, loud);
  wf_text_add(t, "</div>\n");
}

/* ---- findings ---- */

static void add_findings(WfText *t, const WfReport *r) {
  if (!r->n_findings) return;
  wf_text_add(t, "<h2 id=\"findings\">Findings</h2>\n<div class=\"tools\"><input type=\"search\" id=\"filter\" aria-label=\"Filter findings\" "
                 "placeholder=\"Filter: race softmax new\"><span class=\"soft small\" id=\"shown\"></span><button id=\"unfold\">unfold all</button>"
                 "<button id=\"fold\">fold all</button></div>\n");
  size_t opened = 0;
  for (size_t i = 0; i < r->n_findings; i++) {
    const WfReportFinding *f = &r->findings[i];
    int is_loud_one = f->counts && !f->is_expected, is_first_expected = i && f->counts && f->is_expected && r->findings[i - 1].counts && !r->findings[i - 1].is_expected;
    if (is_first_expected) wf_text_add(t, "<h4>In variants that are faulty on purpose</h4>\n");
    int open = opened < OPEN_FINDINGS && (is_loud_one || (f->counts && r->n_expected == r->n_counting));
    opened += (size_t)open;
    wf_html_finding(t, r, f, open);
  }
}

/* ---- the page ---- */

char *wf_report_html(const WfReport *r, const char *version) {
  WfText t = {0};
  wf_text_add(&t, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
                  "img-src data:\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>warpfuzz: ");
  wf_html_add(&t, r->dir);
  wf_text_add(&t, "</title>\n<style>\n%s</style></head>\n<body><main>\n<div class=\"top\"><span><b>warpfuzz</b> report</span></div>\n", wf_html_style);
  add_headline(&t, r);
  add_did(&t, r);
  add_tiles(&t, r);
  add_run(&t, r);
  add_variants(&t, r);
  add_findings(&t, r);
  wf_html_tried(&t, r);
  wf_html_curves(&t, r);
  wf_html_cover(&t, r);
  wf_text_add(&t, "<footer>Made by warpfuzz ");
  wf_html_add(&t, version);
  wf_text_add(&t, ".</footer>\n</main>\n<script>\n%s</script>\n</body></html>\n", wf_html_script);
  return wf_text_take(&t);
}
