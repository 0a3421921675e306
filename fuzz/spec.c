/* spec.c - SPECs: sets of numbers such as "32..1024 multiple of 32" (doc/CASE.md, "SPECs"). */
#include "arith.h"
#include "case.h"
#include "number.h"
#include <string.h>

static const char *skip_blanks(const char *s) { return s + strspn(s, " \t"); }

static int fail(char *err, size_t err_size, const char *message, const char *token) {
  size_t n = strcspn(token, " \t,");
  if (err_size)
    snprintf(err, err_size, "%s '%.*s'", message, (int)(n > 40 ? 40 : n), token);
  return -1;
}

/* Reads a number at *s and steps over it and the blanks after it. */
static int number(const char **s, int64_t *out, char *err, size_t err_size) {
  size_t n = strspn(*s, "0123456789abcdefxABCDEFX");
  uint64_t v;
  int r = wf_number_u64(*s, n, &v);
  if (r == WF_NUMBER_SYNTAX)
    return fail(err, err_size, "a number is missing at", *s);
  if (r == WF_NUMBER_RANGE || v > (uint64_t)WF_MAX_EXTENT)
    return fail(err, err_size, "too large:", *s);
  *out = (int64_t)v;
  *s = skip_blanks(*s + n);
  return 0;
}

/* Takes the words if they come next, each a whole word; blanks between them as they like. */
static int take_words(const char **s, const char *first, const char *second) {
  const char *at = *s, *const words[2] = {first, second};
  for (int i = 0; i < 2; i++) {
    size_t n = strlen(words[i]);
    if (strncmp(at, words[i], n) != 0 || (at[n] != ' ' && at[n] != '\t'))
      return 0;
    at = skip_blanks(at + n);
  }
  *s = at;
  return 1;
}

static int list(const char *s, WfSpec *out, char *err, size_t err_size) {
  for (;;) {
    int64_t v = out->list[out->n_list++];
    out->min = v < out->min ? v : out->min;
    out->max = v > out->max ? v : out->max;
    if (*s != ',')
      return *s ? fail(err, err_size, "unexpected", s) : 0;
    if (out->n_list == 32)
      return fail(err, err_size, "more than 32 numbers in the list, at", s + 1);
    s = skip_blanks(s + 1);
    if (number(&s, &out->list[out->n_list], err, err_size))
      return -1;
  }
}

static int restriction(const char *s, WfSpec *out, char *err, size_t err_size) {
  if (take_words(&s, "multiple", "of")) {
    const char *token = s;
    if (number(&s, &out->multiple, err, err_size))
      return -1;
    if (out->multiple == 0)
      return fail(err, err_size, "no multiples of", token);
  } else if (take_words(&s, "power", "of")) {
    const char *token = s;
    int64_t two;
    if (number(&s, &two, err, err_size))
      return -1;
    if (two != 2)
      return fail(err, err_size, "only powers of 2 can be asked for, not of", token);
    out->power_of_2 = 1;
  }
  return *s ? fail(err, err_size, "unexpected", s) : 0;
}

int wf_spec_parse(const char *text, WfSpec *out, char *err, size_t err_size) {
  char unused[8];
  WfSpec spec = {.multiple = 1};
  if (!err) {
    err = unused;
    err_size = sizeof unused;
  }
  const char *s = skip_blanks(text);
  if (number(&s, &spec.min, err, err_size))
    return -1;
  spec.max = spec.min;
  if (strncmp(s, "..", 2) == 0) {
    s = skip_blanks(s + 2);
    if (number(&s, &spec.max, err, err_size) || restriction(s, &spec, err, err_size))
      return -1;
    if (!wf_spec_admits(&spec, wf_spec_snap(&spec, spec.min)))
      return fail(err, err_size, "nothing is in the range that begins at", skip_blanks(text));
  } else {
    spec.list[0] = spec.min;
    if (list(s, &spec, err, err_size))
      return -1;
  }
  *out = spec;
  return 0;
}

static int in_list(const WfSpec *s, int64_t v) {
  for (int i = 0; i < s->n_list; i++)
    if (s->list[i] == v)
      return 1;
  return 0;
}

int wf_spec_admits(const WfSpec *s, int64_t v) {
  if (v < s->min || v > s->max)
    return 0;
  if (s->n_list)
    return in_list(s, v);
  return v % s->multiple == 0 && (!s->power_of_2 || (v > 0 && (v & (v - 1)) == 0));
}

static int64_t snap_power(const WfSpec *s, int64_t v) {
  int64_t p = 1;
  while (p <= v / 2)
    p *= 2;
  return p < s->min ? p * 2 : p;
}

static int64_t snap_list(const WfSpec *s, int64_t v) {
  int64_t best = s->list[0];
  for (int i = 1; i < s->n_list; i++) {
    int64_t old = best < v ? v - best : best - v, now = s->list[i] < v ? v - s->list[i] : s->list[i] - v;
    best = now < old ? s->list[i] : best;
  }
  return best;
}

int64_t wf_spec_snap(const WfSpec *s, int64_t v) {
  v = v < s->min ? s->min : v > s->max ? s->max : v;
  if (s->n_list)
    return snap_list(s, v);
  if (s->power_of_2)
    return snap_power(s, v);
  int64_t down = v - v % s->multiple;
  return down < s->min ? down + s->multiple : down;
}

/* ---- both of two ---- */

static int keep_listed(const WfSpec *list, const WfSpec *other, WfSpec *out) {
  WfSpec both = {.multiple = 1, .min = INT64_MAX, .max = -1};
  for (int i = 0; i < list->n_list; i++) {
    int64_t v = list->list[i];
    if (!wf_spec_admits(other, v))
      continue;
    both.list[both.n_list++] = v;
    both.min = v < both.min ? v : both.min;
    both.max = v > both.max ? v : both.max;
  }
  *out = both;
  return both.n_list ? 0 : -1;
}

/* The powers of 2 among the multiples of m: none, unless m is one; then those from m on. */
static int restrict_to_powers(WfSpec *s) {
  if (s->multiple & (s->multiple - 1))
    return -1;
  s->min = s->min < s->multiple ? s->multiple : s->min;
  s->multiple = 1;
  s->min = snap_power(s, s->min);
  int64_t top = 1;
  while (top <= s->max / 2)
    top *= 2;
  s->max = s->max < 1 ? 0 : top;
  return s->min <= s->max ? 0 : -1;
}

int wf_spec_intersect(const WfSpec *a, const WfSpec *b, WfSpec *out) {
  if (a->n_list || b->n_list)
    return a->n_list ? keep_listed(a, b, out) : keep_listed(b, a, out);
  WfSpec both = {.min = a->min > b->min ? a->min : b->min, .max = a->max < b->max ? a->max : b->max};
  if (__builtin_mul_overflow(a->multiple / wf_common_divisor(a->multiple, b->multiple), b->multiple, &both.multiple))
    both.multiple = INT64_MAX; /* of which there is none but 0 */
  both.power_of_2 = a->power_of_2 || b->power_of_2;
  if (both.power_of_2 && restrict_to_powers(&both) != 0)
    return -1;
  int64_t rest = both.min % both.multiple;
  if (rest && __builtin_add_overflow(both.min, both.multiple - rest, &both.min))
    return -1;
  both.max -= both.max % both.multiple;
  *out = both;
  return both.min <= both.max ? 0 : -1;
}

/* ---- drawing ---- */

/* A number as such, before the SPEC is looked at: favours what goes wrong in kernels. Choice 0 is the minimum. */
static int64_t draw_edge(const WfSpec *s, WfChoice *c) {
  static const int64_t primes[] = {2, 3, 5, 7, 11, 13, 17, 29, 31, 37, 47, 61, 67, 97, 127, 131, 191, 251, 257, 509, 1021};
  uint64_t span = (uint64_t)(s->max - s->min) + 1;
  switch (wf_choice_below(c, 16)) {
  case 0: return s->min;
  case 1: return s->max;
  case 2:
  case 3:
  case 4: return 32 * (int64_t)(1 + wf_choice_below(c, 4)) + (int64_t)wf_choice_below(c, 3) - 1;
  case 5: return 32 * (int64_t)(1 + wf_choice_below(c, 32)) + (int64_t)wf_choice_below(c, 3) - 1;
  case 6:
  case 7:
  case 8: return (int64_t)1 << wf_choice_below(c, 11);
  case 9:
  case 10: return primes[wf_choice_below(c, sizeof primes / sizeof primes[0])];
  case 11:
  case 12:
  case 13: return s->min + (int64_t)wf_choice_below(c, span < 128 ? span : 128);
  case 14: return 4 * (int64_t)wf_choice_below(c, 64) + 1 + (int64_t)wf_choice_below(c, 3);
  default: return s->min + (int64_t)wf_choice_below(c, span);
  }
}

int64_t wf_spec_draw(const WfSpec *s, WfChoice *c) {
  if (s->n_list)
    return s->list[wf_choice_below(c, (uint64_t)s->n_list)];
  int64_t v = draw_edge(s, c);
  /* Snapping would heap all edges up at the ends of a narrow range. */
  if (v < s->min || v > s->max)
    v = s->min + (int64_t)((uint64_t)v % ((uint64_t)(s->max - s->min) + 1));
  return wf_spec_snap(s, v);
}
