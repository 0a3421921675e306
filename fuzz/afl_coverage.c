/* afl_coverage.c - the engine's counters in AFL++'s map.
 *
 * AFL's runtime gives a place in its map to each of the guards that an instrumented module hands over when the program starts, and tells
 * afl-fuzz how large the map is. Kernels have counters of the engine in place of guards: here are guards for these. */
#include "afl_coverage.h"
#include "../simt/simt.h"

enum { MAX_PLACES = 1 << 16 };

/* Of AFL's runtime; not there, and 0, in any other program. */
extern uint8_t *__afl_area_ptr __attribute__((weak));
void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) __attribute__((weak));

static uint32_t place[MAX_PLACES]; /* in the map, by counter; 0: none */

/* Before all constructors: one of AFL's makes the map, and others may not be added to it then. */
static void ask_for_places(void) {
  size_t n;
  if (!&__afl_area_ptr || !__sanitizer_cov_trace_pc_guard_init) return;
  simt_coverage(&n);
  __sanitizer_cov_trace_pc_guard_init(place, place + (n < MAX_PLACES ? n : MAX_PLACES));
}
__attribute__((section(".preinit_array"), used)) static void (*const early)(void) = ask_for_places;

void wf_afl_coverage_take(void) {
  size_t n;
  if (!&__afl_area_ptr) return;
  uint8_t *count = simt_coverage(&n);
  for (size_t i = 0; i < n && i < MAX_PLACES; i++) {
    if (!count[i]) continue;
    uint8_t *to = &__afl_area_ptr[place[i]];
    if (place[i]) *to = *to + count[i] < 255 ? (uint8_t)(*to + count[i]) : 255;
    count[i] = 0;
  }
}
