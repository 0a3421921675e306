/* test_edges.c - the shapes at which kernels over two and three dims go wrong are reached soon, for every variant with a tile that
 * leaves its dims free: each dim one less than the tile, the tile, and one more; dims pairwise different, all prime, one of them 1. It
 * says which were not. So many cases as here are run in well under a minute, even of the slowest of these kernels. */
#include "../fuzz/draw.h"
#include "primes.h"
#include "suite.h"
#include <check.h>
#include <stdio.h>
#include <string.h>

enum { CASES = 4000, N_EDGES = 3 };

typedef struct Reached {
  int edge[WF_MAX_DIMS][N_EDGES], one[WF_MAX_DIMS];
  int differ, primes;
} Reached;

static void note(Reached *r, const WfCase *c, int tile) {
  int n = c->op->n_dims, primes = 0, equal = 0;
  for (int i = 0; i < n; i++) {
    int64_t from_tile = c->dim[i] - tile + 1;
    if (from_tile >= 0 && from_tile < N_EDGES)
      r->edge[i][from_tile]++;
    r->one[i] += c->dim[i] == 1;
    primes += is_prime(c->dim[i]);
    for (int k = 0; k < i; k++)
      equal += c->dim[i] == c->dim[k];
  }
  r->differ += equal == 0;
  r->primes += primes == n;
}

/* Does the contract admit this length of this dim at all, the others being what some small case has? */
static int is_possible(const WfOp *op, const WfVariant *v, int dim, int64_t length) {
  static const int64_t others[] = {1, 2, 31, 32, 33, 64};
  WfCase c;
  memset(&c, 0, sizeof c);
  c.op = op;
  wf_case_take_types(&c, v);
  c.grid[1] = c.grid[2] = 1;
  for (size_t k = 0; k < sizeof others / sizeof *others; k++)
    for (uint32_t x = 1; x <= 1024; x *= 2)
      for (uint32_t y = 1; y <= 32; y *= 2) {
        for (int i = 0; i < op->n_dims; i++)
          c.dim[i] = i == dim ? length : others[k];
        c.block[0] = x;
        c.block[1] = y;
        c.block[2] = 1;
        if (wf_case_admits(&c, v, NULL, NULL, 0))
          return 1;
      }
  return 0;
}

static int report(const WfOp *op, const WfVariant *v, const char *what, int dim, int64_t length) {
  printf("# %s/%s: not reached: %s %s %lld\n", op->name, v->name, what, dim >= 0 ? op->dims[dim].name : "", (long long)length);
  return 1;
}

/* Number of shapes that were not reached. */
static int missing(const WfOp *op, const WfVariant *v) {
  WfChoice ch = {.state = 1};
  Reached r = {0};
  WfCase c;
  int n = 0;
  for (int i = 0; i < CASES; i++) {
    if (i % 2 == 0)
      wf_case_generate(&c, op, v, &ch);
    else
      wf_case_mutate(&c, v, &ch);
    note(&r, &c, v->tile);
  }
  for (int d = 0; d < op->n_dims; d++) {
    for (int e = 0; e < N_EDGES; e++)
      if (r.edge[d][e] == 0 && is_possible(op, v, d, v->tile + e - 1))
        n += report(op, v, "tile edge", d, v->tile + e - 1);
    if (r.one[d] == 0 && is_possible(op, v, d, 1))
      n += report(op, v, "single", d, 1);
  }
  if (r.differ < CASES / 10)
    n += report(op, v, "dims that differ, in cases", -1, r.differ);
  if (r.primes == 0)
    n += report(op, v, "all dims prime", -1, 0);
  return n;
}

START_TEST(edges_are_reached) {
  int tiled = 0, n = 0;
  for (size_t o = 0; wf_ops[o]; o++)
    for (size_t k = 0; k < wf_ops[o]->n_variants; k++) {
      const WfVariant *v = &wf_ops[o]->variants[k];
      if (wf_ops[o]->n_dims < 2 || v->tile < 2 || strchr(v->name, '.')) /* narrow contracts rule edges out */
        continue;
      tiled++;
      n += missing(wf_ops[o], v);
    }
  printf("# %d variants with a tile over two dims or more\n", tiled);
  ck_assert_int_ge(tiled, 4);
  ck_assert_int_eq(n, 0);
}
END_TEST

int main(void) {
  Suite *s = suite_create("edges");
  TCase *t = tcase_create("edges");
  tcase_add_test(t, edges_are_reached);
  suite_add_tcase(s, t);
  return suite_run(s);
}
