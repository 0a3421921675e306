/* report_html_threads.c - who met, as a picture: the block as lanes by warps, the grid as blocks, the two sides marked A and B. */
#include "report_html.h"
#include <inttypes.h>

enum { LANES = 32, CELL = 10, LEFT = 50, TOP = 18, MAX_WARPS = 32, MAX_BLOCKS = 32 * 16, CONTEXT_WARPS = 1 };

typedef struct Mark { /* a thread or block by its number, x fastest; -1: none */
  int64_t a, b;
} Mark;

static int64_t number_of(const uint32_t at[3], const uint32_t n[3]) {
  return (int64_t)at[0] + (int64_t)n[0] * ((int64_t)at[1] + (int64_t)n[1] * at[2]);
}

static int is_inside(const uint32_t at[3], const uint32_t n[3]) { return at[0] < n[0] && at[1] < n[1] && at[2] < n[2]; }

static int64_t size_of(const uint32_t n[3]) {
  int64_t size = 1;
  for (int i = 0; i < 3; i++) size = n[i] && size <= INT64_MAX / n[i] ? size * n[i] : INT64_MAX;
  return size;
}

static void add_letter(WfText *t, int x, int y, const char *letter) {
  wf_text_add(t, "<text class=\"on\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>", x + CELL / 2, y + CELL - 2, letter);
}

/* One cell; where both sides are in it, half of it is each one's. */
static void add_cell(WfText *t, int x, int y, int a, int b) {
  const char *kind = a && !b ? "ca" : b && !a ? "cb" : a ? "ca" : "lane";
  int big = a || b;
  wf_text_add(t, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"1.5\"/>", kind, x + !big, y + !big, CELL - 2 * !big, CELL - 2 * !big);
  if (a && b) wf_text_add(t, "<path class=\"cb\" d=\"M%d %dh%dv%dz\"/>", x, y + CELL, CELL, -CELL);
  if (a != b) add_letter(t, x, y, a ? "A" : "B");
}

static void add_columns(WfText *t, int n) {
  for (int i = 0; i < n; i += 8) wf_text_add(t, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%d</text>", LEFT + i * CELL + CELL / 2, TOP - 6, i);
  if (n == LANES) wf_text_add(t, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">31</text>", LEFT + 31 * CELL + CELL / 2, TOP - 6);
}

static int is_near(int64_t row, int64_t number) { return number >= 0 && row >= number / LANES - CONTEXT_WARPS && row <= number / LANES + CONTEXT_WARPS; }

/* n cells in rows of 32; of many rows only those near a mark, dots for the rest. */
static void add_cells(WfText *t, int64_t n, const Mark *m, const char *row_name, const char *label) {
  int64_t rows = (n + LANES - 1) / LANES, shown = 0, gaps = 0;
  int all = rows <= 8, before = 1;
  for (int64_t i = 0; i < rows; i++) {
    int on = all || is_near(i, m->a) || is_near(i, m->b);
    shown += on;
    gaps += !on && before;
    before = on;
  }
  int columns = n < LANES ? (int)n : LANES, y = TOP;
  wf_html_svg(t, LEFT + LANES * CELL + 6, TOP + (int)shown * (CELL + 2) + (int)gaps * 12 + 4, label);
  add_columns(t, columns);
  before = 1;
  for (int64_t i = 0; i < rows; i++) {
    int on = all || is_near(i, m->a) || is_near(i, m->b);
    if (!on && before) wf_text_add(t, "<text x=\"%d\" y=\"%d\">&#8943;</text>", LEFT, y + 9);
    if (!on && before) y += 12;
    before = on;
    if (!on) continue;
    wf_text_add(t, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s %" PRId64 "</text>", LEFT - 6, y + CELL - 1, row_name, *row_name == 'w' ? i : i * LANES);
    for (int64_t k = i * LANES; k < n && k < (i + 1) * LANES; k++) add_cell(t, LEFT + (int)(k % LANES) * CELL, y, k == m->a, k == m->b);
    y += CELL + 2;
  }
  wf_text_add(t, "</svg>\n");
}

static int same_block(const WfReportFinding *f) {
  for (int i = 0; i < 3; i++)
    if (f->here.block[i] != f->other.block[i]) return 0;
  return 1;
}

/* The block of the first side, and in it the other side if it is there too. */
static void add_block(WfText *t, const WfReportFinding *f, const WfReportSide *a, const WfReportSide *b) {
  uint32_t dim[3] = {f->launch_block[0], f->launch_block[1], f->launch_block[2]};
  if (!f->has_launch_block || !is_inside(a->thread, dim) || size_of(dim) > 1024) return;
  int together = b && (!a->has_block || !b->has_block || same_block(f)) && is_inside(b->thread, dim);
  const Mark m = {number_of(a->thread, dim), together ? number_of(b->thread, dim) : -1};
  wf_text_add(t, "<div><h4>Threads of the block: %" PRIu32 " &times; %" PRIu32 " &times; %" PRIu32 ", a warp a row</h4>", dim[0], dim[1], dim[2]);
  add_cells(t, size_of(dim), &m, "warp", "The block as lanes by warps, with the threads of the finding marked");
  wf_text_add(t, "</div>\n");
}

static void add_grid(WfText *t, const WfReportFinding *f, const WfReportSide *a, const WfReportSide *b) {
  int64_t n = size_of(f->grid);
  if (!f->has_grid || n <= 1 || !a->has_block || !is_inside(a->block, f->grid)) return;
  int both = b && b->has_block && is_inside(b->block, f->grid);
  const Mark m = {number_of(a->block, f->grid), both ? number_of(b->block, f->grid) : -1};
  wf_text_add(t, "<div><h4>Blocks of the grid: %" PRIu32 " &times; %" PRIu32 " &times; %" PRIu32 "</h4>", f->grid[0], f->grid[1], f->grid[2]);
  if (n <= MAX_BLOCKS) add_cells(t, n, &m, "", "The grid, with the blocks of the finding marked");
  else if (both) wf_text_add(t, "<p class=\"small\">A is in block number %" PRId64 ", B in %" PRId64 ", of %" PRId64 ".</p>", m.a, m.b, n);
  else wf_text_add(t, "<p class=\"small\">A is in block number %" PRId64 " of %" PRId64 ".</p>", m.a, n);
  wf_text_add(t, "</div>\n");
}

void wf_html_threads(WfText *t, const WfReportFinding *f) {
  const WfReportSide *a = f->here.has_thread ? &f->here : f->other.has_thread ? &f->other : NULL;
  const WfReportSide *b = a == &f->here && f->other.has_thread ? &f->other : NULL;
  if (!a || f->is_between_operations) return; /* the picture is of one launch */
  wf_text_add(t, "<div class=\"cols\">");
  add_block(t, f, a, b);
  add_grid(t, f, a, b);
  wf_text_add(t, "</div>\n");
}
