/* owns.c - the text of WfVariant.owns, and which block owns a slice. */
#include "owns.h"
#include <stdio.h>
#include <string.h>

enum { MAX_PART_BYTES = 128 };

typedef struct Owns { /* the text and what its names mean */
  const char *at;
  WfVars vars;
  char *err;
  size_t err_size;
} Owns;

static int fail(const Owns *o, const char *what) {
  if (o->err && o->err_size)
    snprintf(o->err, o->err_size, "%s", what);
  return -1;
}

/* Evaluates the text up to `stop`, or up to its end where that is not there, and goes on behind. */
static int take(Owns *o, const char *stop, int64_t *out) {
  char part[MAX_PART_BYTES];
  const char *end = strstr(o->at, stop);
  size_t n = end ? (size_t)(end - o->at) : strlen(o->at);
  if (n >= sizeof part)
    return fail(o, "a part is too long");
  memcpy(part, o->at, n);
  part[n] = '\0';
  o->at += n + (end ? strlen(stop) : 0);
  return wf_expr_eval(part, &o->vars, out, o->err, o->err_size);
}

int wf_owns_eval(const char *owns, const WfCase *c, const WfGeometry *g, uint64_t b, WfOwned *out, char *err, size_t err_size) {
  int64_t number = (int64_t)b;
  Owns o = {owns, {c->op, c->dim, g->grid, g->block, 0, &number}, err, err_size};
  *out = (WfOwned){.step = 1, .width = 1};
  if (!strstr(owns, ".."))
    return fail(&o, "'..' is missing");
  if (take(&o, "..", &out->first) || take(&o, " step ", &out->end))
    return -1;
  if (*o.at && take(&o, " width ", &out->step))
    return -1;
  if (*o.at && take(&o, "\n", &out->width))
    return -1;
  if (out->first < 0 || out->width < 1 || out->width > out->step)
    return fail(&o, "a block owns slices from 0 on, and 1 to STEP of them at a time");
  if (out->end > c->dim[0])
    out->end = c->dim[0];
  return 0;
}

int64_t wf_owned_count(const WfOwned *o) {
  if (o->first >= o->end)
    return 0;
  int64_t span = o->end - o->first, rest = span % o->step;
  return span / o->step * o->width + (rest < o->width ? rest : o->width);
}

int64_t wf_owned_runs(const WfOwned *o) {
  if (o->first >= o->end)
    return 0;
  return o->step == o->width ? 1 : (o->end - o->first - 1) / o->step + 1;
}

int wf_owned_has(const WfOwned *o, int64_t slice) {
  return slice >= o->first && slice < o->end && (slice - o->first) % o->step < o->width;
}

uint64_t wf_geometry_blocks(const WfGeometry *g) { return (uint64_t)g->grid[0] * g->grid[1] * g->grid[2]; }

/* FIRST of blocks 0 and 1 says how FIRST grows; the owner is then the block at that distance, or at the distance that is left
 * of whole steps. Whether it is one, its own WfOwned tells. */
int wf_owns_find(const char *owns, const WfCase *c, const WfGeometry *g, int64_t slice, uint64_t *b) {
  WfOwned zero, one, o;
  if (wf_owns_eval(owns, c, g, 0, &zero, NULL, 0))
    return -1;
  *b = 0;
  if (wf_owned_has(&zero, slice))
    return 0;
  if (wf_owns_eval(owns, c, g, 1, &one, NULL, 0) || one.first <= zero.first || slice < zero.first)
    return -1;
  int64_t growth = one.first - zero.first, behind = slice - zero.first;
  const int64_t candidate[] = {behind / growth, behind % zero.step / growth};
  for (int i = 0; i < 2; i++) {
    *b = (uint64_t)candidate[i];
    if (*b < wf_geometry_blocks(g) && wf_owns_eval(owns, c, g, *b, &o, NULL, 0) == 0 && wf_owned_has(&o, slice))
      return 0;
  }
  return -1;
}
