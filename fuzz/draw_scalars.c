/* draw_scalars.c - scalars and flags that a contract's condition asks for. What a condition compares a scalar with is where it may change:
 * such numbers, those next to them and some between are tried, together with the usual ones, so that equalities, sets and ranges are met by
 * looking, not by chance. */
#include "draw.h"
#include <math.h>
#include <string.h>

enum {
  MAX_VALUES = 24, /* of a scalar to be tried */
  ROUNDS = 4       /* of finding more: the right side of && is compared only where the left one holds */
};

typedef struct Values {
  int n;
  double v[MAX_VALUES];
} Values;

typedef struct Search {
  const WfCase *c;
  const WfVariant *v;
  Values of[WF_MAX_SCALARS];
  int n_good;
  double good[MAX_VALUES * MAX_VALUES][WF_MAX_SCALARS]; /* combinations with which the condition holds */
} Search;

/* 1: it was not there. */
static int add(Values *values, double v) {
  if (!isfinite(v) || values->n == MAX_VALUES)
    return 0;
  for (int i = 0; i < values->n; i++)
    if (values->v[i] == v)
      return 0;
  values->v[values->n++] = v;
  return 1;
}

/* Usual ones first: where the condition leaves a choice they are the first that are found. */
static void begin(Search *s, const WfCase *c, const WfVariant *v) {
  s->c = c;
  s->v = v;
  s->n_good = 0;
  for (int i = 0; i < WF_MAX_SCALARS; i++)
    s->of[i].n = 0;
  for (int i = 0; i < c->op->n_scalars; i++) {
    const WfScalarDesc *d = &c->op->scalars[i];
    for (int k = 0; d->kind == WF_FLAG && k < 2; k++)
      add(&s->of[i], k);
    for (int k = 0; d->kind == WF_REAL && k < d->n_usual; k++)
      add(&s->of[i], d->usual[k]);
  }
  for (int i = c->op->n_scalars; i < WF_MAX_SCALARS; i++)
    add(&s->of[i], 0);
}

static int add_compared(Search *s, const WfCompared *compared) {
  int n = 0;
  for (int i = 0; i < compared->n; i++) {
    Values *values = &s->of[compared->at[i].scalar];
    float at = (float)compared->at[i].with;
    n += add(values, (double)at);
    n += add(values, (double)nextafterf(at, INFINITY));
    n += add(values, (double)nextafterf(at, -INFINITY));
  }
  return n;
}

/* Tries all combinations. Returns how many values were found on the way that are not among them. */
static int try_all(Search *s) {
  const int first = s->of[0].n, second = s->of[1].n;
  int n = 0;
  s->n_good = 0;
  for (int i = 0; i < first; i++)
    for (int k = 0; k < second; k++) {
      const double pair[WF_MAX_SCALARS] = {s->of[0].v[i], s->of[1].v[k]};
      WfCompared compared;
      if (wf_case_condition(s->c, s->v, pair, &compared))
        memcpy(s->good[s->n_good++], pair, sizeof pair);
      n += add_compared(s, &compared);
    }
  return n;
}

/* A number between two floats, for ranges: of one sign by their logarithms. */
static double between(double a, double b, uint64_t pick) {
  double part = (double)(pick % 1023 + 1) / 1024;
  int by_factor = a * b > 0 && (fabs(a / b) > 16 || fabs(b / a) > 16);
  return (double)(float)(by_factor ? copysign(exp(log(fabs(a)) + part * (log(fabs(b)) - log(fabs(a)))), a) : a + part * (b - a));
}

/* Between some pairs of the values that are there. */
static void add_between(Search *s, WfChoice *ch) {
  enum { SOME = 6 };
  for (int i = 0; i < s->c->op->n_scalars; i++) {
    Values *values = &s->of[i];
    int n = values->n;
    for (int k = 0; k < SOME && n > 1 && s->c->op->scalars[i].kind == WF_REAL; k++) {
      double a = values->v[wf_choice_below(ch, (uint64_t)n)], b = values->v[wf_choice_below(ch, (uint64_t)n)];
      add(values, between(a, b, wf_choice_below(ch, 1 << 16)));
    }
  }
}

int wf_case_settle_scalars(WfCase *c, const WfVariant *v, WfChoice *ch) {
  Search s;
  if (wf_case_condition(c, v, c->scalar, NULL))
    return 1;
  if (c->op->n_scalars == 0)
    return 0;
  begin(&s, c, v);
  for (int round = 0; try_all(&s) && round < ROUNDS; round++)
    continue;
  if (ch) {
    add_between(&s, ch);
    try_all(&s);
  }
  if (s.n_good == 0)
    return 0;
  memcpy(c->scalar, s.good[ch ? wf_choice_below(ch, (uint64_t)s.n_good) : 0], sizeof c->scalar);
  return 1;
}

/* ---- which parts of a condition are about what ---- */

static int is_name_char(char ch) {
  return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_' || ch == '.';
}

static int is_named(const char *s, size_t n, const char *name) {
  size_t length = strlen(name);
  for (size_t i = 0; i + length <= n; i++)
    if (memcmp(s + i, name, length) == 0 && (i == 0 || !is_name_char(s[i - 1])) && (i + length == n || !is_name_char(s[i + length])))
      return 1;
  return 0;
}

enum { PART_REAL = 1, PART_FLAG = 2, PART_SHAPE = 4 };

static unsigned part_names(const WfOp *op, const char *s, size_t n) {
  static const char *const launch[] = {"block.x", "block.y", "block.z", "grid.x", "grid.y", "grid.z", "align"};
  unsigned names = 0;
  for (int i = 0; i < op->n_scalars; i++)
    if (is_named(s, n, op->scalars[i].name))
      names |= op->scalars[i].kind == WF_FLAG ? PART_FLAG : PART_REAL;
  for (int i = 0; i < op->n_dims; i++)
    names |= is_named(s, n, op->dims[i].name) ? PART_SHAPE : 0;
  for (size_t i = 0; i < sizeof launch / sizeof *launch; i++)
    names |= is_named(s, n, launch[i]) ? PART_SHAPE : 0;
  return names;
}

/* Appends the part to one of the texts, of `size` bytes each. */
static void add_part(char *to, size_t size, const char *part, size_t n) {
  size_t used = strlen(to);
  if (used + n + 5 > size)
    return;
  if (used) {
    memcpy(to + used, " && ", 4);
    used += 4;
  }
  memcpy(to + used, part, n);
  to[used + n] = '\0';
}

void wf_draw_split_condition(WfDraw *d) {
  const char *requires = d->v->requires;
  if (!requires || d->op->n_scalars == 0 || !(part_names(d->op, requires, strlen(requires)) & (PART_REAL | PART_FLAG)))
    return;
  d->has_scalars = 1;
  d->shape_only[0] = d->flags_only[0] = '\0';
  for (const char *s = requires; *s;) {
    size_t n = wf_draw_part_length(s);
    unsigned names = part_names(d->op, s, n);
    if (names == PART_FLAG)
      add_part(d->flags_only, sizeof d->flags_only, s, n);
    else if (!(names & PART_REAL))
      add_part(d->shape_only, sizeof d->shape_only, s, n);
    s += n;
    s += strncmp(s, "&&", 2) == 0 ? 2 : 0;
  }
  d->any_values.requires = d->shape_only[0] ? d->shape_only : NULL;
}

/* ---- drawing ---- */

void wf_draw_flags(WfDraw *d, WfCase *c) {
  WfVariant flags = d->launch_only;
  if (!d->has_scalars || !d->flags_only[0])
    return;
  flags.requires = d->flags_only;
  wf_case_settle_scalars(c, &flags, d->ch);
}

void wf_draw_scalars(WfDraw *d, WfCase *c) {
  for (int i = 0; i < d->op->n_scalars; i++)
    c->scalar[i] = wf_draw_scalar(d, i);
}

int wf_draw_settle_scalars(WfDraw *d, WfCase *c) { return !d->has_scalars || wf_case_settle_scalars(c, d->v, d->ch); }
