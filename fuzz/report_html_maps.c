/* report_html_maps.c - what was tried of each variant, and how far its results were off: small pictures, a row of them a variant, folded by op. */
#include "report_html.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { CELL = 13, LEFT = 46, BOTTOM = 34, TOP = 6 };

typedef struct Range {
  int64_t min, max;
} Range;

static void widen(Range *r, int64_t v) {
  if (v < r->min) r->min = v;
  if (v > r->max) r->max = v;
}

/* ---- tried ---- */

enum { SHADES = 4 };

/* 1 .. SHADES by the logarithm of the executions; 0: failing. */
static int shade_of(const int64_t *cell, double most) {
  if (cell[3] > 0) return 0;
  int shade = 1 + (int)(SHADES * log2((double)cell[2]) / log2(1 + most));
  return shade > SHADES ? SHADES : shade;
}

/* The cells of one shade as a single path, which keeps the page small. */
static void add_shade(WfText *t, const WfReportMap *m, int shade, const Range *x, const Range *y, double most) {
  size_t before = t->len;
  if (shade) wf_text_add(t, "<path class=\"ok\" fill-opacity=\"%.2f\" d=\"", 0.15 + 0.85 * shade / SHADES);
  else wf_text_add(t, "<path class=\"ca\" d=\"");
  size_t begin = t->len;
  for (size_t i = 0; i < m->n_cells; i++) {
    const int64_t *cell = m->cells[i];
    if (cell[2] > 0 && shade_of(cell, most) == shade)
      wf_text_add(t, "M%d %dh12v12h-12z", LEFT + (int)(cell[0] - x->min) * CELL, TOP + (int)(y->max - cell[1]) * CELL);
  }
  if (t->len == begin) t->len = before;
  else wf_text_add(t, "\"/>");
}

static void add_crosses(WfText *t, const WfReportMap *m, const Range *x, const Range *y) {
  const char *open = "<path class=\"cross\" d=\"";
  for (size_t i = 0; i < m->n_cells; i++) {
    if (m->cells[i][3] <= 0) continue;
    wf_text_add(t, "%sM%d %dl6 6m0-6l-6 6", open, LEFT + (int)(m->cells[i][0] - x->min) * CELL + 3, TOP + (int)(y->max - m->cells[i][1]) * CELL + 3);
    open = "";
  }
  if (!*open) wf_text_add(t, "\"/>");
}

static void add_x_labels(WfText *t, const Range *x, int y, int step, int cell) {
  for (int64_t b = x->min; b <= x->max; b++) {
    if ((b - x->min) % step) continue;
    wf_text_add(t, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", LEFT + (int)(b - x->min) * cell + cell / 2, y);
    wf_html_power(t, b);
    wf_text_add(t, "</text>");
  }
}

static void add_map(WfText *t, const WfReportMap *m) {
  Range x = {62, -1}, y = {62, -1};
  int64_t most = 1;
  for (size_t i = 0; i < m->n_cells; i++) {
    widen(&x, m->cells[i][0]);
    widen(&y, m->cells[i][1]);
    if (m->cells[i][2] > most) most = m->cells[i][2];
  }
  int columns = (int)(x.max - x.min) + 1, rows = (int)(y.max - y.min) + 1, width = LEFT + columns * CELL + 16;
  wf_text_add(t, "<figure><figcaption><code>");
  wf_html_add(t, m->y);
  wf_text_add(t, "</code> over <code>");
  wf_html_add(t, m->x);
  wf_text_add(t, "</code></figcaption>");
  wf_html_svg(t, width < 130 ? 130 : width, TOP + rows * CELL + BOTTOM - 14, "Which sizes were tried: clean ones blue, failing ones crossed");
  wf_text_add(t, "<rect class=\"ax\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>", LEFT - 1, TOP - 1, columns * CELL + 1, rows * CELL + 1);
  for (int shade = SHADES; shade >= 0; shade--) add_shade(t, m, shade, &x, &y, (double)most);
  add_crosses(t, m, &x, &y);
  add_x_labels(t, &x, TOP + rows * CELL + 13, columns > 4 ? 3 : 2, CELL);
  for (int64_t b = y.min; b <= y.max; b++) {
    if ((b - y.min) % 2) continue;
    wf_text_add(t, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT - 5, TOP + (int)(y.max - b) * CELL + CELL - 3);
    wf_html_power(t, b);
    wf_text_add(t, "</text>");
  }
  wf_text_add(t, "</svg></figure>\n");
}

/* ---- errors ---- */

enum { ULP_CELL = 16, PANEL = 62 };

/* Height of v within a panel that spans low .. high, both powers of ten. */
static double height_of(double v, int low, int high) {
  double l = v > 0 ? log10(v) : low;
  if (l < low) l = low;
  if (l > high) l = high;
  return PANEL * (l - low) / (high - low);
}

static void add_y_label(WfText *t, int y, int exponent) {
  if (exponent >= 0 && exponent <= 4) wf_text_add(t, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.0f</text>", LEFT - 5, y, pow(10, exponent));
  else wf_text_add(t, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">1e%d</text>", LEFT - 5, y, exponent);
}

static void add_frame(WfText *t, int top, int width, int low, int high) {
  wf_text_add(t, "<rect class=\"ax\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>", LEFT, top, width, PANEL);
  add_y_label(t, top + 8, high);
  add_y_label(t, top + PANEL, low);
}

/* One panel: points joined by a line; share: of the bound, else ULP. */
static void add_points(WfText *t, const WfReportVariant *v, const Range *x, int top, int low, int high, int share) {
  wf_text_add(t, "<polyline class=\"curve %s\" points=\"", share ? "la" : "lb");
  for (size_t i = 0; i < v->n_ulp; i++)
    wf_text_add(t, "%d,%.1f ", LEFT + (int)(v->ulp[i].size_bin - x->min) * ULP_CELL + ULP_CELL / 2,
                top + PANEL - height_of(share ? v->ulp[i].worst_share : v->ulp[i].worst_ulp, low, high));
  wf_text_add(t, "\"/>");
  for (size_t i = 0; i < v->n_ulp; i++) {
    double value = share ? v->ulp[i].worst_share : v->ulp[i].worst_ulp;
    wf_text_add(t, "<circle class=\"%s\" cx=\"%d\" cy=\"%.1f\" r=\"3\"><title>%.3g at 2^%" PRId64, share ? "ca" : "cb",
                LEFT + (int)(v->ulp[i].size_bin - x->min) * ULP_CELL + ULP_CELL / 2, top + PANEL - height_of(value, low, high), value, v->ulp[i].size_bin);
    if (v->ulp[i].case_key) {
      wf_text_add(t, ", case ");
      wf_html_add(t, v->ulp[i].case_key);
    }
    wf_text_add(t, "</title></circle>");
  }
}

static void add_errors(WfText *t, const WfReportVariant *v) {
  Range x = {62, -1};
  double most = 1;
  if (!v->n_ulp) return;
  for (size_t i = 0; i < v->n_ulp; i++) {
    widen(&x, v->ulp[i].size_bin);
    if (v->ulp[i].worst_ulp > most) most = v->ulp[i].worst_ulp;
  }
  int width = (int)(x.max - x.min + 1) * ULP_CELL, high = (int)ceil(log10(most)), second = TOP + PANEL + 12;
  if (high < 1) high = 1;
  wf_text_add(t, "<figure><figcaption>worst error in ULP, and as share of its bound, over elements</figcaption>");
  wf_html_svg(t, LEFT + (width < 200 ? 200 : width) + 16, second + PANEL + 20, "Worst error over the size of the output");
  add_frame(t, TOP, width, -1, high);
  add_points(t, v, &x, TOP, -1, high, 0);
  add_frame(t, second, width, -4, 0);
  add_points(t, v, &x, second, -4, 0, 1);
  wf_text_add(t, "<text x=\"%d\" y=\"%d\">ULP</text><text x=\"%d\" y=\"%d\">share</text>", LEFT + 4, TOP + 11, LEFT + 4, second + 11);
  add_x_labels(t, &x, second + PANEL + 14, 3, ULP_CELL);
  wf_text_add(t, "</svg></figure>\n");
}

static void add_legend(WfText *t) {
  wf_text_add(t, "<p class=\"legend\"><span><svg width=\"13\" height=\"13\" aria-hidden=\"true\"><rect class=\"ok\" width=\"12\" height=\"12\" fill-opacity=\".75\"/></svg>"
                 "clean, darker for more executions</span><span><svg width=\"13\" height=\"13\" aria-hidden=\"true\"><rect class=\"ca\" width=\"12\" height=\"12\"/>"
                 "<path class=\"cross\" d=\"M3 3l6 6m0-6l-6 6\"/></svg>failing</span><span><svg width=\"13\" height=\"13\" "
                 "aria-hidden=\"true\"><rect class=\"ax\" width=\"12\" height=\"12\"/></svg>untried</span><span>a cell is one power of two; 1Ki is 1,024, "
                 "1Mi 1,048,576</span></p>\n");
}

/* ---- ops ---- */

static int has_pictures(const WfReportVariant *v) { return v->n_maps || v->n_ulp; }

static size_t n_pictured(const WfReport *r, size_t first, size_t end) {
  size_t n = 0;
  for (size_t i = first; i < end; i++) n += has_pictures(&r->variants[i]);
  return n;
}

/* In the latest run, or an earlier one. */
static size_t n_tried(const WfReport *r, size_t first, size_t end) {
  size_t n = 0;
  for (size_t i = first; i < end; i++) n += has_pictures(&r->variants[i]) || r->variants[i].verdict != WF_VERDICT_NOT_RUN;
  return n;
}

static WfReportVerdict worst_of(const WfHtmlOp *op) {
  static const WfReportVerdict worst_first[] = {WF_VERDICT_ERROR, WF_VERDICT_WARNING, WF_VERDICT_KNOWN, WF_VERDICT_CAUGHT, WF_VERDICT_CLEAN};
  for (size_t i = 0; i < sizeof worst_first / sizeof *worst_first; i++)
    if (op->by[worst_first[i]]) return worst_first[i];
  return WF_VERDICT_NOT_RUN;
}

static void add_variant(WfText *t, const WfReportVariant *v) {
  wf_text_add(t, "<details class=\"tried\"%s><summary><code>", wf_html_is_loud(v) ? " open" : "");
  wf_html_add(t, v->variant);
  wf_text_add(t, "</code>");
  wf_html_verdict(t, v->verdict);
  wf_text_add(t, "</summary><div class=\"maps\">\n");
  for (size_t k = 0; k < v->n_maps; k++) add_map(t, &v->maps[k]);
  add_errors(t, v);
  wf_text_add(t, "</div></details>\n");
}

static void add_unseen(WfText *t, const WfReport *r, size_t first, size_t end) {
  const char *lead = "<p class=\"unseen soft small\">No sizes are recorded of <code>";
  for (size_t i = first; i < end; i++) {
    if (has_pictures(&r->variants[i])) continue;
    wf_text_add(t, "%s", lead);
    wf_html_add(t, r->variants[i].variant);
    lead = "</code>, <code>";
  }
  if (n_pictured(r, first, end) < end - first) wf_text_add(t, "</code></p>\n");
}

/* The op of variants[first], if it is loud or not as asked; the first variant of the next. */
static size_t add_op(WfText *t, const WfReport *r, size_t first, int loud) {
  const WfHtmlOp op = wf_html_op(r, first);
  size_t n = op.end - first;
  if (!n_pictured(r, first, op.end) || op.is_loud != loud) return op.end;
  wf_text_add(t, "<details class=\"op\"%s><summary>", loud || r->n_variants <= WF_HTML_FEW ? " open" : "");
  wf_html_add(t, r->variants[first].op);
  wf_text_add(t, "<span class=\"soft small\">%zu variant%s, %zu tried, worst: ", n, n == 1 ? "" : "s", n_tried(r, first, op.end));
  wf_html_verdict(t, worst_of(&op));
  wf_text_add(t, "</span></summary>\n");
  for (int quiet = 0; quiet < 2; quiet++)
    for (size_t i = first; i < op.end; i++)
      if (has_pictures(&r->variants[i]) && wf_html_is_loud(&r->variants[i]) != quiet) add_variant(t, &r->variants[i]);
  add_unseen(t, r, first, op.end);
  wf_text_add(t, "</details>\n");
  return op.end;
}

void wf_html_tried(WfText *t, const WfReport *r) {
  if (!n_pictured(r, 0, r->n_variants)) return;
  wf_text_add(t, "<h2 id=\"tried\">What was tried, and how far it was off</h2>\n");
  add_legend(t);
  wf_text_add(t, "<div class=\"card\">\n");
  for (int loud = 1; loud >= 0; loud--)
    for (size_t i = 0; i < r->n_variants;) i = add_op(t, r, i, loud);
  wf_text_add(t, "</div>\n");
}
