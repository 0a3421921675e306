/* test_lazy.c - buffers of 16 GiB that take memory where they are touched, and launches of which only some blocks run. */
#include "../simt/simt.h"
#include "suite.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

#define ELEMS ((uint64_t)1 << 32)
#define BYTES (ELEMS * sizeof(float))
#define STRIDE ((uint64_t)1 << 20) /* kStride of tests/huge/lazy.cu */
#define BLOCKS 4096                /* ELEMS / STRIDE */
#define LAST (BLOCKS - 1)

typedef void Launcher(void **buffers, int blocks);
Launcher lazy_copy_far, lazy_add_far, lazy_copy_vectors, lazy_walk, lazy_read_unwritten, lazy_clear_some, lazy_clear_all,
    lazy_two_launches;

static const uint64_t some[] = {0, 7, 2048, LAST};
enum { SOME = sizeof some / sizeof *some };

typedef struct Bench {
  Simt *simt;
  float *out, *in;
  uint64_t filled; /* chunks of both buffers, so far */
  SimtStats stats;
} Bench;

static float value(uint64_t i) { return (float)(i % 1021); }

static void fill_in(void *ctx, uint64_t offset, uint64_t bytes, void *to) {
  float *f = to;
  ((Bench *)ctx)->filled++;
  for (uint64_t i = 0; i < bytes / sizeof *f; i++) f[i] = value(offset / sizeof *f + i);
}

static void fill_out(void *ctx, uint64_t offset, uint64_t bytes, void *to) {
  (void)offset;
  ((Bench *)ctx)->filled++;
  memset(to, 0, bytes);
}

static void start(Bench *b, size_t base_offset) {
  memset(b, 0, sizeof *b);
  ck_assert_int_eq(simt_create(&b->simt), 0);
  SimtLazyBuffer out = {.name = "out", .bytes = BYTES, .base_offset_bytes = base_offset, .expected_bytes = 1 << 20, .fill = fill_out, .ctx = b};
  SimtLazyBuffer in = {.name = "in", .bytes = BYTES, .expected_bytes = 1 << 20, .flags = SIMT_BUF_INIT, .fill = fill_in, .ctx = b};
  void *p;
  ck_assert_int_eq(simt_alloc_lazy(b->simt, &out, &p), 0);
  b->out = p;
  ck_assert_int_eq(simt_alloc_lazy(b->simt, &in, &p), 0);
  b->in = p;
  ck_assert_uint_eq((uintptr_t)b->out % 256, base_offset);
}

/* The number of findings. */
static size_t run_blocks(Bench *b, Launcher *launch, const uint64_t *blocks, size_t n) {
  SimtRun how = {.detect = SIMT_DETECT_ALL, .schedule = 3, .blocks = blocks, .n_blocks = n};
  void *buffer[2] = {b->out, b->in};
  simt_begin(b->simt, &how);
  launch(buffer, BLOCKS);
  return simt_end(b->simt, &b->stats);
}

START_TEST(blocks_that_are_named_run) {
  Bench b;
  start(&b, 0);
  ck_assert_uint_eq(run_blocks(&b, lazy_copy_far, some, SOME), 0);
  ck_assert_uint_eq(b.stats.blocks, SOME);
  ck_assert_uint_eq(b.filled, 2 * SOME);
  for (int k = 0; k < SOME; k++)
    for (uint64_t i = some[k] * STRIDE; i < some[k] * STRIDE + 32; i++)
      ck_assert_msg(b.out[i] == value(i) + BLOCKS, "element %llu is %g", (unsigned long long)i, (double)b.out[i]);
  simt_destroy(b.simt);
}
END_TEST

START_TEST(what_was_touched_is_listed) {
  Bench b;
  size_t n, again;
  start(&b, 4);
  run_blocks(&b, lazy_copy_far, some, SOME);
  const uint64_t *chunk = simt_touched(b.simt, b.out, &n);
  ck_assert_uint_eq(n, SOME);
  for (int k = 0; k < SOME; k++) {
    int found = 0;
    for (size_t i = 0; i < n; i++) found += chunk[i] == some[k] * STRIDE * sizeof(float);
    ck_assert_int_eq(found, 1);
  }
  simt_refresh(b.simt, b.out);
  simt_touched(b.simt, b.out, &again);
  ck_assert_uint_eq(again, 0);
  ck_assert_int_eq(simt_touch(b.simt, b.out + LAST * STRIDE, 4), 0);
  ck_assert(b.out[LAST * STRIDE] == 0); /* as it was */
  ck_assert_int_eq(simt_touch(b.simt, b.out + 255, 8), 0); /* over the edge of a chunk */
  simt_touched(b.simt, b.out, &again);
  ck_assert_uint_eq(again, 3);
  simt_destroy(b.simt);
}
END_TEST

START_TEST(every_kind_of_access_touches) {
  Bench b;
  uint64_t first;
  SimtWhere w;
  start(&b, 0);
  ck_assert_uint_eq(run_blocks(&b, lazy_copy_vectors, some, SOME), 0);
  for (int k = 0; k < SOME; k++) ck_assert(b.out[some[k] * STRIDE + 31] == value(some[k] * STRIDE + 31));
  ck_assert_uint_eq(simt_unwritten(b.simt, b.out + LAST * STRIDE, 4, 40, &first), 8);
  ck_assert_uint_eq(first, 32);
  ck_assert_int_eq(simt_last_write(b.simt, b.out + LAST * STRIDE, &w), 1);
  ck_assert_uint_eq(w.block[0], LAST);
  simt_refresh(b.simt, b.out);
  ck_assert_uint_eq(run_blocks(&b, lazy_add_far, some, SOME), 0);
  for (int k = 0; k < SOME; k++) ck_assert(b.out[some[k] * STRIDE] == 32);
  simt_refresh(b.simt, b.out);
  ck_assert_uint_eq(run_blocks(&b, lazy_clear_some, some, SOME), 0);
  ck_assert(b.out[5 * STRIDE] == 0 && b.out[7 * STRIDE] == 32);
  simt_destroy(b.simt);
}
END_TEST

START_TEST(values_nobody_wrote_are_seen) {
  Bench b;
  start(&b, 0);
  ck_assert_uint_eq(run_blocks(&b, lazy_read_unwritten, NULL, 0), 0);
  ck_assert_int_eq(b.stats.poison_read, 1);
  ck_assert_int_eq(b.stats.poison[0].cls, SIMT_UNINIT_GLOBAL);
  simt_destroy(b.simt);
}
END_TEST

/* No finding, no verdict, and the next run is none the worse. */
START_TEST(too_much_ends_the_run) {
  Bench b;
  Launcher *const too_much[] = {lazy_walk, lazy_clear_all};
  start(&b, 0);
  ck_assert_uint_eq(run_blocks(&b, too_much[_i], NULL, 0), 0);
  ck_assert_int_eq(b.stats.abandoned, 1);
  ck_assert_uint_le(b.filled, SIMT_MAX_CHUNKS);
  simt_refresh(b.simt, b.out);
  ck_assert_uint_eq(run_blocks(&b, lazy_copy_far, some, SOME), 0);
  ck_assert_int_eq(b.stats.abandoned, 0);
  simt_destroy(b.simt);
}
END_TEST

/* Each grid has its own; a launch none of whose blocks is named does nothing. */
START_TEST(blocks_beyond_a_grid_do_not_count) {
  Bench b;
  start(&b, 0);
  run_blocks(&b, lazy_two_launches, some, SOME);
  ck_assert_uint_eq(b.stats.launches, 2);
  ck_assert_uint_eq(b.stats.blocks, SOME + 1);
  ck_assert(b.out[0] == 64 && b.out[7 * STRIDE] == 32);
  simt_refresh(b.simt, b.out);
  run_blocks(&b, lazy_two_launches, some + 1, SOME - 1);
  ck_assert_uint_eq(b.stats.blocks, SOME - 1);
  ck_assert_int_eq(b.stats.abandoned, 0);
  simt_destroy(b.simt);
}
END_TEST

START_TEST(sizes_have_a_limit) {
  Simt *s;
  void *p;
  SimtLazyBuffer b = {.name = "b", .bytes = simt_largest_buffer(), .fill = fill_out};
  ck_assert_int_eq(simt_create(&s), 0);
  ck_assert_uint_gt(simt_largest_buffer(), BYTES);
  ck_assert_int_eq(simt_alloc_lazy(s, &b, &p), 0);
  b.bytes++;
  ck_assert_int_eq(simt_alloc_lazy(s, &b, &p), -1);
  simt_destroy(s);
}
END_TEST

/* As many as one process may want, each with its own addresses. */
START_TEST(several_contexts_fit) {
  enum { CONTEXTS = 3 };
  Bench b[CONTEXTS];
  for (int i = 0; i < CONTEXTS; i++) start(&b[i], 0);
  for (int i = 0; i < CONTEXTS; i++) {
    ck_assert_uint_eq(run_blocks(&b[i], lazy_copy_far, some, SOME), 0);
    ck_assert(b[i].out[LAST * STRIDE] == value(LAST * STRIDE) + BLOCKS);
  }
  for (int i = 0; i < CONTEXTS; i++) simt_destroy(b[i].simt);
}
END_TEST

int main(void) {
  Suite *s = suite_create("lazy");
  TCase *tc = tcase_create("lazy");
  tcase_add_test(tc, blocks_that_are_named_run);
  tcase_add_test(tc, what_was_touched_is_listed);
  tcase_add_test(tc, every_kind_of_access_touches);
  tcase_add_test(tc, values_nobody_wrote_are_seen);
  tcase_add_loop_test(tc, too_much_ends_the_run, 0, 2);
  tcase_add_test(tc, blocks_beyond_a_grid_do_not_count);
  tcase_add_test(tc, sizes_have_a_limit);
  tcase_add_test(tc, several_contexts_fit);
  suite_add_tcase(s, tc);
  return suite_run(s);
}
