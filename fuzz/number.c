/* number.c - see number.h. The C library does the conversions, which are correctly rounded; this file sees to it that
 * they run in the "C" locale and that nothing but the grammar of doc/CASE.md gets as far as them. */
#define _GNU_SOURCE /* newlocale, uselocale */
#include "number.h"
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* glibc returns its built-in object for "C": this cannot fail and allocates nothing. */
static locale_t enter_c_locale(locale_t *mine) {
  *mine = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return uselocale(*mine);
}

static void leave_c_locale(locale_t before, locale_t mine) {
  uselocale(before);
  if (mine)
    freelocale(mine);
}

static int digit_value(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return 99;
}

int wf_number_u64(const char *s, size_t n, uint64_t *out) {
  unsigned base = 10;
  if (n > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
    base = 16;
    s += 2;
    n -= 2;
  }
  if (n == 0)
    return WF_NUMBER_SYNTAX;
  uint64_t v = 0;
  int too_large = 0;
  for (size_t i = 0; i < n; i++) {
    unsigned d = (unsigned)digit_value(s[i]);
    if (d >= base)
      return WF_NUMBER_SYNTAX;
    too_large |= __builtin_mul_overflow(v, (uint64_t)base, &v) || __builtin_add_overflow(v, (uint64_t)d, &v);
  }
  if (too_large)
    return WF_NUMBER_RANGE;
  *out = v;
  return 0;
}

/* Copies a number that strtod may see; 0, or -1. strtod itself would also take blanks, "infinity" and "nan(7)". */
static int copy_plain(char buf[128], const char *s, size_t n) {
  size_t sign = n > 0 && (s[0] == '-' || s[0] == '+');
  if (n == sign || n >= 128 || !((s[sign] >= '0' && s[sign] <= '9') || s[sign] == '.'))
    return -1;
  for (size_t i = 0; i < n; i++)
    if (digit_value(s[i]) == 99 && !strchr("+-.xXpP", s[i]))
      return -1;
  memcpy(buf, s, n);
  buf[n] = 0;
  return strlen(buf) == n ? 0 : -1;
}

static int is_word(const char *s, size_t n, const char *word) { return strlen(word) == n && memcmp(s, word, n) == 0; }

static int special(const char *s, size_t n, double *out) {
  if (is_word(s, n, "inf") || is_word(s, n, "+inf"))
    *out = (double)INFINITY;
  else if (is_word(s, n, "-inf"))
    *out = -(double)INFINITY;
  else if (is_word(s, n, "nan"))
    *out = (double)NAN;
  else
    return 0;
  return 1;
}

/* Reads as float or as double: never a double first and then a float, which would round twice. */
static int read_plain(const char *s, size_t n, float *f, double *d) {
  char buf[128], *end;
  if (copy_plain(buf, s, n))
    return WF_NUMBER_SYNTAX;
  locale_t mine, before = enter_c_locale(&mine);
  errno = 0;
  if (f)
    *d = (double)(*f = strtof(buf, &end));
  else
    *d = strtod(buf, &end);
  int range = errno == ERANGE && (*d == 0 || isinf(*d)); /* denormals raise ERANGE too, and are right */
  leave_c_locale(before, mine);
  if (*end)
    return WF_NUMBER_SYNTAX;
  return range ? WF_NUMBER_RANGE : 0;
}

int wf_number_float(const char *s, size_t n, float *out) {
  double d;
  float f;
  if (special(s, n, &d)) {
    *out = (float)d;
    return 0;
  }
  int e = read_plain(s, n, &f, &d);
  if (e == 0)
    *out = f;
  return e;
}

int wf_number_double(const char *s, size_t n, double *out) {
  double d;
  int e = special(s, n, &d) ? 0 : read_plain(s, n, NULL, &d);
  if (e == 0)
    *out = d;
  return e;
}

/* NaN and infinities; 1 if v was one. */
static int print_special(char *buf, double v) {
  if (isfinite(v))
    return 0;
  strcpy(buf, isnan(v) ? "nan" : v < 0 ? "-inf" : "inf");
  return 1;
}

const char *wf_number_print_float(char buf[WF_NUMBER_SIZE], float v) {
  if (print_special(buf, (double)v))
    return buf;
  locale_t mine, before = enter_c_locale(&mine);
  for (int digits = 6; digits <= 9; digits++) { /* 9 always do: FLT_DECIMAL_DIG */
    snprintf(buf, WF_NUMBER_SIZE, "%.*g", digits, (double)v);
    if (strtof(buf, NULL) == v)
      break;
  }
  leave_c_locale(before, mine);
  return buf;
}

const char *wf_number_print_double(char buf[WF_NUMBER_SIZE], double v) {
  if (print_special(buf, v))
    return buf;
  locale_t mine, before = enter_c_locale(&mine);
  for (int digits = 6; digits <= 17; digits++) { /* DBL_DECIMAL_DIG */
    snprintf(buf, WF_NUMBER_SIZE, "%.*g", digits, v);
    if (strtod(buf, NULL) == v)
      break;
  }
  leave_c_locale(before, mine);
  return buf;
}

const char *wf_number_print_hex(char buf[WF_NUMBER_SIZE], double v) {
  if (print_special(buf, v))
    return buf;
  locale_t mine, before = enter_c_locale(&mine);
  snprintf(buf, WF_NUMBER_SIZE, "%a", v);
  leave_c_locale(before, mine);
  return buf;
}
