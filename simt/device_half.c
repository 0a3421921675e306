/* device_half.c - see device_half.h. Integers throughout: the same bits everywhere. */
#include "device_half.h"
#include <string.h>

enum { DOUBLE_FRACTION = 52, DOUBLE_BIAS = 1023, NAN_BITS = 0x7fff };

/* A 16-bit format of IEEE 754's kind: a sign, then the exponent, then the fraction. */
typedef struct Format {
  int fraction;     /* bits */
  int least, most;  /* exponents of normal numbers */
  unsigned infinite; /* its bits; those of the largest number are one less */
} Format;

static const Format half = {10, -14, 15, 0x7c00};
static const Format bfloat = {7, -126, 127, 0x7f80};

static double double_of_bits(uint64_t bits) {
  double v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

static double value_in(Format f, uint16_t bits) {
  uint64_t sign = (uint64_t)(bits >> 15) << 63, magnitude = bits & 0x7fffu, fraction = magnitude & ((1u << f.fraction) - 1);
  uint64_t wide = fraction << (DOUBLE_FRACTION - f.fraction), exponent = magnitude >> f.fraction;
  if (magnitude >= f.infinite) return double_of_bits(sign | 0x7ffull << DOUBLE_FRACTION | wide);
  if (!exponent) { /* zero and subnormal: the fraction counts units of the last place */
    uint64_t unit = (uint64_t)(f.least - f.fraction + DOUBLE_BIAS) << DOUBLE_FRACTION;
    double v = (double)fraction * double_of_bits(unit);
    return sign ? -v : v;
  }
  return double_of_bits(sign | (exponent + (uint64_t)(DOUBLE_BIAS - f.most)) << DOUBLE_FRACTION | wide);
}

static int rounds_up(int direction, int is_negative, int is_odd, uint64_t rest, uint64_t middle) {
  if (direction == SIMT_TO_NEAREST) return rest > middle || (rest == middle && is_odd);
  return rest && direction == (is_negative ? SIMT_DOWNWARD : SIMT_UPWARD);
}

/* The bits of a finite magnitude. */
static unsigned magnitude(Format f, int direction, int is_negative, uint64_t bits) {
  int exponent = (int)(bits >> DOUBLE_FRACTION & 0x7ff) - DOUBLE_BIAS;
  uint64_t significand = bits & ((1ull << DOUBLE_FRACTION) - 1);
  if (exponent > f.most) /* beyond all; the middle of the largest one and the next to come is left to the carry below */
    return direction == SIMT_TO_NEAREST || rounds_up(direction, is_negative, 0, 1, 0) ? f.infinite : f.infinite - 1;
  if (exponent > -DOUBLE_BIAS) significand |= 1ull << DOUBLE_FRACTION;
  int drop = DOUBLE_FRACTION - f.fraction + (exponent < f.least ? f.least - exponent : 0);
  if (drop > 63) drop = 63;
  uint64_t kept = significand >> drop, rest = significand & ((1ull << drop) - 1);
  kept += (unsigned)rounds_up(direction, is_negative, kept & 1, rest, 1ull << (drop - 1));
  /* A normal one's implicit bit, and any carry, add to the exponent. */
  return (unsigned)kept + (exponent > f.least ? (unsigned)(exponent - f.least) << f.fraction : 0);
}

static uint16_t bits_in(Format f, int direction, double v) {
  uint64_t bits;
  if (v != v) return NAN_BITS;
  memcpy(&bits, &v, sizeof bits);
  int is_negative = (int)(bits >> 63);
  bits &= ~(1ull << 63);
  unsigned m = bits == 0x7ffull << DOUBLE_FRACTION ? f.infinite : magnitude(f, direction, is_negative, bits);
  return (uint16_t)(m | (unsigned)is_negative << 15);
}

/* ---- eight and four bits ---- */
static const Format small[] = {[SIMT_E4M3] = {3, -6, 8, 0x7f}, [SIMT_E5M2] = {2, -14, 15, 0x7c}, [SIMT_E2M1] = {1, 0, 2, 8}};

double simt_small_value(int format, uint8_t bits) {
  const Format f = small[format];
  int sign = bits >> (format == SIMT_E2M1 ? 3 : 7) & 1;
  unsigned m = bits & (format == SIMT_E2M1 ? 7u : 0x7fu), fraction = m & ((1u << f.fraction) - 1), exponent = m >> f.fraction;
  double v = exponent ? (double)(fraction + (1u << f.fraction)) : (double)fraction;
  for (int e = f.least - f.fraction + (exponent ? (int)exponent - 1 : 0); e; e += e < 0 ? 1 : -1) v = e < 0 ? v / 2 : v * 2;
  if (m >= f.infinite) v = double_of_bits(0x7ffull << DOUBLE_FRACTION | (m > f.infinite || format == SIMT_E4M3));
  return sign ? -v : v;
}

uint8_t simt_small_of(int format, int saturates, double v) {
  const Format f = small[format];
  uint64_t bits;
  if (v != v) return format == SIMT_E2M1 ? 7 : 0x7f;
  memcpy(&bits, &v, sizeof bits);
  unsigned sign = (unsigned)(bits >> 63);
  bits &= ~(1ull << 63);
  unsigned m = bits == 0x7ffull << DOUBLE_FRACTION ? f.infinite : magnitude(f, SIMT_TO_NEAREST, 0, bits);
  if (m >= f.infinite) m = saturates || format == SIMT_E2M1 ? f.infinite - 1 : f.infinite;
  return (uint8_t)(m | sign << (format == SIMT_E2M1 ? 3 : 7));
}

double simt_half_value(uint16_t bits) { return value_in(half, bits); }
double simt_bfloat_value(uint16_t bits) { return value_in(bfloat, bits); }
uint16_t simt_half_of(int direction, double v) { return bits_in(half, direction, v); }
uint16_t simt_bfloat_of(int direction, double v) { return bits_in(bfloat, direction, v); }

/* Of an inexact sum, the one of the two doubles around the exact value whose last bit is set: S. Boldo, G. Melquiond, Emulation of FMA
 * and correctly rounded sums: proved algorithms using rounding to odd, IEEE Trans. Comp. 57(4), 2008. */
double simt_sum_odd(double a, double b) {
  double s = a + b, back = s - a, rest = (a - (s - back)) + (b - back);
  uint64_t bits;
  if (rest == 0 || !(s - s == 0)) return s;
  memcpy(&bits, &s, sizeof bits);
  if (bits & 1) return s;
  return double_of_bits((rest > 0) == (s > 0) ? bits + 1 : bits - 1);
}
