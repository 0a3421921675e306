/* flavor.c - the names of flavors. */
#include "device.h"
#include <string.h>

static const char *const names[WF_GPU_FLAVOR_COUNT] = {"default", "fastmath", "nofmad", "debug"};

const char *wf_gpu_flavor_name(WfGpuFlavor f) { return names[f]; }

int wf_gpu_flavor_parse(const char *name, size_t len, WfGpuFlavor *out) {
  for (int f = 0; f < WF_GPU_FLAVOR_COUNT; f++)
    if (strlen(names[f]) == len && memcmp(names[f], name, len) == 0) {
      *out = (WfGpuFlavor)f;
      return 0;
    }
  return -1;
}
