/* cmd_show.c - warpfuzz show: what a case file means. */
#include "case.h"
#include "cli.h"
#include "select.h"
#include "sparse.h"
#include <inttypes.h>
#include <stdlib.h>

enum {
  /* A tensor's rows and columns beyond HEAD + TAIL are elided. */
  HEAD_ROWS = 6,
  TAIL_ROWS = 2,
  HEAD_COLS = 6,
  TAIL_COLS = 2
};

/* Of a case that is too large: what of it runs. */
static void show_blocks(const WfCase *c, const WfVariant *v, const WfGeometry *g) {
  WfSparse s;
  if (!wf_case_is_large(c, g) || !wf_sparse_plan(c, v, g, &s, NULL, 0)) return;
  printf("  too large to run as a whole: %" PRId64 " %s, of blocks", s.n_slices, c->op->dims[0].name);
  for (size_t i = 0; i < s.n_blocks; i++) printf(" %" PRIu64, s.block[i]);
  putchar('\n');
}

static void show_variants(const WfCase *c) {
  for (size_t i = 0; i < c->op->n_variants; i++) {
    WfTarget t = {c->op, &c->op->variants[i]};
    WfGeometry g;
    char name[WF_NAME_MAX], why[256];
    wf_target_name(&t, name);
    if (wf_case_admits(c, t.variant, &g, why, sizeof why)) {
      printf("%s: grid %u %u %u  block %u %u %u  shared %" PRIu64 "%s\n", name, g.grid[0], g.grid[1], g.grid[2],
             g.block[0], g.block[1], g.block[2], g.shared_bytes, c->variant == t.variant ? "  (named)" : "");
      show_blocks(c, t.variant, &g);
    } else
      printf("%s: not admitted: %s\n", name, why);
  }
}

static void show_row(const WfCase *c, int tensor, int64_t row, int64_t cols) {
  for (int64_t j = 0; j < cols; j++) {
    if (j == HEAD_COLS && cols > HEAD_COLS + TAIL_COLS) {
      printf(" ...");
      j = cols - TAIL_COLS;
    }
    printf(" %.9g", (double)wf_case_value(c, tensor, row * cols + j));
  }
  putchar('\n');
}

static void show_values(const WfCase *c, int tensor, int64_t rows, int64_t cols) {
  for (int64_t i = 0; i < rows; i++) {
    if (i == HEAD_ROWS && rows > HEAD_ROWS + TAIL_ROWS) {
      puts("  ...");
      i = rows - TAIL_ROWS;
    }
    printf("  [%" PRId64 "]", i);
    show_row(c, tensor, i, cols);
  }
}

static void show_tensor(const WfCase *c, int tensor) {
  const WfTensorDesc *t = &c->op->tensors[tensor];
  int64_t rows = t->rank == 2 ? wf_extent(t, 0, c->dim) : 1, cols = wf_extent(t, t->rank - 1, c->dim);
  printf("\n%s[", t->name);
  if (t->rank == 2) printf("%" PRId64 ",", rows);
  printf("%" PRId64 "]", cols);
  putchar('\n');
  show_values(c, tensor, rows, cols);
}

int wf_cmd_show(const WfOptions *o) {
  WfCase c;
  char err[WF_CASE_ERROR_MAX];
  if (wf_case_load(&c, o->operands[0], err, sizeof err) != 0) {
    wf_say("%s", err);
    return WF_EXIT_USAGE;
  }
  char *text = wf_case_print(&c);
  int rc = text ? 0 : -1;
  if (text) printf("%s\nkey %016" PRIx64 "\n\n", text, wf_case_key(&c));
  free(text);
  if (rc == 0) show_variants(&c);
  for (int t = 0; rc == 0 && t < c.op->n_tensors; t++)
    if (c.op->tensors[t].role == WF_IN) show_tensor(&c, t);
  if (rc == 0) return WF_EXIT_CLEAN;
  wf_say("warpfuzz: out of memory");
  return WF_EXIT_HARNESS;
}
