/* fake_device.c - a device (gpu/device.h) for tests: its memory is one buffer of the engine, from which allocations are cut, and
 * its kernels run on the engine, without detectors. What a device does not notice is no error here either: writes past an
 * allocation land in the next one, races and overflows pass. Everything is done at once, but told as late as a device would.
 *
 * WARPFUZZ_FAKE_DEVICES in the environment says how many devices there are; 1 without it. */
#include "../gpu/device.h"
#include "../simt/simt.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef FAKE_FLAVOR
#define FAKE_FLAVOR WF_GPU_DEFAULT /* how the kernels were compiled that the program has */
#endif
#define ARENA_BYTES ((size_t)1 << 30) /* of addresses: memory is taken where it is touched */
enum {
  ALIGN_BYTES = 256,
  EDGE_BYTES = 1 << 20,        /* at both ends, never given out: a near miss of the first allocation is none of the arena */
  FAR_BYTES = 256 << 10,       /* from a shared or local array: no block has so much shared memory, so it is in none */
  MAX_STEPS = 1 << 26,         /* of a launch that no block ends in: it hangs, in a second or so */
  INVALID_VALUE = 1            /* cudaErrorInvalidValue */
};

typedef struct Block { /* an allocation */
  size_t at, bytes;    /* offsets in the arena, multiples of ALIGN_BYTES */
} Block;

struct WfDevice {
  Simt *simt;
  char *arena;
  Block *block; /* ascending */
  size_t n_blocks, room;
  WfDeviceInfo info;
  const char *host;
  size_t host_bytes;
  uint64_t schedule;
  uint32_t fill;       /* what shared memory holds that nobody wrote; 0: what others left there */
  int hangs;           /* a launch does not end: nothing behind it happens */
  WfDeviceError fault; /* of a launch; as above */
};

static int n_devices(void) {
  const char *n = getenv("WARPFUZZ_FAKE_DEVICES");
  return n ? atoi(n) : 1;
}

int wf_device_count(char *why, size_t why_size) {
  int n = n_devices();
  if (n <= 0 && why_size > 0)
    snprintf(why, why_size, "WARPFUZZ_FAKE_DEVICES says that there is no device");
  return n > 0 ? n : 0;
}

static int create(WfDevice *d) {
  void *arena;
  if (simt_create(&d->simt) != 0)
    return -1;
  if (simt_alloc(d->simt, "device memory", ARENA_BYTES, 0, SIMT_BUF_INIT, &arena) != 0)
    return -1;
  d->arena = arena;
  return 0;
}

static void destroy(WfDevice *d) {
  if (d->simt)
    simt_destroy(d->simt);
  free(d);
}

int wf_device_open(WfDevice **out, const WfDeviceOptions *opt, char *err, size_t err_size) {
  *out = NULL;
  if (opt->index < 0 || opt->index >= n_devices()) {
    snprintf(err, err_size, "there is no device %d", opt->index);
    return -1;
  }
  WfDevice *d = calloc(1, sizeof *d);
  if (!d || create(d) != 0) {
    snprintf(err, err_size, "no memory for the device");
    if (d)
      destroy(d);
    return -1;
  }
  d->info = (WfDeviceInfo){
      .name = "fake device", .index = opt->index, .major = 9, .multiprocessors = 132, .memory_bytes = ARENA_BYTES - 2 * EDGE_BYTES};
  d->host = opt->host;
  d->host_bytes = opt->host_bytes;
  *out = d;
  return 0;
}

void wf_device_info(const WfDevice *d, WfDeviceInfo *out) { *out = d->info; }

/* ---- memory ---- */

static int is_lost(const WfDevice *d) { return d->fault.status != WF_DEVICE_OK || d->hangs; }

static void lose(WfDevice *d, WfDeviceStatus status, int code, const char *name) {
  if (is_lost(d))
    return; /* what came first counts */
  d->fault = (WfDeviceError){.status = status, .code = code};
  snprintf(d->fault.name, sizeof d->fault.name, "%s", name);
}

/* Where the first gap of that size ends; *i: the number of the block behind it. 0: there is none. */
static size_t find_gap(const WfDevice *d, size_t bytes, size_t *i) {
  size_t at = EDGE_BYTES;
  for (*i = 0; *i < d->n_blocks; at = d->block[*i].at + d->block[*i].bytes, (*i)++)
    if (d->block[*i].at - at >= bytes)
      return at;
  return ARENA_BYTES - EDGE_BYTES - at >= bytes ? at : 0;
}

static int room_for_block(WfDevice *d) {
  if (d->n_blocks < d->room)
    return 0;
  size_t room = d->room ? d->room * 2 : 16;
  Block *more = realloc(d->block, room * sizeof *more);
  if (!more)
    return -1;
  d->block = more;
  d->room = room;
  return 0;
}

void *wf_device_alloc(WfDevice *d, size_t bytes) {
  size_t i, at;
  if (is_lost(d) || bytes > ARENA_BYTES || room_for_block(d) != 0)
    return NULL;
  bytes = (bytes + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
  at = find_gap(d, bytes, &i);
  if (at == 0)
    return NULL;
  memmove(d->block + i + 1, d->block + i, (d->n_blocks - i) * sizeof *d->block);
  d->block[i] = (Block){at, bytes};
  d->n_blocks++;
  return d->arena + at;
}

void wf_device_free(WfDevice *d, void *p) {
  size_t i = 0;
  if (!p || is_lost(d))
    return;
  while (i < d->n_blocks && d->arena + d->block[i].at != (char *)p)
    i++;
  if (i == d->n_blocks) {
    lose(d, WF_DEVICE_LOST, INVALID_VALUE, "cudaErrorInvalidValue");
    return;
  }
  d->n_blocks--;
  memmove(d->block + i, d->block + i + 1, (d->n_blocks - i) * sizeof *d->block);
}

/* Copies take memory of the arena and of the host's part only; anything else is a fault of the caller, and is told. */
static int is_within(const void *p, size_t bytes, const void *from, size_t room) {
  size_t at = (size_t)((const char *)p - (const char *)from);
  return at <= room && room - at >= bytes;
}

static int may_use(WfDevice *d, const void *p, size_t bytes) {
  if (!is_within(p, bytes, d->arena, ARENA_BYTES))
    lose(d, WF_DEVICE_LOST, INVALID_VALUE, "cudaErrorInvalidValue");
  return !is_lost(d);
}

static int may_use_host(WfDevice *d, const void *p, size_t bytes) {
  if (!is_within(p, bytes, d->host, d->host_bytes))
    lose(d, WF_DEVICE_LOST, INVALID_VALUE, "host memory that was not given");
  return !is_lost(d);
}

void wf_device_upload(WfDevice *d, void *to, const void *host, size_t bytes) {
  if (may_use(d, to, bytes) && may_use_host(d, host, bytes))
    memcpy(to, host, bytes);
}

void wf_device_download(WfDevice *d, void *host, const void *from, size_t bytes) {
  if (may_use(d, from, bytes) && may_use_host(d, host, bytes))
    memcpy(host, from, bytes);
}

void wf_device_copy(WfDevice *d, void *to, const void *from, size_t bytes) {
  if (may_use(d, to, bytes) && may_use(d, from, bytes))
    memcpy(to, from, bytes);
}

void wf_device_fill(WfDevice *d, void *to, size_t n_words, uint32_t pattern) {
  if (!may_use(d, to, n_words * sizeof pattern))
    return;
  for (size_t i = 0; i < n_words; i++)
    ((uint32_t *)to)[i] = pattern;
}

void wf_device_fill_halves(WfDevice *d, void *to, size_t n_halves, uint16_t pattern) {
  if (!may_use(d, to, n_halves * sizeof pattern))
    return;
  for (size_t i = 0; i < n_halves; i++)
    ((uint16_t *)to)[i] = pattern;
}

void wf_device_values(WfDevice *d, const WfCase *c, int tensor, void *to) {
  int64_t n = wf_case_elems(c, tensor);
  const WfDtype type = c->dtype[tensor];
  if (!may_use(d, to, (size_t)n * wf_dtype_bytes(type)))
    return;
  for (int64_t i = 0; i < n; i++) {
    float v = wf_case_value(c, tensor, i);
    wf_dtype_store(type, (char *)to + i * (int64_t)wf_dtype_bytes(type), &v, 1);
  }
}

static uint32_t unit_at(const void *p, uint64_t i, size_t unit_bytes) {
  uint32_t unit = 0;
  memcpy(&unit, (const char *)p + i * unit_bytes, unit_bytes);
  return unit;
}

static void compare(WfDevice *d, const void *at, const void *was, uint32_t pattern, uint64_t n, size_t unit_bytes, WfDeviceDamage *out) {
  WfDeviceDamage found = {0};
  if (!may_use(d, at, n * unit_bytes) || (was && !may_use(d, was, n * unit_bytes)) || !may_use_host(d, out, sizeof *out))
    return;
  for (uint64_t i = 0; i < n; i++) {
    uint32_t now = unit_at(at, i, unit_bytes), wanted = was ? unit_at(was, i, unit_bytes) : pattern;
    if (now != wanted && found.n_words++ == 0)
      found = (WfDeviceDamage){.n_words = 1, .first = i, .now = now, .was = wanted};
  }
  *out = found;
}

void wf_device_compare(WfDevice *d, const void *at, const void *was, uint32_t pattern, uint64_t n_words, WfDeviceDamage *out) {
  compare(d, at, was, pattern, n_words, sizeof pattern, out);
}

void wf_device_compare_halves(WfDevice *d, const void *at, const void *was, uint16_t pattern, uint64_t n_halves, WfDeviceDamage *out) {
  compare(d, at, was, pattern, n_halves, sizeof pattern, out);
}

/* ---- launches ---- */

WfEntry *wf_device_entry(const WfVariant *v, const WfOp *op, WfGpuFlavor flavor) {
  (void)op;
  return flavor == FAKE_FLAVOR ? v->entry : NULL;
}

static int is_far(const SimtFinding *f) { return f->offset_bytes < -FAR_BYTES || f->offset_bytes > FAR_BYTES; }

/* A finding that a device has, too. An index that wrapped takes the place of the access far outside that it led to. */
static void take_finding(WfDevice *d, const SimtFinding *f) {
  int is_far_index = f->cls == SIMT_INT_OVERFLOW && f->other.site;
  if (f->cls == SIMT_OOB_GLOBAL || f->cls == SIMT_STACK_OVERFLOW || is_far_index)
    lose(d, WF_DEVICE_ADDRESS, 700, "cudaErrorIllegalAddress");
  if ((f->cls == SIMT_OOB_SHARED || f->cls == SIMT_OOB_LOCAL) && is_far(f))
    lose(d, WF_DEVICE_ADDRESS, 700, "cudaErrorIllegalAddress");
  if (f->cls == SIMT_MISALIGNED)
    lose(d, WF_DEVICE_MISALIGNED, 716, "cudaErrorMisalignedAddress");
  if (f->cls == SIMT_TRAP && strcmp(f->here.access, "assert") == 0)
    lose(d, WF_DEVICE_ASSERT, 710, "cudaErrorAssert");
  else if (f->cls == SIMT_TRAP)
    lose(d, WF_DEVICE_TRAP, 719, "cudaErrorLaunchFailure");
}

/* *out is what the caller is told at once. A launch that was cut short, without a fault, waits for ever. */
static void take_findings(WfDevice *d, const SimtStats *stats, WfDeviceError *out) {
  size_t n;
  const SimtFinding *f = simt_findings(d->simt, &n);
  for (size_t i = 0; i < n; i++) {
    if (f[i].cls == SIMT_LAUNCH_ERROR)
      *out = (WfDeviceError){WF_DEVICE_REFUSED, INVALID_VALUE, "cudaErrorInvalidValue"};
    take_finding(d, &f[i]);
  }
  d->hangs = stats->abandoned && d->fault.status == WF_DEVICE_OK;
}

/* Host code that dies takes the process along, as it does with a device: no simt_call(). */
void wf_device_launch(WfDevice *d, WfEntry *entry, const WfLaunchArgs *args, WfDeviceError *out) {
  const SimtRun run = {.schedule = d->schedule, .detect = d->fill ? SIMT_DETECT_UNINIT : 0, .fill = d->fill, .max_steps = MAX_STEPS};
  SimtStats stats;
  *out = d->fault;
  if (is_lost(d))
    return;
  simt_begin(d->simt, &run);
  entry(args);
  simt_end(d->simt, &stats);
  take_findings(d, &stats, out);
}

void wf_device_disturb(WfDevice *d, uint64_t seed) {
  if (is_lost(d))
    return;
  d->schedule = seed;
  d->fill = 0x7fc0beefu;
}

void wf_device_sync(WfDevice *d, WfDeviceError *out) {
  while (d->hangs)
    pause();
  *out = d->fault;
}
