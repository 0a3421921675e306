/* test_huge.c - cases too large to run as a whole: row offsets of 32 and 64 bits past 2^31 and 2^32 elements, what a run of some
 * blocks finds, what it takes, and that contracts say rightly which rows a block owns. */
#define _POSIX_C_SOURCE 200809L
#include "../fuzz/fuzzer.h"
#include "../fuzz/situations.h"
#include "../fuzz/sparse.h"
#include "suite.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define BIT(c) (1u << (c))
#define COUNT(a) ((int)(sizeof(a) / sizeof(a)[0]))
#define PAST(bits) ((int64_t)1 << (bits))

extern const WfOp wf_op_softmax;

typedef void Entry(const WfLaunchArgs *);
Entry huge_block_signed, huge_block_unsigned, huge_block_size, huge_stride_signed, huge_stride_unsigned, huge_stride_size,
    huge_thread_signed, huge_thread_unsigned, huge_thread_size, huge_wrong, huge_nan, huge_unwritten, huge_changes_input,
    huge_writes_another, huge_writes_next, huge_floods;

static const WfRunOptions plain = {.detect = SIMT_DETECT_ALL, .all_relations = 1};
static WfRunner *runner;
static WfVerdict verdict, other;

static void set_up(void) { ck_assert_int_eq(wf_runner_create(&runner), 0); }
static void tear_down(void) { wf_runner_destroy(runner); }

static WfVariant variant_of(const char *name, Entry *entry, const char *grid, const char *owns) {
  return (WfVariant){.name = name, .entry = entry, .grid = grid, .owns = owns, .flags = WF_DETERMINISTIC | WF_BLOCKS_INDEPENDENT};
}

static WfVariant row_a_block(const char *name, Entry *entry) { return variant_of(name, entry, "rows", "b .. b + 1"); }

static WfCase case_of(int64_t rows, int64_t cols) {
  WfCase c = {.op = &wf_op_softmax, .dim = {rows, cols}, .grid = {0, 1, 1}, .block = {64, 1, 1}, .schedule = 0x51f3};
  c.fill[0] = (WfFill){.dist = WF_DIST_NORMAL, .seed = 77, .scale = 3, .base_offset_elems = 3};
  c.fill[1].base_offset_elems = 1;
  return c;
}

static const WfVerdict *judge(const WfCase *c, const WfVariant *v, const WfRunOptions *opt, WfVerdict *out) {
  char err[256] = "";
  ck_assert_msg(wf_run(runner, c, v, opt, out, err, sizeof err) == 0, "%s: %s", v->name, err);
  return out;
}

static const WfFinding *find(const WfVerdict *v, SimtClass cls) {
  for (size_t i = 0; i < v->n; i++)
    if (v->finding[i].simt.cls == cls)
      return &v->finding[i];
  ck_abort_msg("no %s", simt_class_name(cls));
  return NULL;
}

/* ---- offsets of 32 bits ---- */

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Of this process, so far. */
static long most_resident_kb(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return u.ru_maxrss;
}

#define BY_BLOCK "rows", "b .. b + 1"
#define BY_STRIDE "(rows + 1) / 2", "b .. rows step grid.x"
#define BY_THREAD "(rows + block.x - 1) / block.x", "b * block.x .. (b + 1) * block.x"
static const struct {
  const char *name;
  Entry *entry;
  const char *grid, *owns;
  int signed_bits; /* of its offsets; 64: all are right */
} offsets[] = {
    {"block_signed", huge_block_signed, BY_BLOCK, 31},      {"block_unsigned", huge_block_unsigned, BY_BLOCK, 32},
    {"block_size", huge_block_size, BY_BLOCK, 64},          {"stride_signed", huge_stride_signed, BY_STRIDE, 31},
    {"stride_unsigned", huge_stride_unsigned, BY_STRIDE, 32}, {"stride_size", huge_stride_size, BY_STRIDE, 64},
    {"thread_signed", huge_thread_signed, BY_THREAD, 31},   {"thread_unsigned", huge_thread_unsigned, BY_THREAD, 32},
    {"thread_size", huge_thread_size, BY_THREAD, 64},
};

/* Less than 2 GB of memory, for 17 and 34 GB of tensors; the time is told. */
START_TEST(offsets_of_32_bits_are_caught) {
  WfVariant v = variant_of(offsets[_i].name, offsets[_i].entry, offsets[_i].grid, offsets[_i].owns);
  for (int bits = 31; bits <= 32; bits++) {
    WfCase c = case_of(PAST(bits) / 1000 + 3, 1000);
    double start = seconds();
    const WfVerdict *got = judge(&c, &v, &plain, &verdict);
    printf("# %s past 2^%d elements: %.2f s, %ld MB\n", v.name, bits, seconds() - start, most_resident_kb() >> 10);
    fflush(stdout);
    ck_assert_int_eq(got->no_verdict, 0);
    ck_assert_uint_eq(got->warnings & BIT(SIMT_INT_OVERFLOW), 0);
    if (bits < offsets[_i].signed_bits)
      ck_assert_msg(!(got->errors | got->warnings), "%s: %#x past 2^%d", v.name, got->errors, bits);
    else
      ck_assert_msg(got->errors & BIT(SIMT_INT_OVERFLOW), "%s: %#x past 2^%d", v.name, got->errors, bits);
  }
  ck_assert_int_lt(most_resident_kb(), 2 << 20);
}
END_TEST

/* The wrapped index of the unsigned kernels stays in the buffer, and the access happens. */
START_TEST(wrapped_index_inside_the_buffer) {
  WfVariant v = row_a_block("block_unsigned", huge_block_unsigned);
  WfCase c = case_of(PAST(32) / 1000 + 3, 1000);
  const WfVerdict *got = judge(&c, &v, &plain, &verdict);
  ck_assert_uint_eq(got->errors & BIT(SIMT_OOB_GLOBAL), 0);
  const WfFinding *f = find(got, SIMT_INT_OVERFLOW);
  ck_assert_str_eq(f->simt.here.site->file, "tests/huge/offsets.cu");
  ck_assert_ptr_nonnull(strstr(f->simt.here.site->func, "block_softmax"));
  ck_assert_ptr_nonnull(strstr(f->simt.detail, "17179869184 bytes")); /* 2^34 */
}
END_TEST

/* ---- what else is found ---- */

enum { ROWS = 3000000, COLS = 1000, LAST = ROWS - 1 };

START_TEST(elements_have_their_true_index) {
  static const struct {
    Entry *entry;
    SimtClass cls;
    int64_t index;
  } faults[] = {
      {huge_wrong, SIMT_WRONG_RESULT, (int64_t)LAST * COLS + 1},
      {huge_nan, SIMT_WRONG_SPECIAL, (int64_t)LAST * COLS + 1},
      {huge_unwritten, SIMT_UNWRITTEN_OUTPUT, (int64_t)LAST * COLS + COLS - 1},
      {huge_changes_input, SIMT_INPUT_WRITTEN, (int64_t)LAST * COLS + 1},
  };
  WfVariant v = row_a_block("last_row", faults[_i].entry);
  WfCase c = case_of(ROWS, COLS);
  char element[32], where[64];
  const WfVerdict *got = judge(&c, &v, &plain, &verdict);
  ck_assert_uint_eq(got->errors, BIT(faults[_i].cls));
  const WfFinding *f = find(got, faults[_i].cls);
  ck_assert_int_eq(f->index, faults[_i].index);
  ck_assert_int_eq(f->n_bad, 1);
  snprintf(element, sizeof element, "[%d,%d]", LAST, (int)(faults[_i].index % COLS));
  snprintf(where, sizeof where, "%s%s", faults[_i].cls == SIMT_INPUT_WRITTEN ? "x" : "y", element);
  ck_assert_str_eq(f->simt.element, element);
  ck_assert_msg(strstr(f->simt.detail, where) != NULL, "'%s' names no %s", f->simt.detail, where);
  ck_assert_int_eq(f->simt.offset_bytes, f->index * 4);
  if (faults[_i].cls == SIMT_INPUT_WRITTEN)
    ck_assert(f->expected == (double)wf_case_value(&c, 0, f->index) && f->got == 0.5f);
  if (faults[_i].cls == SIMT_WRONG_RESULT)
    ck_assert_uint_eq(f->writer.block[0], LAST);
}
END_TEST

/* A row that nobody else writes in this run: its owner does not run. */
START_TEST(writes_to_what_others_own) {
  Entry *const entries[] = {huge_writes_another, huge_writes_next};
  const int64_t index[] = {(int64_t)(LAST - 1234567) * COLS + 1, (int64_t)LAST * COLS - 1};
  WfVariant v = row_a_block("last_row", entries[_i]);
  WfCase c = case_of(ROWS, COLS);
  const WfVerdict *got = judge(&c, &v, &plain, &verdict);
  ck_assert_uint_eq(got->errors, BIT(SIMT_RACE_GLOBAL));
  const SimtFinding *f = &find(got, SIMT_RACE_GLOBAL)->simt;
  ck_assert_int_eq(f->offset_bytes, index[_i] * 4);
  ck_assert_str_eq(f->object, "y");
  ck_assert_uint_eq(f->here.block[0], LAST);
  ck_assert_ptr_nonnull(strstr(f->here.site->func, "last_row"));
  ck_assert_ptr_null(f->other.site);
  ck_assert_str_eq(find(got, SIMT_RACE_GLOBAL)->simt.here.access, "write");
}
END_TEST

/* Too much of a tensor touched: no verdict, rather than all memory; the next case is right. */
START_TEST(a_flood_has_no_verdict) {
  WfVariant floods = row_a_block("floods", huge_floods), right = row_a_block("block_size", huge_block_size);
  WfCase c = case_of(ROWS, COLS);
  judge(&c, &floods, &plain, &verdict);
  ck_assert_int_eq(verdict.no_verdict, 1);
  ck_assert_uint_eq(judge(&c, &right, &plain, &verdict)->errors, 0);
  ck_assert_int_lt(most_resident_kb(), 2 << 20);
}
END_TEST

/* Small tensors, and two billion blocks that have nothing to do. */
START_TEST(a_grid_of_idle_blocks) {
  const WfVariant *v = wf_variant_find(&wf_op_softmax, "block_shuffle", strlen("block_shuffle"));
  WfCase c = case_of(5, 70);
  c.grid[0] = INT32_MAX;
  judge(&c, v, &plain, &verdict);
  ck_assert_uint_eq(verdict.errors | verdict.warnings, 0);
  ck_assert_int_eq(verdict.no_verdict, 0);
  ck_assert_uint_ge(verdict.stats.blocks, 3);
  ck_assert_uint_le(verdict.stats.blocks, WF_SPARSE_BLOCKS);
}
END_TEST

START_TEST(what_cannot_be_run_is_refused) {
  static const struct {
    int64_t rows, cols;
    const char *grid, *owns, *why;
  } refused[] = {
      {PAST(20), PAST(8), "rows", NULL, "too large to run as a whole, 268435456 elements, and the contract does not say what a block owns"},
      {1, PAST(24) + 1, "rows", "b .. b + 1", "the 1 blocks to run own 1 rows, 16777217 elements"},
      {PAST(28), PAST(5), "rows", "b .. b + 1", "the tensor x has 8589934592 elements, and there is room for"},
      {PAST(31), 2, "1", "b .. b + 1", "rows is 2147483648, and launch statements have it as an int"},
      {PAST(26), 64, "17", "b .. rows step grid.x", "the 5 blocks to run own"},
      {PAST(26), 64, "rows", "b - 1 .. b", "a block owns slices from 0 on"},
      {PAST(26), 64, "rows", "b, b + 1", "'..' is missing"},
      {PAST(26), 64, "rows", "b .. b + 1 step 2 width 3", "a block owns slices from 0 on, and 1 to STEP"},
  };
  WfVariant v = variant_of("any", huge_block_size, refused[_i].grid, refused[_i].owns);
  WfCase c = case_of(refused[_i].rows, refused[_i].cols);
  char err[256] = "";
  ck_assert_int_eq(wf_run(runner, &c, &v, &plain, &verdict, err, sizeof err), -2);
  ck_assert_msg(strstr(err, refused[_i].why) != NULL, "'%s' does not say '%s'", err, refused[_i].why);
  WfRunOptions outside = {.detect = SIMT_DETECT_ALL, .outside = 1};
  ck_assert_int_eq(wf_run(runner, &c, &v, &outside, &verdict, err, sizeof err), -2);
}
END_TEST

START_TEST(the_same_case_gives_the_same_report) {
  WfVariant v = row_a_block("block_unsigned", huge_block_unsigned);
  WfCase c = case_of(PAST(32) / 100 + 2, 100);
  judge(&c, &v, &plain, &verdict);
  judge(&c, &v, &plain, &other);
  ck_assert_uint_eq(verdict.n, other.n);
  for (size_t i = 0; i < verdict.n; i++) {
    char *a = wf_finding_json(&verdict.finding[i], NULL), *b = wf_finding_json(&other.finding[i], NULL);
    ck_assert_str_eq(a, b);
    free(a);
    free(b);
  }
}
END_TEST

/* ---- the contracts of the softmax variants ---- */

enum { CASES = 12, MAX_ROWS = 4096 };

static const WfVariant *nth(int i) { return &wf_op_softmax.variants[i]; }

/* Blocks run independently of each other where, and only where, it is said what they own. */
START_TEST(independent_blocks_own_something) {
  ck_assert_int_eq(nth(_i)->owns != NULL, (nth(_i)->flags & WF_BLOCKS_INDEPENDENT) != 0);
}
END_TEST

static void each_row_has_one_owner(const WfVariant *v, const WfCase *c, const WfGeometry *g) {
  static int owner[MAX_ROWS];
  int64_t rows = c->dim[0];
  ck_assert_int_le(rows, MAX_ROWS);
  for (int64_t r = 0; r < rows; r++) owner[r] = -1;
  for (uint64_t b = 0; b < wf_geometry_blocks(g); b++) {
    WfOwned o;
    char err[128];
    int64_t n = 0;
    ck_assert_msg(wf_owns_eval(v->owns, c, g, b, &o, err, sizeof err) == 0, "%s: %s", v->name, err);
    for (int64_t r = 0; r < rows; r++) {
      if (!wf_owned_has(&o, r)) continue;
      ck_assert_msg(owner[r] < 0, "%s: row %lld has two owners", v->name, (long long)r);
      owner[r] = (int)b;
      n++;
    }
    ck_assert_int_eq(n, wf_owned_count(&o));
  }
  for (int64_t r = 0; r < rows; r++) {
    uint64_t b;
    ck_assert_msg(owner[r] >= 0, "%s: row %lld has no owner", v->name, (long long)r);
    ck_assert_int_eq(wf_owns_find(v->owns, c, g, r, &b), 0);
    ck_assert_int_eq((int)b, owner[r]);
  }
}

/* A case that runs as a whole. */
static void draw(const WfVariant *v, WfChoice *ch, WfCase *c, WfGeometry *g) {
  char why[160];
  do {
    wf_case_generate(c, &wf_op_softmax, v, ch);
    ck_assert_msg(wf_case_admits(c, v, g, why, sizeof why), "%s: %s", v->name, why);
  } while (wf_case_is_large(c, g));
  c->variant = NULL;
}

START_TEST(rows_have_one_owner) {
  const WfVariant *v = nth(_i);
  WfChoice ch = {.state = 7};
  WfCase c;
  WfGeometry g;
  if (!v->owns || (v->requires && strstr(v->requires, "> 2147483648"))) return; /* no case runs as a whole */
  for (int i = 0; i < CASES; i++) {
    draw(v, &ch, &c, &g);
    each_row_has_one_owner(v, &c, &g);
  }
}
END_TEST

static void same_findings(const WfVariant *v, int n) {
  ck_assert_msg(verdict.n == other.n && verdict.runs == other.runs, "%s, case %d: %zu findings in %llu runs, %zu in %llu", v->name, n,
                verdict.n, (unsigned long long)verdict.runs, other.n, (unsigned long long)other.runs);
  ck_assert_uint_eq(verdict.situations, other.situations);
  for (size_t i = 0; i < verdict.n; i++) {
    char *a = wf_finding_json(&verdict.finding[i], NULL), *b = wf_finding_json(&other.finding[i], NULL);
    ck_assert_str_eq(a, b);
    free(a);
    free(b);
  }
}

/* Run in the way of large cases: where all blocks run, everything is as in the usual way, bit for bit, faults too; where some do,
 * right kernels are right. */
START_TEST(in_part_as_a_whole) {
  const WfVariant *v = nth(_i);
  WfRunOptions in_part = plain;
  WfChoice ch = {.state = 8};
  WfCase c;
  WfGeometry g;
  in_part.some_blocks = 1;
  if (!v->owns || (v->requires && strstr(v->requires, "> 2147483648"))) return;
  for (int i = 0; i < CASES; i++) {
    draw(v, &ch, &c, &g);
    judge(&c, v, &in_part, &verdict);
    if (!v->expect)
      ck_assert_msg(!(verdict.errors | verdict.warnings), "%s, case %d: %#x", v->name, i, verdict.errors);
    if (wf_geometry_blocks(&g) > WF_SPARSE_BLOCKS) continue;
    judge(&c, v, &plain, &other);
    same_findings(v, i);
  }
}
END_TEST

/* A contract that is wrong about what a block owns is found out. */
START_TEST(wrong_owners_are_noticed) {
  static const struct {
    const char *variant, *owns;
  } wrong[] = {
      {"block_recompute", "b .. b + 2"},
      {"block_recompute", "b + 1 .. b + 2"},
      {"block_recompute", "b .. b"},
      {"block_shuffle", "b .. b + 1"},
      {"block_shuffle", "b .. rows step grid.x + 1"},
      {"online_warp", "b .. rows step grid.x"},
      {"online_warp", "b * ((block.x + 31) / 32) .. rows step grid.x * ((block.x + 31) / 32)"},
      {"warp_row", "b * block.x .. (b + 1) * block.x"},
      {"serial_row", "b * block.x .. (b + 1) * block.x - 1"},
  };
  const WfVariant *v = wf_variant_find(&wf_op_softmax, wrong[_i].variant, strlen(wrong[_i].variant));
  WfVariant changed = *v;
  WfRunOptions in_part = plain;
  WfChoice ch = {.state = 9};
  WfCase c;
  WfGeometry g;
  int noticed = 0;
  changed.owns = wrong[_i].owns;
  in_part.some_blocks = 1;
  for (int i = 0; i < 8 * CASES && !noticed; i++) {
    draw(v, &ch, &c, &g);
    noticed = (judge(&c, &changed, &in_part, &verdict)->errors & (BIT(SIMT_RACE_GLOBAL) | BIT(SIMT_UNWRITTEN_OUTPUT))) != 0;
  }
  ck_assert_msg(noticed, "%s with '%s'", v->name, changed.owns);
}
END_TEST

/* Every right kernel is right past 2^31 elements, and past 2^32. */
START_TEST(right_kernels_are_right_there) {
  const WfVariant *v = nth(_i);
  static const int64_t elems[] = {((int64_t)1 << 31) + 100000, ((int64_t)1 << 32) + 100000};
  static const int64_t cols[] = {3, 32, 301};
  static const uint32_t blocks[] = {1, 32, 128, 256, 1000, 1024};
  int n = 0;
  if (v->expect || !v->owns) return;
  for (int k = 0; k < COUNT(cols) * COUNT(blocks); k++) {
    WfCase c = case_of(elems[k % 2] / cols[k % COUNT(cols)], cols[k % COUNT(cols)]);
    memcpy(c.dtype, v->dtype, sizeof c.dtype);
    c.block[0] = blocks[k / COUNT(cols)];
    c.schedule = (uint64_t)k;
    c.fill[0].base_offset_elems = c.fill[1].base_offset_elems = 4;
    if (!wf_case_admits(&c, v, NULL, NULL, 0)) continue;
    const WfRunOptions quick = {.detect = SIMT_DETECT_ALL};
    judge(&c, v, &quick, &verdict);
    ck_assert_msg(!(verdict.errors | verdict.warnings), "%s: %#x with %lld columns, block %u", v->name, verdict.errors,
                  (long long)c.dim[1], c.block[0]);
    n++;
  }
  ck_assert_msg(n > 0 || (v->requires && strstr(v->requires, "rows == 1")), "%s: no case", v->name);
}
END_TEST

/* ---- in the fuzzing loop ---- */

/* Contracts that do not ask for large cases: such faults are found all the same. */
START_TEST(the_fuzzer_finds_them) {
  enum { EXECUTIONS = 20000, SEEDS = 2 };
  static const int faulty[] = {0, 1, 3, 4, 6, 7};
  WfVariant v = variant_of(offsets[faulty[_i]].name, offsets[faulty[_i]].entry, offsets[faulty[_i]].grid, offsets[faulty[_i]].owns);
  WfTarget target = {&wf_op_softmax, &v};
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    WfFuzzer *f;
    int n = 0, found = 0;
    ck_assert_int_eq(wf_fuzzer_create(&f, &target, 1, seed), 0);
    for (; n < EXECUTIONS && !found; n++) {
      WfStep s;
      char err[256];
      wf_fuzzer_choose(f, &s);
      ck_assert_msg(wf_fuzzer_execute(f, &s, err, sizeof err) == 0, "%s", err);
      found = (s.verdict->errors & BIT(SIMT_INT_OVERFLOW)) != 0;
      ck_assert_msg(found || !s.verdict->errors, "%s: %#x in execution %d", v.name, s.verdict->errors, n);
    }
    printf("# %s, seed %d: found in execution %d\n", v.name, (int)seed, n);
    fflush(stdout);
    ck_assert_msg(found, "%s: not found", v.name);
    wf_fuzzer_destroy(f);
  }
}
END_TEST

static int large_among(const char *dims, int n) {
  const WfVariant *v = wf_variant_find(&wf_op_softmax, "warp_row", strlen("warp_row"));
  const WfOp *op = &wf_op_softmax;
  WfLimits limits;
  WfChoice ch = {.state = 3};
  char err[160];
  int large = 0;
  if (dims) {
    ck_assert_msg(wf_limits_parse(dims, &op, 1, &limits, err, sizeof err) == 0, "%s", err);
    ch.limits = &limits;
  }
  for (int i = 0; i < n; i++) {
    WfCase c;
    WfGeometry g;
    wf_case_generate(&c, op, v, &ch);
    ck_assert_msg(wf_case_admits(&c, v, &g, err, sizeof err), "%s", err);
    ck_assert_int_eq(wf_limits_hold(ch.limits, &c), 1);
    large += wf_case_is_large(&c, &g);
  }
  return large;
}

START_TEST(dims_exclude_and_force_them) {
  int usual = large_among(NULL, 10000);
  ck_assert_int_gt(usual, 20);
  ck_assert_int_lt(usual, 100);
  ck_assert_int_eq(large_among("rows=1..1000 cols=1..1000", 3000), 0);
  ck_assert_int_eq(large_among("rows=2000000000 cols=2", 100), 100);
  ck_assert_int_eq(large_among("rows=100000000..200000000", 100), 100);
  ck_assert_int_gt(large_among("cols=64", 3000), 3);
}
END_TEST

int main(void) {
  Suite *s = suite_create("huge");
  TCase *t = tcase_create("huge");
  int n = (int)wf_op_softmax.n_variants;
  tcase_set_timeout(t, 0);
  tcase_add_checked_fixture(t, set_up, tear_down);
  tcase_add_loop_test(t, offsets_of_32_bits_are_caught, 0, COUNT(offsets));
  tcase_add_test(t, wrapped_index_inside_the_buffer);
  tcase_add_loop_test(t, elements_have_their_true_index, 0, 4);
  tcase_add_loop_test(t, writes_to_what_others_own, 0, 2);
  tcase_add_test(t, a_flood_has_no_verdict);
  tcase_add_test(t, a_grid_of_idle_blocks);
  tcase_add_loop_test(t, what_cannot_be_run_is_refused, 0, 8);
  tcase_add_test(t, the_same_case_gives_the_same_report);
  tcase_add_loop_test(t, independent_blocks_own_something, 0, n);
  tcase_add_loop_test(t, rows_have_one_owner, 0, n);
  tcase_add_loop_test(t, in_part_as_a_whole, 0, n);
  tcase_add_loop_test(t, wrong_owners_are_noticed, 0, 9);
  tcase_add_loop_test(t, right_kernels_are_right_there, 0, n);
  tcase_add_loop_test(t, the_fuzzer_finds_them, 0, 6);
  tcase_add_test(t, dims_exclude_and_force_them);
  suite_add_tcase(s, t);
  return suite_run(s);
}
