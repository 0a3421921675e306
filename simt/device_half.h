/* device_half.h - binary16 (IEEE 754: 1 sign, 5 exponent, 10 fraction bits) and bfloat16 (1, 8, 7: the upper half of a float) in terms of
 * double, which holds every one.
 *
 * All arithmetic of halves is done in double and rounded once more, to binary16, to nearest. That is the correctly rounded result:
 *   a + b, a - b, a * b   are exact in double: sums have at most 41 bits (multiples of 2^-24 below 2^17), products 22;
 *   a * b + c             the product is exact. If the bits of the sum span more than 53, the product is either more than 2^41 times c,
 *                         which is at least 2^-24: the result is infinite by far; or less than 2^-30 times c, a half, which is the
 *                         result then, since the middle to the next half is 2^-12 of it away. Otherwise the sum is exact;
 *   a / b, sqrt(a)        53 bits are more than 2 * 11 + 2 (S. A. Figueroa, When is double rounding innocuous?, SIGNUM Newsletter
 *                         30(3), 1995); results below the normal range have fewer bits still.
 *
 * Of bfloat16, with 8 bits: a + b may be inexact in double, but only where one of them is less than 2^-44 of the other, which is the
 * result then and is that of the rounded sum, too; a * b has 16 bits; a / b and sqrt(a) are as above. In a * b + c the product may lie in
 * the middle of two bfloat16 and c be out of sight of it: simt_sum_odd() keeps a trace of it.
 */
#ifndef SIMT_DEVICE_HALF_H
#define SIMT_DEVICE_HALF_H
#include "device_math.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SIMT_TO_NEAREST = -1 }; /* even; beside SimtDirection */

double simt_half_value(uint16_t bits) SIMT_PURE;
/* v as a half. A NaN is 0x7fff, as every operation of a device gives it. To nearest, 65520 and more is infinite. */
uint16_t simt_half_of(int direction, double v) SIMT_PURE;

double simt_bfloat_value(uint16_t bits) SIMT_PURE;
uint16_t simt_bfloat_of(int direction, double v) SIMT_PURE;

/* a + b, in double; where that is not exact, the neighbour with the last bit set: it rounds to a shorter format as the exact sum does. */
double simt_sum_odd(double a, double b) SIMT_PURE;

/* Formats of 8 and 4 bits (OCP 8-bit Floating Point Specification; OCP Microscaling Formats): E4M3 has no infinities and one NaN, E2M1
 * neither. To nearest even; what is too large becomes the largest number, or, unless it saturates, infinite (E5M2) or NaN (E4M3). */
typedef enum SimtSmall { SIMT_E4M3, SIMT_E5M2, SIMT_E2M1 } SimtSmall;
double simt_small_value(int format, uint8_t bits) SIMT_PURE;
uint8_t simt_small_of(int format, int saturates, double v) SIMT_PURE;

#ifdef __cplusplus
}
#endif
#endif
