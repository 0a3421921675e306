/* number.h - numbers in cases, expressions and SPECs as text: strict, exact, and the same in every locale. */
#ifndef WF_NUMBER_H
#define WF_NUMBER_H
#include <stddef.h>
#include <stdint.h>

enum { WF_NUMBER_SYNTAX = -1, WF_NUMBER_RANGE = -2 };

/* Each reads exactly n characters at s. 0, WF_NUMBER_SYNTAX (no number), or WF_NUMBER_RANGE (no such value in the type: too
 * large, or a non-zero number that would become zero); *out is set on 0 only. */
int wf_number_u64(const char *s, size_t n, uint64_t *out); /* decimal, or hex after 0x; no sign */
int wf_number_float(const char *s, size_t n, float *out);  /* decimal or hex (0x1.8p3), rounded once; inf, -inf, nan */
int wf_number_double(const char *s, size_t n, double *out);

#define WF_NUMBER_SIZE 40
/* %.6g, or with as many digits more as the functions above need to read back the same bits; every NaN is "nan". Return
 * buf. */
const char *wf_number_print_float(char buf[WF_NUMBER_SIZE], float v);
const char *wf_number_print_double(char buf[WF_NUMBER_SIZE], double v);
const char *wf_number_print_hex(char buf[WF_NUMBER_SIZE], double v); /* %a: every bit of it */

#endif
