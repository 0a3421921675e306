/* clock.c - see clock.h. */
#define _POSIX_C_SOURCE 200809L
#include "clock.h"
#include <time.h>

uint64_t wf_clock_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void wf_clock_utc(char out[WF_UTC_MAX]) {
  time_t now = time(NULL);
  struct tm t;
  if (!gmtime_r(&now, &t) || strftime(out, WF_UTC_MAX, "%Y-%m-%dT%H:%M:%SZ", &t) == 0) out[0] = '\0';
}
