/* device_none.c - what programs that were built without nvcc have for a device: none. */
#include "device.h"
#include <stdio.h>
#include <string.h>

static const char reason[] = "built without nvcc";

int wf_device_count(char *why, size_t why_size) {
  if (why_size > 0)
    snprintf(why, why_size, "%s", reason);
  return 0;
}

int wf_device_open(WfDevice **out, const WfDeviceOptions *opt, char *err, size_t err_size) {
  (void)opt;
  *out = NULL;
  if (err_size > 0)
    snprintf(err, err_size, "%s", reason);
  return -1;
}

WfEntry *wf_device_entry(const WfVariant *v, const WfOp *op, WfGpuFlavor flavor) {
  (void)v, (void)op, (void)flavor;
  return NULL;
}

/* ---- nobody has a device to call the rest with ---- */

static void none(WfDeviceError *out) {
  *out = (WfDeviceError){.status = WF_DEVICE_LOST};
  memcpy(out->name, reason, sizeof reason);
}

void wf_device_info(const WfDevice *d, WfDeviceInfo *out) {
  (void)d;
  memset(out, 0, sizeof *out);
}

void *wf_device_alloc(WfDevice *d, size_t bytes) {
  (void)d, (void)bytes;
  return NULL;
}

void wf_device_free(WfDevice *d, void *p) { (void)d, (void)p; }

void wf_device_upload(WfDevice *d, void *to, const void *host, size_t bytes) { (void)d, (void)to, (void)host, (void)bytes; }

void wf_device_download(WfDevice *d, void *host, const void *from, size_t bytes) { (void)d, (void)host, (void)from, (void)bytes; }

void wf_device_copy(WfDevice *d, void *to, const void *from, size_t bytes) { (void)d, (void)to, (void)from, (void)bytes; }

void wf_device_fill(WfDevice *d, void *to, size_t n_words, uint32_t pattern) { (void)d, (void)to, (void)n_words, (void)pattern; }

void wf_device_fill_halves(WfDevice *d, void *to, size_t n_halves, uint16_t pattern) { (void)d, (void)to, (void)n_halves, (void)pattern; }

void wf_device_values(WfDevice *d, const WfCase *c, int tensor, void *to) { (void)d, (void)c, (void)tensor, (void)to; }

void wf_device_compare(WfDevice *d, const void *at, const void *was, uint32_t pattern, uint64_t n_words, WfDeviceDamage *out) {
  (void)d, (void)at, (void)was, (void)pattern, (void)n_words, (void)out;
}

void wf_device_compare_halves(WfDevice *d, const void *at, const void *was, uint16_t pattern, uint64_t n_halves, WfDeviceDamage *out) {
  (void)d, (void)at, (void)was, (void)pattern, (void)n_halves, (void)out;
}

void wf_device_launch(WfDevice *d, WfEntry *entry, const WfLaunchArgs *args, WfDeviceError *out) {
  (void)d, (void)entry, (void)args;
  none(out);
}

void wf_device_disturb(WfDevice *d, uint64_t seed) { (void)d, (void)seed; }

void wf_device_sync(WfDevice *d, WfDeviceError *out) {
  (void)d;
  none(out);
}
