/* test_device.c - the contract of gpu/device.h: run with the device on the engine (test_device_fake), and with the one that
 * programs link (test_device), which is skipped where there is none. Each test has a process, and opens the device, of its own. */
#define _DEFAULT_SOURCE
#include "../gpu/device.h"
#include "suite.h"
#include <check.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

WfEntry device_write_far, device_write_null, device_write_past_end, device_misaligned, device_assert, device_trap, device_hang,
    device_ramp, device_block_too_large, device_no_grid, device_too_much_shared, device_second_refused, device_leftover;

enum { HOST_BYTES = 8 << 20 };
#define PATTERN 0x7fc0deadu

typedef struct Bench {
  WfDevice *d;
  char *host;
} Bench;

static void start(Bench *b) {
  char err[256] = "";
  b->host = mmap(NULL, HOST_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne(b->host, MAP_FAILED);
  WfDeviceOptions opt = {.host = b->host, .host_bytes = HOST_BYTES};
  ck_assert_msg(wf_device_open(&b->d, &opt, err, sizeof err) == 0, "%s", err);
}

static void sync_well(Bench *b) {
  WfDeviceError e;
  wf_device_sync(b->d, &e);
  ck_assert_msg(e.status == WF_DEVICE_OK, "status %d, %d %s", (int)e.status, e.code, e.name);
}

static void launch_well(Bench *b, WfEntry *entry, const WfLaunchArgs *args) {
  WfDeviceError e;
  wf_device_launch(b->d, entry, args, &e);
  ck_assert_msg(e.status == WF_DEVICE_OK, "status %d, %d %s", (int)e.status, e.code, e.name);
}

static float *room(Bench *b, size_t n) {
  float *p = wf_device_alloc(b->d, n * sizeof *p);
  ck_assert_ptr_nonnull(p);
  return p;
}

static WfLaunchArgs args_of(float *p, int64_t n) { return (WfLaunchArgs){.tensor = {p}, .dim = {n}}; }

static int is_fake(const Bench *b) {
  WfDeviceInfo info;
  wf_device_info(b->d, &info);
  return strcmp(info.name, "fake device") == 0;
}

/* ---- opening ---- */

START_TEST(a_device_tells_of_itself) {
  Bench b;
  WfDeviceInfo info;
  char why[256];
  int n = wf_device_count(why, sizeof why);
  ck_assert_int_ge(n, 1);
  start(&b);
  wf_device_info(b.d, &info);
  ck_assert_str_ne(info.name, "");
  ck_assert_int_eq(info.index, 0);
  ck_assert_int_ge(info.major, 1);
  ck_assert_int_ge(info.multiprocessors, 1);
  ck_assert_uint_ge(info.memory_bytes, 64 << 20);
}
END_TEST

START_TEST(a_device_that_is_not_there_cannot_be_opened) {
  WfDevice *d = (WfDevice *)&d;
  char why[256], err[256] = "";
  WfDeviceOptions opt = {.index = wf_device_count(why, sizeof why)};
  ck_assert_int_eq(wf_device_open(&d, &opt, err, sizeof err), -1);
  ck_assert_ptr_null(d);
  ck_assert_str_ne(err, "");
  ck_assert_ptr_null(strchr(err, '\n'));
}
END_TEST

START_TEST(flavors_have_names) {
  for (int f = 0; f < WF_GPU_FLAVOR_COUNT; f++) {
    WfGpuFlavor back;
    const char *name = wf_gpu_flavor_name((WfGpuFlavor)f);
    ck_assert_int_eq(wf_gpu_flavor_parse(name, strlen(name), &back), 0);
    ck_assert_int_eq((int)back, f);
    ck_assert_int_eq(wf_gpu_flavor_parse(name, strlen(name) - 1, &back), -1);
  }
}
END_TEST

/* ---- memory ---- */

START_TEST(memory_is_aligned_and_apart) {
  static const size_t bytes[] = {1, 4, 255, 256, 257, 4096, 1 << 20, 12};
  enum { N = sizeof bytes / sizeof *bytes };
  Bench b;
  char *p[N];
  start(&b);
  for (int i = 0; i < N; i++) {
    p[i] = wf_device_alloc(b.d, bytes[i]);
    ck_assert_ptr_nonnull(p[i]);
    ck_assert_uint_eq((uintptr_t)p[i] % 256, 0);
    for (int k = 0; k < i; k++)
      ck_assert(p[i] + bytes[i] <= p[k] || p[k] + bytes[k] <= p[i]);
  }
  for (int i = 0; i < N; i += 2)
    wf_device_free(b.d, p[i]);
  for (int i = 0; i < N; i += 2) {
    p[i] = wf_device_alloc(b.d, bytes[i]);
    for (int k = 1; k < N; k += 2)
      ck_assert(p[i] + bytes[i] <= p[k] || p[k] + bytes[k] <= p[i]);
  }
  sync_well(&b);
}
END_TEST

START_TEST(too_much_memory_leaves_the_device_well) {
  Bench b;
  start(&b);
  ck_assert_ptr_null(wf_device_alloc(b.d, (size_t)1 << 46));
  float *p = room(&b, 64);
  WfLaunchArgs args = args_of(p, 64);
  wf_device_fill(b.d, p, 64, 0);
  launch_well(&b, device_ramp, &args);
  sync_well(&b);
}
END_TEST

START_TEST(what_is_asked_for_happens_in_order) {
  enum { N = 100000, PART = 777 };
  Bench b;
  uint32_t *up, *first, *second;
  start(&b);
  up = (uint32_t *)b.host;
  first = up + N;
  second = first + N;
  float *p = room(&b, N), *q = room(&b, N);
  WfLaunchArgs args = args_of(q, N);
  for (uint32_t i = 0; i < N; i++)
    up[i] = i * 2654435761u;
  wf_device_upload(b.d, p, up, N * sizeof *up);
  wf_device_copy(b.d, q, p, N * sizeof *up);
  wf_device_fill(b.d, q + 1, PART, PATTERN);
  wf_device_download(b.d, first, q, N * sizeof *up);
  wf_device_fill(b.d, q, N, 0);
  launch_well(&b, device_ramp, &args);
  launch_well(&b, device_ramp, &args);
  wf_device_download(b.d, second, q, N * sizeof *up);
  wf_device_fill(b.d, q, N, 0);
  sync_well(&b);
  for (uint32_t i = 0; i < N; i++) {
    ck_assert_uint_eq(first[i], i >= 1 && i < 1 + PART ? PATTERN : up[i]);
    ck_assert_msg(((float *)second)[i] == 2 * (float)i, "element %u is %g", i, (double)((float *)second)[i]);
  }
}
END_TEST

/* ---- values ---- */

/* One of every distribution, some with odd parameters. */
static const WfFill fills[] = {
    {WF_DIST_NORMAL, 1, 1, 0, 0},
    {WF_DIST_NORMAL, 0xfedcba9876543210u, 0x1.fffffep+127, -0x1p+100, 0},
    {WF_DIST_UNIFORM, 2, 0.1f, 3, 0},
    {WF_DIST_HUGE, 3, 1, -2, 0},
    {WF_DIST_INTEGERS, 4, 0x1p24, 0, 0},
    {WF_DIST_INTEGERS, 5, -7, 0.5, 0},
    {WF_DIST_RAMP, 6, 0.3f, -5, 0},
    {WF_DIST_HASH, 7, 2, 1, 0},
    {WF_DIST_DENORMAL, 8, 0, 0, 0},
    {WF_DIST_MIXED, 9, 126, 0, 0},
    {WF_DIST_MEAN, 10, 1, 1000, 0},
    {WF_DIST_MEAN, 11, 0x1p-140, 0x1p-130, 0},
    {WF_DIST_CONSTANT, 12, 0, -0.0, 0},
    {WF_DIST_DISTINCT, 13, 4096, 0, 0},
    {WF_DIST_DISTINCT, 14, 0, 0, 0},
};
enum { N_FILLS = sizeof fills / sizeof *fills };

/* A case of that op, which it need not suit otherwise. */
static WfCase case_of(const char *op, int64_t m, int64_t n, const WfFill *fill) {
  WfCase c;
  memset(&c, 0, sizeof c);
  c.op = wf_op_find(op, strlen(op));
  ck_assert_ptr_nonnull(c.op);
  c.dim[0] = m;
  c.dim[1] = n;
  for (int t = 0; t < WF_MAX_TENSORS; t++)
    c.fill[t] = *fill;
  return c;
}

static void edit(WfCase *c, int tensor, WfSel first, WfSel second, float value) {
  c->edits[c->n_edits++] = (WfEdit){(uint8_t)tensor, {first, second}, value};
}

#define ALL ((WfSel){0, INT64_MAX, 1})
#define AT(i) ((WfSel){i, i, 1})

static void check_values(Bench *b, const WfCase *c, int tensor) {
  int64_t n = wf_case_elems(c, tensor);
  uint32_t *got = (uint32_t *)b->host;
  float *p = room(b, (size_t)n + 2), *want = malloc((size_t)n * sizeof *want);
  ck_assert_ptr_nonnull(want);
  ck_assert_int_le(n + 2, HOST_BYTES / 4);
  wf_case_values(c, tensor, want);
  wf_device_fill(b->d, p, (size_t)n + 2, PATTERN);
  wf_device_values(b->d, c, tensor, p + 1);
  wf_device_download(b->d, got, p, ((size_t)n + 2) * sizeof *got);
  sync_well(b);
  ck_assert_uint_eq(got[0], PATTERN);
  ck_assert_uint_eq(got[n + 1], PATTERN);
  for (int64_t i = 0; i < n; i++) {
    uint32_t bits;
    memcpy(&bits, &want[i], sizeof bits);
    ck_assert_msg(got[i + 1] == bits, "%s of %s, element %lld: 0x%08x on the device, 0x%08x here",
                  wf_dist_name(c->fill[tensor].dist), c->op->name, (long long)i, got[i + 1], bits);
  }
  free(want);
  wf_device_free(b->d, p);
}

START_TEST(values_are_those_of_the_host) {
  Bench b;
  start(&b);
  for (int k = 0; k < N_FILLS; k++) {
    WfCase plane = case_of("matadd", 301, 257, &fills[k]), line = case_of("add", 70001, 0, &fills[k]);
    check_values(&b, &plane, 0);
    check_values(&b, &plane, 1);
    check_values(&b, &line, 1);
  }
}
END_TEST

START_TEST(few_elements_too) {
  Bench b;
  start(&b);
  for (int64_t n = 1; n < 40; n++) {
    WfCase c = case_of("matadd", n, 40 - n, &fills[0]);
    check_values(&b, &c, 0);
  }
  WfCase none = case_of("add", 0, 0, &fills[0]);
  wf_device_values(b.d, &none, 0, room(&b, 1));
  sync_well(&b);
}
END_TEST

START_TEST(edits_are_those_of_the_host) {
  Bench b;
  start(&b);
  WfCase c = case_of("matadd", 67, 129, &fills[0]);
  edit(&c, 0, AT(3), ALL, -INFINITY);
  edit(&c, 0, ALL, (WfSel){5, 100, 7}, INFINITY);
  edit(&c, 1, ALL, ALL, -0.0f);
  edit(&c, 0, (WfSel){2, INT64_MAX, 3}, AT(128), -0.0f);
  check_values(&b, &c, 0); /* few */
  check_values(&b, &c, 1);
  edit(&c, 0, AT(3), AT(5), NAN);
  edit(&c, 0, AT(66), AT(128), -NAN);
  edit(&c, 0, AT(67), AT(0), 1); /* outside: selects nothing */
  while (c.n_edits < WF_MAX_EDITS) {
    int64_t i = c.n_edits;
    edit(&c, (int)(i % 3 == 0), (WfSel){i % 11, i, i % 4 + 1}, (WfSel){i % 5, 2 * i, i % 9 + 1}, (float)i);
  }
  check_values(&b, &c, 0);
  check_values(&b, &c, 1);
  WfCase line = case_of("add", 1000, 0, &fills[0]);
  edit(&line, 0, (WfSel){999, INT64_MAX, 1}, AT(0), 7);
  edit(&line, 0, (WfSel){0, 500, 31}, (WfSel){1, 2, 1}, NAN);
  check_values(&b, &line, 0);
}
END_TEST

/* Elements behind the 2^32nd: only where there is memory for them. */
START_TEST(indices_have_64_bits) {
  enum { TAIL = 1000 };
  const int64_t n = ((int64_t)1 << 32) + 5000;
  Bench b;
  static float want[TAIL];
  start(&b);
  WfCase c = case_of("add", n, 0, &fills[0]);
  WfDeviceDamage *damage = (WfDeviceDamage *)b.host;
  uint32_t *got = (uint32_t *)(damage + 2);
  float *p = room(&b, (size_t)n);
  edit(&c, 0, AT(n - 3), ALL, 7);
  wf_device_values(b.d, &c, 0, p);
  wf_device_download(b.d, got, p + n - TAIL, TAIL * sizeof *got);
  wf_device_fill(b.d, p, (size_t)n, PATTERN);
  wf_device_compare(b.d, p, NULL, PATTERN, (uint64_t)n, &damage[0]);
  wf_device_fill(b.d, p + n - 2, 1, 1);
  wf_device_compare(b.d, p, NULL, PATTERN, (uint64_t)n, &damage[1]);
  sync_well(&b);
  wf_case_values_at(&c, 0, n - TAIL, TAIL, want);
  ck_assert_mem_eq(got, want, sizeof want);
  ck_assert_uint_eq(damage[0].n_words, 0);
  ck_assert_uint_eq(damage[1].n_words, 1);
  ck_assert_uint_eq(damage[1].first, n - 2);
}
END_TEST

/* ---- comparisons ---- */

static void check_damage(const WfDeviceDamage *d, uint64_t n, uint64_t first, uint32_t now, uint32_t was) {
  ck_assert_uint_eq(d->n_words, n);
  if (n == 0)
    return;
  ck_assert_uint_eq(d->first, first);
  ck_assert_uint_eq(d->now, now);
  ck_assert_uint_eq(d->was, was);
}

START_TEST(comparisons_find_the_first) {
  enum { N = 1000003 };
  static const size_t bad[] = {999999, 3, N - 1, 123456};
  Bench b;
  start(&b);
  WfDeviceDamage *d = (WfDeviceDamage *)b.host;
  float *p = room(&b, N), *q = room(&b, N);
  wf_device_fill(b.d, p, N, PATTERN);
  wf_device_copy(b.d, q, p, N * sizeof *p);
  memset(d, 0xff, 16 * sizeof *d);
  wf_device_compare(b.d, p, NULL, PATTERN, N, &d[0]);
  wf_device_compare(b.d, p, q, 0, N, &d[1]);
  wf_device_compare(b.d, p, NULL, 1, N, &d[2]);
  for (uint32_t i = 0; i < 4; i++) {
    wf_device_fill(b.d, p + bad[i], 1, i);
    wf_device_compare(b.d, p, NULL, PATTERN, N, &d[3 + i]);
    wf_device_compare(b.d, q, p, 0, N, &d[7 + i]);
  }
  wf_device_compare(b.d, p, NULL, PATTERN, 3, &d[11]);
  wf_device_compare(b.d, p + 3, NULL, PATTERN, 1, &d[12]);
  wf_device_compare(b.d, p, NULL, 1, 0, &d[13]);
  sync_well(&b);
  check_damage(&d[0], 0, 0, 0, 0);
  check_damage(&d[1], 0, 0, 0, 0);
  check_damage(&d[2], N, 0, PATTERN, 1);
  for (uint32_t i = 0; i < 4; i++) {
    check_damage(&d[3 + i], i + 1, i == 0 ? 999999 : 3, i > 0, PATTERN);
    check_damage(&d[7 + i], i + 1, i == 0 ? 999999 : 3, PATTERN, i > 0);
  }
  check_damage(&d[11], 0, 0, 0, 0);
  check_damage(&d[12], 1, 0, 1, PATTERN);
  check_damage(&d[13], 0, 0, 0, 0);
}
END_TEST

/* ---- launches ---- */

/* A variant of warpfuzz, by its name, in the flavor that is always built. */
START_TEST(variants_have_entries) {
  enum { N = 1000 };
  Bench b;
  WfGeometry g;
  start(&b);
  WfCase c = case_of("add", N, 0, &fills[0]);
  const WfVariant *v = wf_variant_find(c.op, "grid_stride", strlen("grid_stride"));
  ck_assert_ptr_nonnull(v);
  c.block[0] = 64;
  c.block[1] = c.block[2] = c.grid[1] = c.grid[2] = 1;
  ck_assert(wf_case_admits(&c, v, &g, NULL, 0));
  WfEntry *entry = wf_device_entry(v, c.op, WF_GPU_DEFAULT);
  if (!entry)
    return; /* built without it: --with-gpu-flavors */
  WfLaunchArgs args = {.tensor = {room(&b, N), room(&b, N), room(&b, N)}, .dim = {N}};
  memcpy(args.grid, g.grid, sizeof args.grid);
  memcpy(args.block, g.block, sizeof args.block);
  wf_device_values(b.d, &c, 0, args.tensor[0]);
  wf_device_values(b.d, &c, 1, args.tensor[1]);
  wf_device_fill(b.d, args.tensor[2], N, PATTERN);
  launch_well(&b, entry, &args);
  float *y = (float *)b.host;
  wf_device_download(b.d, y, args.tensor[2], N * sizeof *y);
  sync_well(&b);
  for (int64_t i = 0; i < N; i++)
    ck_assert(y[i] == wf_case_value(&c, 0, i) + wf_case_value(&c, 1, i));
}
END_TEST

/* All variants have one or none has; a variant that is not in the tables has none. */
START_TEST(flavors_are_whole) {
  size_t n = 0, n_entries[WF_GPU_FLAVOR_COUNT] = {0}, n_built = 0;
  for (const WfOp *const *op = wf_ops; *op; op++)
    for (size_t k = 0; k < (*op)->n_variants; k++, n++)
      for (int f = 0; f < WF_GPU_FLAVOR_COUNT; f++)
        n_entries[f] += wf_device_entry(&(*op)->variants[k], *op, (WfGpuFlavor)f) != NULL;
  for (int f = 0; f < WF_GPU_FLAVOR_COUNT; f++) {
    ck_assert(n_entries[f] == 0 || n_entries[f] == n);
    n_built += n_entries[f] != 0;
  }
  ck_assert_uint_ge(n_built, 1);
  WfVariant unknown = {.name = "unknown"};
  ck_assert_ptr_null(wf_device_entry(&unknown, wf_ops[0], WF_GPU_DEFAULT));
}
END_TEST

static const struct {
  WfEntry *entry;
  WfDeviceStatus status;
} faults[] = {
    {device_write_far, WF_DEVICE_ADDRESS}, {device_write_null, WF_DEVICE_ADDRESS}, {device_misaligned, WF_DEVICE_MISALIGNED},
    {device_assert, WF_DEVICE_ASSERT},     {device_trap, WF_DEVICE_TRAP},
};
enum { N_FAULTS = sizeof faults / sizeof *faults };

/* All that may be called with a device whose context is lost: nothing happens, and nothing is worse for it. */
static void call_everything(Bench *b, float *p) {
  WfDeviceDamage *damage = (WfDeviceDamage *)(b->host + 4096);
  WfCase c = case_of("add", 64, 0, &fills[0]);
  memset(b->host, 0x55, 8192);
  wf_device_upload(b->d, p, b->host, 256);
  wf_device_copy(b->d, p, p + 32, 128);
  wf_device_fill(b->d, p, 64, 0);
  wf_device_values(b->d, &c, 0, p);
  wf_device_compare(b->d, p, NULL, 0, 64, damage);
  wf_device_download(b->d, b->host, p, 256);
  wf_device_disturb(b->d, 7);
  ck_assert_ptr_null(wf_device_alloc(b->d, 256));
  wf_device_free(b->d, p);
  for (int i = 0; i < 8192; i++)
    ck_assert_int_eq(b->host[i], 0x55);
}

START_TEST(faults_are_told_and_last) {
  Bench b;
  WfDeviceError first, e;
  start(&b);
  float *p = room(&b, 64);
  WfLaunchArgs args = args_of(p, 64);
  wf_device_fill(b.d, p, 64, 0);
  launch_well(&b, device_ramp, &args);
  sync_well(&b);
  launch_well(&b, faults[_i].entry, &args);
  wf_device_sync(b.d, &first);
  ck_assert_msg(first.status == faults[_i].status, "status %d, %d %s", (int)first.status, first.code, first.name);
  ck_assert_str_ne(first.name, "");
  for (int round = 0; round < 2; round++) {
    call_everything(&b, p);
    wf_device_launch(b.d, device_ramp, &args, &e);
    ck_assert_mem_eq(&e, &first, sizeof e);
    wf_device_sync(b.d, &e);
    ck_assert_mem_eq(&e, &first, sizeof e);
  }
}
END_TEST

/* Behind a fault nothing more happens, also of what was asked for before it was known. */
START_TEST(nothing_happens_behind_a_fault) {
  Bench b;
  WfDeviceError e;
  start(&b);
  float *p = room(&b, 64);
  WfLaunchArgs args = args_of(p, 64);
  memset(b.host, 0x55, 256);
  wf_device_fill(b.d, p, 64, 0);
  launch_well(&b, device_trap, &args);
  wf_device_download(b.d, b.host, p, 256);
  wf_device_sync(b.d, &e);
  ck_assert_int_eq(e.status, WF_DEVICE_TRAP);
  for (int i = 0; i < 256; i++)
    ck_assert_int_eq(b.host[i], 0x55);
}
END_TEST

static WfEntry *const refused[] = {device_block_too_large, device_no_grid, device_too_much_shared, device_second_refused};
enum { N_REFUSED = sizeof refused / sizeof *refused };

START_TEST(refused_launches_leave_the_device_well) {
  Bench b;
  WfDeviceError e;
  start(&b);
  float *p = room(&b, 64), *y = (float *)b.host;
  WfLaunchArgs args = args_of(p, 64);
  wf_device_fill(b.d, p, 64, 0);
  wf_device_launch(b.d, refused[_i], &args, &e);
  ck_assert_int_eq(e.status, WF_DEVICE_REFUSED);
  ck_assert_int_ne(e.code, 0);
  ck_assert_str_ne(e.name, "");
  launch_well(&b, device_ramp, &args);
  wf_device_download(b.d, y, p, 64 * sizeof *y);
  sync_well(&b);
  int times = refused[_i] == device_second_refused ? 2 : 1; /* the first launch of two took place */
  for (int i = 0; i < 64; i++)
    ck_assert(y[i] == (float)(times * i));
}
END_TEST

/* Within the memory of the process a device sees nothing wrong. */
START_TEST(a_write_past_the_end_is_not_noticed) {
  Bench b;
  start(&b);
  float *p = room(&b, 64), *next = room(&b, 64), *y = (float *)b.host;
  WfLaunchArgs args = args_of(p, 64);
  wf_device_fill(b.d, next, 64, 0);
  launch_well(&b, device_write_past_end, &args);
  wf_device_download(b.d, y, next, 64 * sizeof *y);
  sync_well(&b);
  if (is_fake(&b))
    ck_assert(y[0] == 1);
}
END_TEST

/* The launch returns; the sync does not, until the process is killed. */
static void hang(int ready) {
  Bench b;
  WfDeviceError e;
  start(&b);
  float *p = room(&b, 64);
  WfLaunchArgs args = args_of(p, 64);
  wf_device_fill(b.d, p, 64, 0);
  launch_well(&b, device_hang, &args);
  if (write(ready, "x", 1) == 1)
    wf_device_sync(b.d, &e);
  _exit(0);
}

START_TEST(a_kernel_that_does_not_end_holds_the_sync) {
  int fd[2], status;
  char byte;
  ck_assert_int_eq(pipe(fd), 0);
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0)
    hang(fd[1]);
  close(fd[1]);
  ck_assert_int_eq(read(fd[0], &byte, 1), 1);
  usleep(500000);
  ck_assert_int_eq(waitpid(child, &status, WNOHANG), 0);
  ck_assert_int_eq(kill(child, SIGKILL), 0);
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFSIGNALED(status));
}
END_TEST

/* Right kernels stay right; and what others left in shared memory is seen by those that read it. */
START_TEST(disturbances_change_circumstances_alone) {
  enum { N = 1000, SEEDS = 100 };
  Bench b;
  int n_soiled = 0;
  start(&b);
  float *p = room(&b, N), *q = room(&b, N), *y = (float *)b.host;
  uint32_t *left = (uint32_t *)(y + N);
  WfLaunchArgs args = args_of(p, N), leftover = args_of(q, N);
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    wf_device_disturb(b.d, seed);
    launch_well(&b, device_leftover, &leftover);
    wf_device_disturb(b.d, seed + SEEDS);
    wf_device_fill(b.d, p, N, 0);
    launch_well(&b, device_ramp, &args);
    wf_device_download(b.d, y, p, N * sizeof *y);
    wf_device_download(b.d, left, q, N * sizeof *left);
    sync_well(&b);
    for (int i = 0; i < N; i++)
      ck_assert(y[i] == (float)i);
    n_soiled += left[N / 2] == 0x7fc0beefu;
  }
  ck_assert_int_gt(n_soiled, 0);
}
END_TEST

/* ---- is there a device? ---- */

typedef struct Probe {
  int n;
  char why[256];
  uint64_t memory_bytes;
} Probe;

/* In a process of its own: one that has touched the runtime can fork no other that uses it. */
static int probe(Probe *out) {
  int fd[2], status;
  if (pipe(fd) != 0)
    return -1;
  pid_t child = fork();
  if (child == 0) {
    Probe p = {0};
    WfDeviceOptions opt = {0};
    WfDeviceInfo info;
    WfDevice *d;
    p.n = wf_device_count(p.why, sizeof p.why);
    if (p.n > 0 && wf_device_open(&d, &opt, p.why, sizeof p.why) == 0) {
      wf_device_info(d, &info);
      p.memory_bytes = info.memory_bytes;
    } else
      p.n = 0;
    _exit(write(fd[1], &p, sizeof p) != sizeof p);
  }
  close(fd[1]);
  ssize_t got = child > 0 ? read(fd[0], out, sizeof *out) : 0;
  close(fd[0]);
  if (child > 0)
    waitpid(child, &status, 0);
  return got == sizeof *out ? 0 : -1;
}

static TCase *everything(uint64_t memory_bytes) {
  TCase *tc = tcase_create("device");
  tcase_add_test(tc, a_device_tells_of_itself);
  tcase_add_test(tc, a_device_that_is_not_there_cannot_be_opened);
  tcase_add_test(tc, flavors_have_names);
  tcase_add_test(tc, memory_is_aligned_and_apart);
  tcase_add_test(tc, too_much_memory_leaves_the_device_well);
  tcase_add_test(tc, what_is_asked_for_happens_in_order);
  tcase_add_test(tc, values_are_those_of_the_host);
  tcase_add_test(tc, few_elements_too);
  tcase_add_test(tc, edits_are_those_of_the_host);
  if (memory_bytes > (uint64_t)20 << 30)
    tcase_add_test(tc, indices_have_64_bits);
  tcase_add_test(tc, comparisons_find_the_first);
  tcase_add_test(tc, variants_have_entries);
  tcase_add_test(tc, flavors_are_whole);
  tcase_add_loop_test(tc, faults_are_told_and_last, 0, N_FAULTS);
  tcase_add_test(tc, nothing_happens_behind_a_fault);
  tcase_add_loop_test(tc, refused_launches_leave_the_device_well, 0, N_REFUSED);
  tcase_add_test(tc, a_write_past_the_end_is_not_noticed);
  tcase_add_test(tc, a_kernel_that_does_not_end_holds_the_sync);
  tcase_add_test(tc, disturbances_change_circumstances_alone);
  return tc;
}

int main(void) {
  Probe p;
  if (probe(&p) != 0) {
    fputs("the process that asks for a device ended\n", stderr);
    return 99;
  }
  if (p.n == 0) {
    printf("1..0 # SKIP %s\n", p.why); /* in TAP the plan says so, not the exit status */
    return 0;
  }
  Suite *s = suite_create("device");
  suite_add_tcase(s, everything(p.memory_bytes));
  return suite_run(s);
}
