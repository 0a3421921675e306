/* shrink_values.c - schedule, distributions with their parameters, base offsets, scalars. */
#include "case_order.h"
#include "shrink_impl.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEDULES = 16, SEEDS = 4, MAX_ALIGN = 4 };

/* ---- numbers ---- */

static int add_number(double out[WF_SHRINK_MAX_NUMBERS], int n, double v) {
  for (int i = 0; i < n; i++)
    if (memcmp(&out[i], &v, sizeof v) == 0)
      return n;
  if (n == WF_SHRINK_MAX_NUMBERS || !isfinite((float)v))
    return n;
  out[n] = v;
  return n + 1;
}

/* v with so many significant digits, as a float. */
static double rounded(double v, int digits) {
  char text[WF_NUMBER_SIZE];
  snprintf(text, sizeof text, "%.*e", digits - 1, v);
  return (double)strtof(text, NULL);
}

int wf_shrink_numbers(double v, double out[WF_SHRINK_MAX_NUMBERS]) {
  int n = add_number(out, 0, 0);
  n = add_number(out, n, 1);
  n = add_number(out, n, -1);
  if (!isfinite(v) || v == 0)
    return n;
  for (double power = 10; power <= 1000; power *= 10) {
    n = add_number(out, n, power);
    n = add_number(out, n, -power);
  }
  for (int digits = 1; digits <= 4; digits++)
    n = add_number(out, n, rounded(v, digits));
  n = add_number(out, n, rounded(v / 2, 1));
  return add_number(out, n, rounded(2 * v, 1));
}

/* ---- schedule ---- */

int wf_shrink_schedule(WfShrinker *s) {
  for (uint64_t seed = 0; seed < SCHEDULES && seed < s->best.schedule; seed++) {
    WfCase c = s->best;
    c.schedule = seed;
    if (wf_shrink_try(s, &c))
      return 1;
  }
  return 0;
}

/* ---- distributions ---- */

static int try_fill(WfShrinker *s, int t, WfDist dist, uint64_t seed, double scale, double offset) {
  WfCase c = s->best;
  c.fill[t].dist = dist;
  c.fill[t].seed = seed;
  c.fill[t].scale = scale;
  c.fill[t].offset = offset;
  return wf_shrink_try(s, &c);
}

/* Values that overflow or underflow an exponential, and a sum. */
static const double constants[] = {0, 1, -1, 10, -10, 0.1, -0.1, 100, -100, 1000, -1000, 1e4, -1e4, 1e38, -1e38};
enum { N_CONSTANTS = sizeof constants / sizeof constants[0] };

/* The current one last. */
static int try_constants(WfShrinker *s, int t) {
  for (size_t i = 0; i < N_CONSTANTS; i++)
    if (try_fill(s, t, WF_DIST_CONSTANT, 0, 1, (double)(float)constants[i]))
      return 1;
  return try_fill(s, t, WF_DIST_CONSTANT, 0, 1, s->best.fill[t].offset);
}

static int try_dist(WfShrinker *s, int t, WfDist dist) {
  const double now = s->best.fill[t].scale, scales[] = {1, -1, 10, 100, 1000, now}, offsets[] = {0, s->best.fill[t].offset};
  const uint64_t seeds = dist == WF_DIST_RAMP ? 1 : 2;
  if (dist == WF_DIST_CONSTANT)
    return try_constants(s, t);
  for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++)
    for (size_t k = 0; k < sizeof offsets / sizeof offsets[0]; k++)
      for (uint64_t seed = 0; seed < seeds; seed++)
        if (!(dist == WF_DIST_INTEGERS && fabs(scales[i]) > 0x1p24) && try_fill(s, t, dist, seed, scales[i], offsets[k]))
          return 1;
  return 0;
}

static int simplify_dist(WfShrinker *s, int t) {
  const int rank = wf_dist_rank(s->best.fill[t].dist);
  for (int r = 0; r < rank; r++)
    for (WfDist d = 0; d < WF_DIST_COUNT; d++)
      if (wf_dist_rank(d) == r && try_dist(s, t, d))
        return 1;
  return 0;
}

static int simplify_parameters(WfShrinker *s, int t) {
  double numbers[WF_SHRINK_MAX_NUMBERS];
  int taken = 0;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    WfCase c = s->best;
    c.fill[t].seed = seed;
    taken += wf_shrink_try(s, &c);
  }
  for (int which = 0; which < 2; which++) {
    int n = wf_shrink_numbers(which ? s->best.fill[t].offset : s->best.fill[t].scale, numbers);
    for (int i = 0; i < n; i++) {
      WfCase c = s->best;
      *(which ? &c.fill[t].offset : &c.fill[t].scale) = numbers[i];
      taken += wf_shrink_try(s, &c);
    }
  }
  return taken;
}

static int simplify_align(WfShrinker *s, int t) {
  for (uint32_t align = 0; align < MAX_ALIGN && align < s->best.fill[t].base_offset_elems; align++) {
    WfCase c = s->best;
    c.fill[t].base_offset_elems = align;
    if (wf_shrink_try(s, &c))
      return 1;
  }
  return 0;
}

int wf_shrink_fills(WfShrinker *s) {
  int taken = 0;
  for (int t = 0; t < s->best.op->n_tensors; t++) {
    if (s->best.op->tensors[t].role == WF_IN)
      taken += simplify_dist(s, t) + simplify_parameters(s, t);
    taken += simplify_align(s, t);
  }
  return taken;
}

/* Constants, and nothing said of base addresses and the grid: a relation changes the input by numbers that depend on the whole case, so
 * that it may show for one base or grid and not for another what some constant shows for all. */
int wf_shrink_plain(WfShrinker *s) {
  WfCase plain = s->best;
  for (int t = 0; t < plain.op->n_tensors; t++)
    plain.fill[t].base_offset_elems = 0;
  plain.grid[0] = 0;
  for (int t = 0; t < plain.op->n_tensors && wf_case_compare(&plain, &s->best, s->target->variant) < 0; t++)
    for (size_t i = 0; i < N_CONSTANTS && plain.op->tensors[t].role == WF_IN; i++) {
      WfCase c = plain;
      c.fill[t] = (WfFill){.dist = WF_DIST_CONSTANT, .scale = 1, .offset = (double)(float)constants[i]};
      if (wf_shrink_try(s, &c))
        return 1;
    }
  return 0;
}

/* ---- scalars, place ---- */

int wf_shrink_place(WfShrinker *s) {
  WfCase c = s->best;
  c.in_place = 0;
  return s->best.in_place && wf_shrink_try(s, &c);
}

int wf_shrink_scalars(WfShrinker *s) {
  double numbers[WF_SHRINK_MAX_NUMBERS];
  int taken = 0;
  for (int k = 0; k < s->best.op->n_scalars; k++) {
    int n = wf_shrink_numbers(s->best.scalar[k], numbers);
    if (s->best.op->scalars[k].kind == WF_FLAG) {
      n = 1;
      numbers[0] = 0;
    }
    for (int i = 0; i < n; i++) {
      WfCase c = s->best;
      c.scalar[k] = numbers[i];
      taken += wf_shrink_try(s, &c);
    }
  }
  return taken;
}
