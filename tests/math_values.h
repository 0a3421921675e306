/* math_values.h - floats by their bits, and those that tests of the device arithmetic try first. */
#ifndef WF_MATH_VALUES_H
#define WF_MATH_VALUES_H
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static inline float float_of(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static inline uint32_t bits_of(float f) {
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  return u;
}

/* Equal bits, or both NaN. */
static inline int same(float a, float b) { return bits_of(a) == bits_of(b) || (isnan(a) && isnan(b)); }

static const float special[] = {0.0f,     -0.0f,     1.0f,      -1.0f,    0.5f,       -0.5f,     1.5f,      2.0f,
                                -2.0f,    3.0f,      -3.0f,     10.0f,    0x1p-149f,  -0x1p-149f, 0x1p-126f, 0x1.fffffcp-127f,
                                FLT_MAX,  -FLT_MAX,  INFINITY,  -INFINITY, NAN,       0x1p24f,   0x1p126f,  0x1p127f,
                                88.72283f, 88.72284f, -87.33655f, -103.97207f, -103.97208f, -104.0f, 127.99999f, 128.0f,
                                -149.0f,  -149.99f,  -150.0f,   38.53184f, 0x1.fffffep-1f, 0x1.000002p0f, 255.99998f, 256.0f,
                                1e30f,    -1e30f,    3.1415927f, 1.5707964f};
enum { N_SPECIAL = sizeof special / sizeof *special };

/* Weyl sequence: the multiples of an odd number near 2^32 / golden ratio. */
static inline uint32_t weyl(uint32_t i) { return i * 2654435769u; }

#endif
