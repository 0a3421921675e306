/* report_html_cover.c - which lines of the kernels were reached. */
#include "report_html.h"
#include <inttypes.h>
#include <string.h>

enum { FEW = 8, AROUND = 3, MAX_WIDTH = 300 }; /* lines shown around those that were not reached */

static const WfReportLine *find(const WfReportCover *c, int64_t line) {
  size_t low = 0, high = c->n_lines;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (c->lines[mid].line < line) low = mid + 1;
    else high = mid;
  }
  return low < c->n_lines && c->lines[low].line == line ? &c->lines[low] : NULL;
}

static int is_missed(const WfReportCover *c, int64_t line) {
  const WfReportLine *l = find(c, line);
  return l && l->hits <= 0;
}

static int is_near(const WfReportCover *c, int64_t line) {
  for (int64_t i = line - AROUND; i <= line + AROUND; i++)
    if (is_missed(c, i)) return 1;
  return 0;
}

static void add_source(WfText *t, const WfReport *r, const WfReportCover *c) {
  WfReportSource source;
  int gap = 0;
  wf_report_source_read(r, c->file, &source);
  if (!source.text) wf_text_add(t, "<p class=\"path soft\">The source is not here.</p>");
  if (source.text) wf_text_add(t, "<pre class=\"code\">");
  for (int64_t i = 1; wf_report_source_line(&source, i); i++) {
    const char *line = wf_report_source_line(&source, i);
    size_t len = strlen(line);
    if (!is_near(c, i)) {
      gap = 1;
      continue;
    }
    if (gap) wf_text_add(t, "<span><i>&#8942;</i></span>");
    gap = 0;
    wf_text_add(t, "<span%s><i>%" PRId64 "%s</i>", is_missed(c, i) ? " class=\"miss\"" : "", i, is_missed(c, i) ? " &#215;" : "");
    wf_html_add_n(t, line, len > MAX_WIDTH ? MAX_WIDTH : len);
    wf_text_add(t, "</span>");
  }
  if (source.text) wf_text_add(t, "</pre>");
  wf_report_source_free(&source);
}

static void add_file(WfText *t, const WfReport *r, const WfReportCover *c) {
  double percent = c->n_lines ? 100.0 * (double)c->n_hit / (double)c->n_lines : 100;
  int missed = c->n_hit < c->n_lines;
  const char *tag = missed ? "details" : "div";
  wf_text_add(t, "<%s class=\"op\">%s<code>", tag, missed ? "<summary>" : "<div class=\"full\" style=\"display:flex;padding:9px 16px;gap:8px;align-items:center\">");
  wf_html_add(t, c->file);
  wf_text_add(t, "</code><span class=\"soft small num\" style=\"margin-left:auto;text-align:right\">%zu of %zu <span class=\"bar\"><i style=\"width:%.0f%%\"></i></span> %.0f%%</span>%s",
              c->n_hit, c->n_lines, percent, percent, missed ? "</summary>" : "</div>");
  if (missed) add_source(t, r, c);
  wf_text_add(t, "</%s>\n", tag);
}

static int is_whole(const WfReportCover *c) { return c->n_hit >= c->n_lines; }

void wf_html_cover(WfText *t, const WfReport *r) {
  size_t hit = 0, all = 0;
  if (!r->n_covers) return;
  for (size_t i = 0; i < r->n_covers; i++) {
    hit += r->covers[i].n_hit;
    all += r->covers[i].n_lines;
  }
  wf_text_add(t, "<h2 id=\"coverage\">Lines of the kernels that were reached</h2>\n<p class=\"soft small num\">%zu of %zu lines that hold code, over all runs. Lines that were "
                 "not reached are marked &#215;.</p>\n<div class=\"card\">\n", hit, all);
  size_t n_whole = 0;
  for (size_t i = 0; i < r->n_covers; i++) {
    n_whole += is_whole(&r->covers[i]);
    if (!is_whole(&r->covers[i])) add_file(t, r, &r->covers[i]);
  }
  if (n_whole) wf_text_add(t, "<details class=\"op\"%s><summary>%zu file%s of which every line was reached</summary>\n", n_whole <= FEW ? " open" : "", n_whole, n_whole == 1 ? "" : "s");
  for (size_t i = 0; i < r->n_covers; i++)
    if (is_whole(&r->covers[i])) add_file(t, r, &r->covers[i]);
  wf_text_add(t, "%s</div>\n", n_whole ? "</details>\n" : "");
}
