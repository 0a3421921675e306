/* objects.c - what an address lies in, for findings: buffer, shared or local variable, and element. */
#include "engine.h"
#include <stdio.h>
#include <string.h>

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* The element of v at byte `off` of it, which may lie outside. */
static void name_element(SimtFinding *f, const SimtVar *v, int64_t off) {
  if (!v->elem_bytes) return;
  int64_t bytes = v->elem_bytes, i = floor_div(off, bytes), rest = off - i * bytes, index[3] = {0};
  unsigned n = 1 + (v->inner[0] != 0) + (v->inner[1] != 0);
  for (unsigned k = n; k-- > 1;) { /* the last dimension first */
    int64_t row = v->inner[k - 1];
    index[k] = i - floor_div(i, row) * row;
    i = floor_div(i, row);
  }
  index[0] = i;
  size_t used = 0;
  for (unsigned k = 0; k < n && used < sizeof f->element; k++)
    used += (size_t)snprintf(f->element + used, sizeof f->element - used, "[%lld]", (long long)index[k]);
  if (rest && used < sizeof f->element)
    snprintf(f->element + used, sizeof f->element - used, " + %lld byte%s", (long long)rest, rest == 1 ? "" : "s");
}

static void set_dynamic(SimtFinding *f, const SimtModule *m, int64_t off) {
  f->object = m->dynamic.name ? m->dynamic.name : "dynamic shared memory";
  f->offset_bytes = off - (int64_t)m->shared_bytes;
  if (m->dynamic.name) name_element(f, &m->dynamic, f->offset_bytes);
}

static void set_variable(SimtFinding *f, const SimtVar *v, int64_t off) {
  f->object = v->name;
  f->offset_bytes = off - (int64_t)v->offset_bytes;
  name_element(f, v, f->offset_bytes);
}

void simt_object(Simt *s, SimtFinding *f, const Slot *o, uint64_t off) {
  f->object = o->name ? o->name : "";
  f->offset_bytes = (int64_t)off;
  if (!(o->flags & SLOT_SHARED) || !s->launch.kernel) return;
  const SimtModule *m = s->launch.kernel->module;
  for (uint64_t i = 0; i < m->n_shared; i++)
    if (off >= m->shared[i].offset_bytes && off < m->shared[i].offset_bytes + m->shared[i].size_bytes) {
      set_variable(f, &m->shared[i], (int64_t)off);
      return;
    }
  set_dynamic(f, m, (int64_t)off);
}

/* The shared variable nearest to an offset outside of all; NULL: dynamic shared memory is. */
static const SimtVar *nearest(const SimtModule *m, int64_t off) {
  const SimtVar *best = NULL;
  int64_t least = off < (int64_t)m->shared_bytes ? (int64_t)m->shared_bytes - off : off - (int64_t)m->shared_bytes;
  for (uint64_t i = 0; i < m->n_shared; i++) {
    int64_t begin = (int64_t)m->shared[i].offset_bytes, end = begin + (int64_t)m->shared[i].size_bytes;
    int64_t d = off < begin ? begin - off : off < end ? 0 : off - end;
    if (d <= least) best = &m->shared[i], least = d;
  }
  return best;
}

void simt_outside(Simt *s, SimtFinding *f, const Slot *o, int64_t off) {
  uint64_t size = o->size;
  f->object = o->name ? o->name : "";
  f->offset_bytes = off;
  if (o->flags & SLOT_SHARED && s->launch.kernel) {
    const SimtModule *m = s->launch.kernel->module;
    const SimtVar *v = nearest(m, off);
    size = v ? v->size_bytes : size - m->shared_bytes;
    if (v) set_variable(f, v, off);
    else set_dynamic(f, m, off);
  }
  off = f->offset_bytes;
  if (off < 0) simt_detail(f, "%s of %u bytes, %lld bytes before the start of %s", f->here.access, f->size_bytes, -(long long)off, f->object);
  else simt_detail(f, "%s of %u bytes at byte %lld of %s, which has %llu", f->here.access, f->size_bytes, (long long)off, f->object, (unsigned long long)size);
}

extern const SimtLocalSite __start_simt_locals[] __attribute__((weak)), __stop_simt_locals[] __attribute__((weak));

const char *simt_local_name(const SimtSite *site) {
  for (const SimtLocalSite *l = __start_simt_locals; l < __stop_simt_locals; l++)
    if (l->site == site) return l->var.name;
  return NULL;
}

void simt_local_object(SimtFinding *f, int64_t off) {
  f->object = "local array";
  f->offset_bytes = off;
  for (const SimtLocalSite *l = __start_simt_locals; l < __stop_simt_locals; l++)
    if (l->site == f->here.site) set_variable(f, &l->var, off);
}

void simt_outside_local(SimtFinding *f, int64_t off, uint64_t size) {
  simt_local_object(f, off);
  const char *name = strcmp(f->object, "local array") ? f->object : "";
  simt_detail(f, "%s of %u bytes at byte %lld of %s%sa%s array of %llu bytes", f->here.access, f->size_bytes, (long long)off,
              name, *name ? ", " : "", strncmp(name, "argument ", 9) ? " local" : "n", (unsigned long long)size);
}
