/* device_half.c - see device_half.h. Integers throughout: the same bits everywhere. */
#include "device_half.h"
#include <string.h>

enum {
  HALF_FRACTION = 10,
  HALF_LEAST = -14, /* exponent of the smallest normal number */
  HALF_MOST = 15,
  HALF_INFINITE = 0x7c00,
  HALF_LARGEST = 0x7bff,
  HALF_NAN = 0x7fff,
  DOUBLE_FRACTION = 52,
  DOUBLE_BIAS = 1023
};

static double double_of_bits(uint64_t bits) {
  double v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

double simt_half_value(uint16_t bits) {
  uint64_t sign = (uint64_t)(bits >> 15) << 63, exponent = bits >> HALF_FRACTION & 31, fraction = bits & 0x3ff;
  if (exponent == 31) return double_of_bits(sign | 0x7ffull << DOUBLE_FRACTION | fraction << (DOUBLE_FRACTION - HALF_FRACTION));
  if (!exponent) { /* zero and subnormal: the fraction counts units of 2^-24 */
    double v = (double)fraction * 0x1p-24;
    return sign ? -v : v;
  }
  return double_of_bits(sign | (exponent + DOUBLE_BIAS - 15) << DOUBLE_FRACTION | fraction << (DOUBLE_FRACTION - HALF_FRACTION));
}

static int rounds_up(int direction, int is_negative, int is_odd, uint64_t rest, uint64_t middle) {
  if (direction == SIMT_TO_NEAREST) return rest > middle || (rest == middle && is_odd);
  return rest && direction == (is_negative ? SIMT_DOWNWARD : SIMT_UPWARD);
}

/* The bits of a finite magnitude. */
static unsigned magnitude(int direction, int is_negative, uint64_t bits) {
  int exponent = (int)(bits >> DOUBLE_FRACTION & 0x7ff) - DOUBLE_BIAS;
  uint64_t significand = bits & ((1ull << DOUBLE_FRACTION) - 1);
  if (exponent > HALF_MOST) /* beyond all; the middle of the largest one and the next to come is left to the carry below */
    return direction == SIMT_TO_NEAREST || rounds_up(direction, is_negative, 0, 1, 0) ? HALF_INFINITE : HALF_LARGEST;
  if (exponent > -DOUBLE_BIAS) significand |= 1ull << DOUBLE_FRACTION;
  int drop = DOUBLE_FRACTION - HALF_FRACTION + (exponent < HALF_LEAST ? HALF_LEAST - exponent : 0);
  if (drop > 63) drop = 63;
  uint64_t kept = significand >> drop, rest = significand & ((1ull << drop) - 1);
  kept += (unsigned)rounds_up(direction, is_negative, kept & 1, rest, 1ull << (drop - 1));
  /* A normal one's implicit bit, and any carry, add to the exponent. */
  return (unsigned)kept + (exponent > HALF_LEAST ? (unsigned)(exponent - HALF_LEAST) << HALF_FRACTION : 0);
}

uint16_t simt_half_of(int direction, double v) {
  uint64_t bits;
  if (v != v) return HALF_NAN;
  memcpy(&bits, &v, sizeof bits);
  int is_negative = (int)(bits >> 63);
  bits &= ~(1ull << 63);
  unsigned m = bits == 0x7ffull << DOUBLE_FRACTION ? HALF_INFINITE : magnitude(direction, is_negative, bits);
  return (uint16_t)(m | (unsigned)is_negative << 15);
}
