/* report_html_curves.c - how the latest run went on: executions, coverage and findings over time, memory by worker. */
#include "report_html.h"
#include <inttypes.h>
#include <math.h>

enum { WIDTH = 340, HEIGHT = 204, LEFT = 48, RIGHT = 14, TOP = 10, BOTTOM = 36 };

typedef double (*Value)(const WfReportPoint *p, int64_t which); /* NAN: none at this time */

static double value_executions(const WfReportPoint *p, int64_t which) { return (void)which, p->executions; }
static double value_rate(const WfReportPoint *p, int64_t which) { return (void)which, p->rate; }
static double value_features(const WfReportPoint *p, int64_t which) { return (void)which, p->features; }
static double value_corpus(const WfReportPoint *p, int64_t which) { return (void)which, p->corpus; }
static double value_findings(const WfReportPoint *p, int64_t which) { return which ? p->warnings : p->errors; }

static double value_rss(const WfReportPoint *p, int64_t which) {
  for (size_t i = 0; i < p->n_workers; i++)
    if (p->workers[i].index == which && p->workers[i].rss_mb > 0) return p->workers[i].rss_mb; /* 0: it has just ended */
  return NAN;
}

/* 1, 2 or 5 times a power of ten, not below v. */
static double round_up(double v) {
  double unit = pow(10, floor(log10(v > 0 ? v : 1)));
  for (int i = 0; i < 3; i++) {
    double step = unit * (i == 0 ? 1 : i == 1 ? 2 : 5);
    if (step >= v) return step;
  }
  return 10 * unit;
}

static void add_amount(WfText *t, double v) {
  if (v >= 1e9) wf_text_add(t, "%gG", v / 1e9);
  else if (v >= 1e6) wf_text_add(t, "%gM", v / 1e6);
  else if (v >= 1e4) wf_text_add(t, "%gk", v / 1e3);
  else wf_text_add(t, "%g", v);
}

/* Round times below the curves, the unit behind them. */
static void add_times(WfText *t, double most_t) {
  const char *unit = most_t >= 7200 ? "hours" : most_t >= 120 ? "minutes" : "seconds";
  double per = most_t >= 7200 ? 3600 : most_t >= 120 ? 60 : 1, step = round_up(most_t / per / 6);
  for (int i = 0; i * step * per <= most_t; i++) {
    double x = LEFT + (WIDTH - LEFT - RIGHT) * i * step * per / most_t;
    wf_text_add(t, "<path class=\"ax\" d=\"M%.1f %dv4\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>", x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 15, i * step);
  }
  wf_text_add(t, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s since the start</text>", WIDTH - RIGHT, HEIGHT - 3, unit);
}

static void add_axes(WfText *t, double most_t, double most) {
  for (int i = 0; i <= 2; i++) {
    int y = TOP + (HEIGHT - TOP - BOTTOM) * i / 2;
    wf_text_add(t, "<path class=\"ax\" d=\"M%d %dH%d\"/><text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT, y, WIDTH - RIGHT, LEFT - 5, y + 4);
    add_amount(t, most * (2 - i) / 2);
    wf_text_add(t, "</text>");
  }
  add_times(t, most_t);
}

/* One curve; a gap where there is no value. */
static void add_curve(WfText *t, const WfReport *r, Value value, int64_t which, double most_t, double most, int style) {
  static const char *const styles[] = {"stroke=\"var(--b)\"", "stroke=\"var(--a)\"", "stroke=\"#009e73\"", "stroke=\"#cc79a7\"",
                                       "stroke=\"var(--b)\" stroke-dasharray=\"5 3\"", "stroke=\"var(--a)\" stroke-dasharray=\"5 3\""};
  const char *step = "M";
  wf_text_add(t, "<path class=\"curve\" %s d=\"", styles[style % 6]);
  for (size_t i = 0; i < r->n_points; i++) {
    double v = value(&r->points[i], which);
    if (isnan(v)) {
      step = "M";
      continue;
    }
    wf_text_add(t, "%s%.1f %.1f", step, LEFT + (WIDTH - LEFT - RIGHT) * r->points[i].t_s / most_t, TOP + (HEIGHT - TOP - BOTTOM) * (1 - v / most));
    step = "L";
  }
  wf_text_add(t, "\"/>");
}

static void add_chart(WfText *t, const WfReport *r, const char *title, Value value, int64_t n_curves) {
  double most = 0, most_t = 1;
  for (size_t i = 0; i < r->n_points; i++) {
    most_t = fmax(most_t, r->points[i].t_s);
    for (int64_t k = 0; k < n_curves; k++) most = fmax(most, value(&r->points[i], k)); /* fmax() passes over NAN */
  }
  most = round_up(most);
  wf_text_add(t, "<figure class=\"chart\" style=\"margin:0\"><h3>%s</h3>", title);
  wf_html_svg(t, WIDTH, HEIGHT, title);
  add_axes(t, most_t, most);
  for (int64_t k = 0; k < n_curves; k++) add_curve(t, r, value, k, most_t, most, (int)k);
  wf_text_add(t, "</svg></figure>\n");
}

/* Is memory flat? Of each worker: at ten minutes, at the end, and the most since then, which a curve of hours shows too small. */
static void add_memory(WfText *t, const WfReport *r, int64_t workers) {
  enum { SETTLED_S = 600, MAX_TOLD = 8 };
  wf_text_add(t, "<p class=\"soft small\">");
  for (int64_t k = 0; k < workers && k < MAX_TOLD; k++) {
    double early = NAN, last = NAN, most = NAN;
    for (size_t i = 0; i < r->n_points; i++) {
      double v = value_rss(&r->points[i], k);
      if (isnan(v)) continue;
      last = v;
      if (r->points[i].t_s < SETTLED_S) continue;
      if (isnan(early)) early = v;
      most = fmax(most, v);
    }
    if (isnan(last)) continue;
    wf_text_add(t, "Worker %" PRId64 ": ", k);
    if (!isnan(early)) wf_text_add(t, "%.0f MiB after 10 minutes, ", early);
    wf_text_add(t, "%.0f MiB at the end", last);
    if (!isnan(most)) wf_text_add(t, ", %.0f at most in between", most);
    wf_text_add(t, ". ");
  }
  wf_text_add(t, "</p>\n");
}

void wf_html_curves(WfText *t, const WfReport *r) {
  int64_t workers = 0;
  if (r->n_points < 2) return;
  for (size_t i = 0; i < r->n_points; i++)
    for (size_t k = 0; k < r->points[i].n_workers; k++)
      if (r->points[i].workers[k].index >= workers && r->points[i].workers[k].index < 256) workers = r->points[i].workers[k].index + 1;
  wf_text_add(t, "<h2 id=\"course\">How the run went</h2>\n<div class=\"charts\">\n");
  add_chart(t, r, "Executions", value_executions, 1);
  add_chart(t, r, "Executions a second", value_rate, 1);
  add_chart(t, r, "Coverage (features)", value_features, 1);
  add_chart(t, r, "Cases in the corpus", value_corpus, 1);
  add_chart(t, r, "Findings: errors blue, warnings orange", value_findings, 2);
  if (workers) add_chart(t, r, "Memory by worker, MiB", value_rss, workers);
  wf_text_add(t, "</div>\n");
  if (workers) add_memory(t, r, workers);
}
