/* bench_time.h - the clock of make bench: processor time of this thread, medians. */
#ifndef WF_BENCH_TIME_H
#define WF_BENCH_TIME_H
#include <stdlib.h>
#include <time.h>

static inline double bench_now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static inline int bench_by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* Sorts v, of n > 0 elements. */
static inline double bench_median(double *v, size_t n) {
  qsort(v, n, sizeof *v, bench_by_value);
  return (v[(n - 1) / 2] + v[n / 2]) / 2;
}

#endif
