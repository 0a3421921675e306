/* cover.c - notes which counters were above 0. */
#include "cover.h"
#include "../simt/simt.h"

size_t wf_cover_bytes(void) {
  size_t n_files, n_counters;
  simt_covers(&n_files);
  simt_coverage(&n_counters);
  return n_files * sizeof(uint16_t) + n_counters;
}

WfCover wf_cover_at(void *memory) {
  size_t n_files;
  simt_covers(&n_files);
  WfCover c = {.owner = memory};
  c.hits = (_Atomic uint8_t *)(c.owner + n_files);
  return c;
}

void wf_cover_take(const WfCover *c, size_t target) {
  size_t n_files, n_counters;
  const SimtCover *files = simt_covers(&n_files);
  const uint8_t *counters = simt_coverage(&n_counters);
  for (size_t f = 0; f < n_files; f++) {
    size_t first = simt_cover_first(&files[f]);
    int any = 0;
    for (size_t i = first; i < first + files[f].n_counters && i < n_counters; i++) {
      if (counters[i] > c->hits[i]) c->hits[i] = counters[i];
      any |= counters[i] != 0;
    }
    if (any) c->owner[f] = (uint16_t)(target + 1);
  }
}
