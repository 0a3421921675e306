/* device_error.h - the errors that models of approximate functions make: a fixed hash of the arguments. Internal to
 * device_fast.c, which says why, and device_explog.c. */
#ifndef SIMT_DEVICE_ERROR_H
#define SIMT_DEVICE_ERROR_H
#include <stdint.h>
#include <string.h>

static inline uint32_t simt_float_bits(float v) {
  uint32_t u;
  memcpy(&u, &v, sizeof u);
  return u;
}

/* -2^31 to 2^31 - 1, best mixed in the high bits. 0 has 0. */
static inline int32_t simt_error_hash(uint32_t u) { return (int32_t)((u ^ u >> 15) * 0x9e3779b1u); }

/* y and an error of less than most - 1/2 ulps of float, most > 0: rounded to float it is at most that many ulps off the
 * correctly rounded y, also where it passes a power of 2 behind which floats lie less densely. y is neither zero nor infinite
 * nor NaN. Where floats are subnormal the error is smaller than it might be. */
static inline double simt_error_moved(double y, int32_t hash, uint32_t most) {
  uint64_t u;
  double unit;
  memcpy(&u, &y, sizeof u);
  u = (u & 0x7ff0000000000000u) - (55ull << 52); /* an ulp, 2^-23 of y's power of 2; 2^-32: see below */
  memcpy(&unit, &u, sizeof unit);
  return y + (double)((int64_t)hash * (2 * (int64_t)most - 1)) * unit;
}

#endif
