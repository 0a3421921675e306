/* test_generate.c - values, and generated, mutated and crossed cases: inside the contract, and among them each situation
 * that kernels fail in, often enough. */
#include "case_op.h"
#include "suite.h"
#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof(a)[0]))

/* ---- values ---- */
static WfCase plain_case(int64_t rows, int64_t cols, WfDist dist, double scale, double offset) {
  WfCase c;
  memset(&c, 0, sizeof c);
  c.op = &softmax_op;
  c.dim[0] = rows;
  c.dim[1] = cols;
  c.block[0] = 64;
  c.block[1] = c.block[2] = c.grid[1] = c.grid[2] = 1;
  c.fill[0] = (WfFill){dist, 12345, scale, offset, 0};
  return c;
}

static float *values_of(const WfCase *c, int tensor) {
  float *v = malloc(sizeof *v * (size_t)wf_case_elems(c, tensor) + 1);
  ck_assert_ptr_nonnull(v);
  wf_case_values(c, tensor, v);
  return v;
}

/* FNV-1a over the bits. */
static uint64_t bits_hash(const float *v, int64_t n) {
  uint64_t h = 0xcbf29ce484222325u;
  for (int64_t i = 0; i < n; i++) {
    uint32_t bits;
    memcpy(&bits, &v[i], 4);
    h = (h ^ bits) * 0x100000001b3u;
  }
  return h;
}

/* Corpus cases mean the same for ever: these may not change. */
static const uint64_t golden[WF_DIST_COUNT] = {
    0xc89290094c9ba2c9, 0x0a54dbbcc90fb29f, 0x139d1dceced290db, 0x8b55ebf89c11c77f,
    0xe640d415835a077f, 0xaba8429d4c08d2ad, 0xd59446d65e172761, 0xd9894f7932adc77f,
    0x5863684f2fd48a3b, 0xca3c7b54a46dc77f,
    0xa7647ee4742dc77f};

START_TEST(values_never_change) {
  WfCase c = plain_case(37, 101, (WfDist)_i, 7.25, _i == WF_DIST_MEAN ? 1000 : 0.375);
  float *v = values_of(&c, 0);
  uint64_t h = bits_hash(v, 37 * 101);
  ck_assert_msg(h == golden[_i], "%s: 0x%llx", wf_dist_name((WfDist)_i), (unsigned long long)h);
  free(v);
}
END_TEST

typedef struct Range {
  WfDist dist;
  double scale, offset, low, high; /* every value lies in low .. high, and some near each end */
  double mean, tolerance;
} Range;

static const Range ranges[] = {
    {WF_DIST_NORMAL, 1, 0, -4.9, 4.9, 0, 0.02},
    {WF_DIST_NORMAL, 30, 1, -146, 148, 1, 0.5},
    {WF_DIST_UNIFORM, 2, 5, 3, 7, 5, 0.02},
    {WF_DIST_HUGE, 1, 0, -1e4, 1e4, 0, 30},
    {WF_DIST_INTEGERS, 3, 0, -3, 3, 0, 0.05},
    {WF_DIST_RAMP, 0.5, 1, 1, 1 + 199 * 0.5, 50.75, 0.01},
    {WF_DIST_HASH, 1, 0, 0, 1, 0.5, 0.01},
    {WF_DIST_MIXED, 3, 0, -8, 8, 0, 0.1},
    {WF_DIST_MEAN, 1, 1000, 999.995, 1000.005, 1000, 0.001},
    {WF_DIST_CONSTANT, 1, 88.5, 88.5, 88.5, 88.5, 1e-9},
    {WF_DIST_DISTINCT, 1000, 0, -1000, 1000, 0, 20},
};

START_TEST(distributions_have_their_ranges) {
  const Range *r = &ranges[_i];
  WfCase c = plain_case(200, 200, r->dist, r->scale, r->offset);
  float *v = values_of(&c, 0);
  double sum = 0, low = INFINITY, high = -INFINITY;
  for (int i = 0; i < 40000; i++) {
    sum += (double)v[i];
    low = fmin(low, (double)v[i]);
    high = fmax(high, (double)v[i]);
  }
  double slack = 0.3 * (r->high - r->low);
  ck_assert_msg(low >= r->low && high <= r->high, "%g .. %g", low, high);
  ck_assert_msg(low <= r->low + slack && high >= r->high - slack, "%g .. %g", low, high);
  ck_assert_msg(fabs(sum / 40000 - r->mean) <= r->tolerance, "mean %g", sum / 40000);
  free(v);
}
END_TEST

START_TEST(normal_has_variance_one) {
  WfCase c = plain_case(200, 200, WF_DIST_NORMAL, 1, 0);
  float *v = values_of(&c, 0);
  double sum = 0;
  int beyond_2 = 0;
  for (int i = 0; i < 40000; i++) {
    sum += (double)v[i] * (double)v[i];
    beyond_2 += fabsf(v[i]) > 2;
  }
  ck_assert_msg(fabs(sum / 40000 - 1) < 0.03, "%g", sum / 40000);
  ck_assert_int_ge(beyond_2, 1400); /* 4.55 % of 40,000 would be 1,820 */
  ck_assert_int_le(beyond_2, 2200);
  free(v);
}
END_TEST

START_TEST(special_ranges) {
  WfCase c = plain_case(100, 100, WF_DIST_DENORMAL, 1, 0);
  float *v = values_of(&c, 0);
  int denormal = 0, normal = 0, negative = 0;
  for (int i = 0; i < 10000; i++) {
    denormal += fpclassify(v[i]) == FP_SUBNORMAL;
    normal += fpclassify(v[i]) == FP_NORMAL && fabsf(v[i]) < 2 * FLT_MIN;
    negative += signbit(v[i]) != 0;
  }
  ck_assert(denormal > 4000 && normal > 4000 && denormal + normal > 9990 && negative > 4000);
  free(v);
  c = plain_case(100, 100, WF_DIST_HUGE, 1, 0);
  v = values_of(&c, 0);
  for (int i = 0; i < 10000; i++)
    ck_assert(fabsf(v[i]) >= 80 && fabsf(v[i]) <= 1e4f);
  free(v);
  c = plain_case(400, 400, WF_DIST_NORMAL, 3e38, 3e38);
  v = values_of(&c, 0);
  for (int i = 0; i < 160000; i++)
    ck_assert(isfinite(v[i]));
  free(v);
}
END_TEST

static int by_value(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

START_TEST(hash_values_are_distinct) {
  WfCase c = plain_case(500, 1000, WF_DIST_HASH, 1, 0);
  float *v = values_of(&c, 0);
  qsort(v, 500000, sizeof *v, by_value);
  for (int i = 1; i < 500000; i++)
    ck_assert(v[i] > v[i - 1]);
  free(v);
}
END_TEST

START_TEST(distinct_values_are_distinct) {
  enum { SCALE = 4096, FIRST = 37 }; /* any so many in a row */
  WfCase c = plain_case(3, SCALE, WF_DIST_DISTINCT, SCALE, 0);
  c.fill[0].seed = 12345;
  float *v = values_of(&c, 0);
  uint8_t seen[SCALE + 1] = {0};
  double sum = 0;
  for (int i = FIRST; i < FIRST + SCALE; i++) {
    int magnitude = (int)fabsf(v[i]);
    ck_assert(magnitude >= 1 && magnitude <= SCALE && (float)magnitude == fabsf(v[i]));
    ck_assert_msg(!seen[magnitude]++, "%d twice", magnitude);
    sum += fabs((double)v[i]);
  }
  ck_assert(sum <= 0x1p24); /* so that every partial sum is a float */
  c.fill[0].scale = 1;
  free(v);
  v = values_of(&c, 0);
  for (int i = 0; i < SCALE; i++)
    ck_assert(v[i] == 1 || v[i] == -1);
  free(v);
}
END_TEST

START_TEST(values_depend_on_seed_and_tensor) {
  WfCase c = plain_case(8, 8, WF_DIST_NORMAL, 1, 0);
  c.op = &rmsnorm_op;
  c.dim[0] = 1;
  c.fill[1] = c.fill[0];
  float *a = values_of(&c, 0), *b = values_of(&c, 1);
  ck_assert(memcmp(a, b, 8 * sizeof *a) != 0);
  c.fill[1].seed += (uint64_t)1 << 32;
  float *d = values_of(&c, 1);
  ck_assert(memcmp(b, d, 8 * sizeof *b) != 0);
  free(a);
  free(b);
  free(d);
}
END_TEST

static void add_edit(WfCase *c, WfSel row, WfSel col, float value) {
  c->edits[c->n_edits++] = (WfEdit){0, {row, col}, value};
}

START_TEST(edits_apply_in_order) {
  const WfSel all = {0, INT64_MAX, 1};
  WfCase c = plain_case(5, 70, WF_DIST_CONSTANT, 1, 2);
  add_edit(&c, (WfSel){1, 1, 1}, all, -INFINITY);
  add_edit(&c, (WfSel){1, 1, 1}, (WfSel){40, 40, 1}, 3);
  add_edit(&c, all, (WfSel){5, INT64_MAX, 32}, -NAN);
  add_edit(&c, (WfSel){4, 9, 1}, (WfSel){60, 80, 4}, -0.0f);
  add_edit(&c, (WfSel){5, 5, 1}, all, 9);
  add_edit(&c, all, (WfSel){70, INT64_MAX, 1}, 9);
  float *v = values_of(&c, 0);
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 70; j++) {
      float want = i == 1 ? j == 40 ? 3 : -INFINITY : 2, got = wf_case_value(&c, 0, i * 70 + j);
      uint32_t bits;
      memcpy(&bits, &v[i * 70 + j], 4);
      if (j == 5 || j == 37 || j == 69)
        ck_assert_uint_eq(bits, 0x7fc00000u);
      else if (i == 4 && j >= 60 && j % 4 == 0)
        ck_assert_uint_eq(bits, 0x80000000u);
      else
        ck_assert(v[i * 70 + j] == want);
      ck_assert(memcmp(&got, &bits, 4) == 0);
    }
  free(v);
}
END_TEST

START_TEST(one_value_is_the_same_as_all) {
  WfChoice ch = {.state = 5};
  for (int k = 0; k < 300; k++) {
    const WfOp *op = wf_ops[k % 4];
    WfCase c;
    wf_case_generate(&c, op, &op->variants[0], &ch);
    for (int t = 0; t < op->n_tensors - 1; t++) {
      float *v = values_of(&c, t);
      for (int64_t i = 0; i < wf_case_elems(&c, t); i += 1 + k % 5) {
        float one = wf_case_value(&c, t, i);
        ck_assert(memcmp(&one, &v[i], 4) == 0);
      }
      free(v);
    }
  }
}
END_TEST

/* ---- generator ---- */
static void check_roundtrip(const WfCase *c) {
  char *text = wf_case_print(c), err[256] = "";
  WfCase again;
  ck_assert_msg(wf_case_parse(&again, text, strlen(text), "generated", err, sizeof err) == 0, "%s\n%s", err, text);
  char *second = wf_case_print(&again);
  ck_assert_str_eq(text, second);
  for (int i = 0; i < WF_MAX_TENSORS; i++)
    ck_assert(again.fill[i].dist == c->fill[i].dist && again.fill[i].seed == c->fill[i].seed);
  free(text);
  free(second);
}

static void check_inside(const WfCase *c, const WfVariant *v) {
  char why[256] = "";
  if (!wf_case_admits(c, v, NULL, why, sizeof why)) {
    char *text = wf_case_print(c);
    ck_abort_msg("%s: %s\n%s", v->name, why, text);
  }
  ck_assert(c->variant == v && c->expect == 0);
}

typedef struct Seen { /* cases in which something was so */
  int partial_warp, cols_over_block, block_over_cols, rows_over_grid, masked_row, nan, special, schedule_0, aligned, several_warps;
  int64_t elems, threads;
} Seen;

static void look_at_values(const WfCase *c, Seen *s) {
  int masked = 0, nan = 0, special = 0;
  for (int t = 0; t < c->op->n_tensors; t++) {
    if (c->op->tensors[t].role == WF_OUT)
      continue;
    int64_t n = wf_case_elems(c, t), cols = c->dim[c->op->n_dims - 1];
    float *v = values_of(c, t);
    for (int64_t i = 0, run = 0; i < n; i++) {
      run = i % cols == 0 ? 0 : run;
      run += v[i] == -INFINITY;
      masked |= run == cols;
      nan |= isnan(v[i]);
      special |= !isfinite(v[i]);
    }
    free(v);
  }
  s->masked_row += masked;
  s->nan += nan;
  s->special += special;
}

static void look_at(const WfCase *c, const WfVariant *v, Seen *s) {
  WfGeometry g;
  ck_assert_int_eq(wf_case_admits(c, v, &g, NULL, 0), 1);
  int64_t cols = c->dim[c->op->n_dims - 1];
  s->partial_warp += g.block[0] % 32 != 0;
  s->several_warps += g.block[0] > 32;
  s->cols_over_block += cols > g.block[0];
  s->block_over_cols += cols < g.block[0];
  s->rows_over_grid += c->dim[0] > g.grid[0];
  s->schedule_0 += c->schedule == 0;
  for (int t = 0; t < c->op->n_tensors; t++)
    if (c->fill[t].base_offset_elems) {
      s->aligned++;
      break;
    }
  s->elems += wf_case_elems(c, 0);
  s->threads += (int64_t)g.grid[0] * g.block[0];
  look_at_values(c, s);
}

static Seen generate_thousand(const WfVariant *v, uint64_t seed) {
  Seen s = {0};
  for (int i = 0; i < 1000; i++) {
    WfChoice ch = {.state = seed * 1000003 + (uint64_t)i};
    WfCase c;
    wf_case_generate(&c, &softmax_op, v, &ch);
    check_inside(&c, v);
    check_roundtrip(&c);
    look_at(&c, v, &s);
  }
  return s;
}

static int has(const WfVariant *v, const char *names) { return strstr(names, v->name) != NULL; }

START_TEST(every_situation_is_frequent) {
  const WfVariant *v = &softmax_variants[_i];
  Seen s = generate_thousand(v, 1 + (uint64_t)_i);
  /* What the contracts in case_op.h leave room for. */
  if (has(v, "free block_shuffle.published serial_row register_row multi_block"))
    ck_assert_int_ge(s.partial_warp, 250);
  if (!has(v, "register_row small_row"))
    ck_assert_int_ge(s.cols_over_block, 50);
  if (!has(v, "exact_block multi_block fixed"))
    ck_assert_int_ge(s.block_over_cols, 50);
  if (has(v, "free block_shuffle.published"))
    ck_assert_int_ge(s.rows_over_grid, 300);
  if (!has(v, "float4 float4.published exact_block"))
    ck_assert_int_ge(s.several_warps, 400);
  ck_assert_int_ge(s.masked_row, 80);
  ck_assert_int_ge(s.nan, 80);
  ck_assert(s.special >= 400 && s.special <= 560);
  ck_assert(s.schedule_0 >= 80 && s.schedule_0 <= 180);
  ck_assert(s.aligned >= 50 && s.aligned <= 300);
  ck_assert_msg(s.elems <= 2200 * 1000, "%lld", (long long)s.elems);
  ck_assert_msg(s.threads <= 2500 * 1000, "%lld", (long long)s.threads);
}
END_TEST

START_TEST(every_edge_length_is_drawn) {
  static const int edges[] = {1, 2, 3, 4, 5, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025};
  int cols[4097] = {0}, to_block[3] = {0};
  WfChoice ch = {.state = 99};
  for (int i = 0; i < 10000; i++) {
    WfCase c;
    wf_case_generate(&c, &softmax_op, &softmax_variants[0], &ch);
    cols[c.dim[1]]++;
    for (int k = 0; k < 3; k++)
      to_block[k] += c.dim[1] == (int64_t)c.block[0] + k - 1;
  }
  for (int i = 0; i < COUNT(edges); i++)
    ck_assert_msg(cols[edges[i]] >= 20, "cols %d: %d times", edges[i], cols[edges[i]]);
  for (int k = 0; k < 3; k++)
    ck_assert_int_ge(to_block[k], 150);
}
END_TEST

START_TEST(same_choices_give_the_same_case) {
  uint8_t bytes[300];
  for (int i = 0; i < COUNT(bytes); i++)
    bytes[i] = (uint8_t)(i * 167 + 13);
  for (size_t n = 0; n <= sizeof bytes; n += 7) {
    WfChoice a = {.bytes = bytes, .n = n}, b = a;
    WfCase x, y;
    const WfVariant *v = &softmax_variants[n % (size_t)COUNT(softmax_variants)];
    wf_case_generate(&x, &softmax_op, v, &a);
    wf_case_generate(&y, &softmax_op, v, &b);
    ck_assert_uint_eq(wf_case_key(&x), wf_case_key(&y));
    ck_assert(a.at == b.at && a.at <= n);
    check_inside(&x, v);
    check_roundtrip(&x);
  }
}
END_TEST

START_TEST(no_bytes_give_a_small_case) {
  for (size_t o = 0; wf_ops[o]; o++)
    for (size_t k = 0; k < wf_ops[o]->n_variants; k++) {
      WfChoice ch = {.bytes = (const uint8_t *)""};
      WfCase c;
      wf_case_generate(&c, wf_ops[o], &wf_ops[o]->variants[k], &ch);
      check_inside(&c, &wf_ops[o]->variants[k]);
      ck_assert(c.n_edits == 0 && wf_case_elems(&c, 0) <= 8192);
    }
}
END_TEST

START_TEST(choices_are_below_their_bound) {
  static const uint8_t bytes[] = {255, 255, 1, 2, 3};
  WfChoice c = {.bytes = bytes, .n = sizeof bytes}, s = {.state = 3};
  ck_assert_uint_eq(wf_choice_below(&c, 0), 0);
  ck_assert_uint_eq(wf_choice_below(&c, 1), 0);
  ck_assert_uint_eq(wf_choice_below(&c, 256), 255);
  ck_assert_uint_eq(wf_choice_below(&c, 10), 5);
  ck_assert_uint_eq(wf_choice_below(&c, 257), 0x0102 % 257);
  ck_assert_uint_eq(wf_choice_below(&c, 65536), 0x0300);
  ck_assert_uint_eq(wf_choice_below(&c, 10), 0);
  for (int i = 0; i < 1000; i++)
    ck_assert_uint_lt(wf_choice_below(&s, 7), 7);
}
END_TEST

/* ---- mutator and crossover ---- */
START_TEST(mutants_stay_inside_and_differ) {
  for (size_t o = 0; wf_ops[o]; o++)
    for (size_t k = 0; k < wf_ops[o]->n_variants; k++) {
      const WfVariant *v = &wf_ops[o]->variants[k];
      WfChoice ch = {.state = o * 100 + k};
      WfCase c;
      wf_case_generate(&c, wf_ops[o], v, &ch);
      int same = 0;
      for (int i = 0; i < 500; i++) {
        uint64_t before = wf_case_key(&c);
        wf_case_mutate(&c, v, &ch);
        check_inside(&c, v);
        check_roundtrip(&c);
        same += wf_case_key(&c) == before;
        ck_assert_int_le(wf_case_elems(&c, 0), 70000);
      }
      ck_assert_int_le(same, 25);
    }
}
END_TEST

START_TEST(crossing_stays_inside_and_mixes) {
  for (int k = 0; k < COUNT(softmax_variants); k++) {
    const WfVariant *v = &softmax_variants[k];
    WfChoice ch = {.state = 1000 + (uint64_t)k};
    int rows_of_b = 0, seed_of_b = 0, block_of_b = 0;
    for (int i = 0; i < 200; i++) {
      WfCase a, b, c;
      wf_case_generate(&a, &softmax_op, v, &ch);
      wf_case_generate(&b, &softmax_op, v, &ch);
      wf_case_cross(&c, &a, &b, v, &ch);
      check_inside(&c, v);
      check_roundtrip(&c);
      rows_of_b += c.dim[0] == b.dim[0];
      seed_of_b += c.fill[0].seed == b.fill[0].seed;
      block_of_b += c.block[0] == b.block[0];
      wf_case_cross(&a, &a, &b, v, &ch);
      check_inside(&a, v);
    }
    ck_assert(rows_of_b > 50 && seed_of_b > 50 && seed_of_b < 150 && block_of_b > 50);
  }
}
END_TEST

/* A case from elsewhere, outside the contract in every way, comes inside, its values kept. */
START_TEST(mutation_repairs) {
  static const char text[] = "warpfuzz case 1\nop softmax\nexpect hang\nrows 100000\ncols 1048575\ngrid 7 3 2\nblock 1000 4 4\n"
                             "schedule 5\nx hash seed=42 align=3\ny align=1\nx[99999,1048574] = nan\n";
  char err[256] = "";
  int kept = 0;
  for (int k = 0; k < COUNT(softmax_variants); k++) {
    WfChoice ch = {.state = (uint64_t)k};
    WfCase c;
    ck_assert_msg(wf_case_parse(&c, text, sizeof text - 1, "t", err, sizeof err) == 0, "%s", err);
    wf_case_mutate(&c, &softmax_variants[k], &ch);
    check_inside(&c, &softmax_variants[k]);
    check_roundtrip(&c);
    kept += c.fill[0].seed == 42 && c.n_edits > 0 && c.edits[0].sel[0].first < c.dim[0];
  }
  ck_assert_int_ge(kept, COUNT(softmax_variants) / 2);
}
END_TEST

/* Every value that a case has lies within what is promised of it, whatever its contract. */
static void check_max_abs(const WfCase *c) {
  double max = wf_case_max_abs(c, 0);
  float *v = values_of(c, 0);
  for (int64_t i = 0; i < wf_case_elems(c, 0); i++)
    ck_assert_msg(!isfinite(v[i]) ? isinf(max) : fabs((double)v[i]) <= max, "%a is beyond %g", (double)v[i], max);
  free(v);
}

START_TEST(bounded_values_stay_inside) {
  static const double limits[] = {80, 1e-3, (double)FLT_MAX};
  const WfVariant bounded = {.name = "bounded", .values = limits[_i]}, any = {.name = "any"};
  WfChoice ch = {.state = (uint64_t)_i};
  uint32_t dists = 0;
  int edited = 0, at_limit = 0;
  WfCase c, other;
  for (int k = 0; k < 1500; k++) {
    wf_case_generate(&other, &softmax_op, &any, &ch);
    check_max_abs(&other);
    if (k % 3 == 0)
      wf_case_generate(&c, &softmax_op, &bounded, &ch);
    else if (k % 3 == 1)
      wf_case_mutate(&c, &bounded, &ch);
    else
      wf_case_cross(&c, &c, &other, &bounded, &ch);
    ck_assert_int_eq(wf_case_admits(&c, &bounded, NULL, NULL, 0), 1);
    check_max_abs(&c);
    dists |= 1u << c.fill[0].dist;
    edited += c.n_edits > 0;
    at_limit += wf_case_max_abs(&c, 0) >= limits[_i] / 2;
  }
  uint32_t too_large = limits[_i] < 1 ? 1u << WF_DIST_MIXED : 0; /* powers of two from 1 on */
  too_large |= 1u << WF_DIST_DISTINCT; /* only for ops whose sums can be exact */
  ck_assert_uint_eq(dists, ((1u << WF_DIST_COUNT) - 1) & ~too_large);
  ck_assert(edited > 300 && at_limit > 150);
}
END_TEST

START_TEST(edits_never_overflow) {
  WfChoice ch = {.state = 8};
  WfCase a = plain_case(4, 64, WF_DIST_NORMAL, 1, 0), b;
  for (int i = 0; i < WF_MAX_EDITS; i++)
    add_edit(&a, (WfSel){0, 0, 1}, (WfSel){i, i, 1}, (float)i);
  b = a;
  for (int i = 0; i < 300; i++) {
    WfCase c;
    wf_case_cross(&c, &a, &b, &softmax_variants[0], &ch);
    ck_assert_uint_le(c.n_edits, WF_MAX_EDITS);
    wf_case_mutate(&a, &softmax_variants[0], &ch);
    ck_assert_uint_le(a.n_edits, WF_MAX_EDITS);
    check_roundtrip(&a);
  }
}
END_TEST

START_TEST(contract_that_nothing_satisfies_ends) {
  static const WfVariant impossible[] = {
      {.name = "a", .requires = "rows < rows"}, {.name = "b", .requires = "depth"}, {.name = "c", .block = "2000"},
      {.name = "d", .grid = "0"},               {.name = "e", .block = "nonsense"}, {.name = "f", .shared = "-rows"}};
  for (int k = 0; k < COUNT(impossible); k++) {
    WfChoice ch = {.state = (uint64_t)k};
    WfCase c;
    wf_case_generate(&c, &softmax_op, &impossible[k], &ch);
    wf_case_mutate(&c, &impossible[k], &ch);
    ck_assert_int_eq(wf_case_admits(&c, &impossible[k], NULL, NULL, 0), 0);
  }
}
END_TEST

START_TEST(costly_contract_is_met) {
  static const WfVariant v = {.name = "long", .requires = "cols > 3000 && rows > 100"};
  WfChoice ch = {.state = 4};
  for (int i = 0; i < 20; i++) {
    WfCase c;
    wf_case_generate(&c, &softmax_op, &v, &ch);
    check_inside(&c, &v);
  }
}
END_TEST

int main(void) {
  Suite *s = suite_create("generate");
  TCase *t = tcase_create("generate");
  tcase_set_timeout(t, 0);
  tcase_add_loop_test(t, values_never_change, 0, WF_DIST_COUNT);
  tcase_add_loop_test(t, distributions_have_their_ranges, 0, COUNT(ranges));
  tcase_add_test(t, normal_has_variance_one);
  tcase_add_test(t, special_ranges);
  tcase_add_test(t, hash_values_are_distinct);
  tcase_add_test(t, distinct_values_are_distinct);
  tcase_add_test(t, values_depend_on_seed_and_tensor);
  tcase_add_test(t, edits_apply_in_order);
  tcase_add_test(t, one_value_is_the_same_as_all);
  tcase_add_loop_test(t, every_situation_is_frequent, 0, COUNT(softmax_variants));
  tcase_add_test(t, every_edge_length_is_drawn);
  tcase_add_test(t, same_choices_give_the_same_case);
  tcase_add_test(t, no_bytes_give_a_small_case);
  tcase_add_test(t, choices_are_below_their_bound);
  tcase_add_test(t, mutants_stay_inside_and_differ);
  tcase_add_test(t, crossing_stays_inside_and_mixes);
  tcase_add_test(t, mutation_repairs);
  tcase_add_loop_test(t, bounded_values_stay_inside, 0, 3);
  tcase_add_test(t, edits_never_overflow);
  tcase_add_test(t, contract_that_nothing_satisfies_ends);
  tcase_add_test(t, costly_contract_is_met);
  suite_add_tcase(s, t);
  return suite_run(s);
}
