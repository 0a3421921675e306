/* variables.c - __device__ and __constant__ variables are objects in device memory: with an extent, a name and races, and as
 * they were initialised at the start of each run. */
#include "engine.h"
#include <string.h>

/* What the image points to lies elsewhere in this run. */
static void move_pointers(const SimtVariable *v, char *base) {
  for (uint64_t i = 0; i < v->n_pointers; i++) {
    const SimtPointer *p = &v->pointers[i];
    uintptr_t at;
    memcpy(&at, base + p->offset_bytes, sizeof at);
    at += (uintptr_t)simt_variable(p->to) - (uintptr_t)p->to->host;
    memcpy(base + p->offset_bytes, &at, sizeof at);
  }
}

/* Slots from the top, so that they take none of the numbers that buffers would have. NULL: no room. */
static void *map_variable(Simt *s, const SimtVariable *v) {
  unsigned i = SIMT_SLOTS - 1 - s->n_variables;
  if (s->n_variables == SIMT_MAX_VARIABLES || s->slots[i].base || simt_slot_map(s, i, v->name, v->bytes, 0, SIMT_BUF_INIT)) return NULL;
  s->slots[i].floor_seg = s->races.first_chunk << 5;
  simt_set_quick(s, &s->slots[i], 1);
  s->variable[s->n_variables++] = v;
  if (v->zero) simt_slot_clear(&s->slots[i]);
  else memcpy((void *)s->slots[i].base, v->host, v->bytes);
  move_pointers(v, (char *)s->slots[i].base);
  return (void *)s->slots[i].base;
}

/* Host code, and a variable too many, have the one that the linker made. */
void *simt_variable(const SimtVariable *v) {
  Simt *s = simt_current ? simt_current->simt : NULL;
  if (!s) return v->host;
  for (unsigned i = 0; i < s->n_variables; i++)
    if (s->variable[i] == v) return (void *)s->slots[SIMT_SLOTS - 1 - i].base;
  void *p = map_variable(s, v);
  return p ? p : v->host;
}

void simt_forget_variables(Simt *s) {
  for (unsigned i = 0; i < s->n_variables; i++) simt_slot_unmap(&s->slots[SIMT_SLOTS - 1 - i]);
  s->n_variables = 0;
}
