/* variables.c - __device__, __constant__ and __managed__ variables are objects in device memory: with an extent, a name and races, and as
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
  uint32_t flags = SIMT_BUF_INIT | (v->how & SIMT_VARIABLE_MANAGED ? SLOT_HOST : 0u);
  if (s->n_variables == SIMT_MAX_VARIABLES || s->slots[i].base || simt_slot_map(s, i, v->name, v->bytes, 0, flags)) return NULL;
  s->slots[i].floor_seg = s->races.first_chunk << 5;
  simt_set_quick(s, &s->slots[i], 1);
  s->variable[s->n_variables++] = v;
  if (v->how & SIMT_VARIABLE_ZERO) simt_slot_clear(&s->slots[i]);
  else memcpy((void *)s->slots[i].base, v->host, v->bytes);
  move_pointers(v, (char *)s->slots[i].base);
  return (void *)s->slots[i].base;
}

/* Several files may hold a record of one variable: of an inline one, or of a member of a template. */
void *simt_variable_in(Simt *s, const SimtVariable *v) {
  for (unsigned i = 0; i < s->n_variables; i++)
    if (s->variable[i]->host == v->host) return (void *)s->slots[SIMT_SLOTS - 1 - i].base;
  return map_variable(s, v);
}

/* Where host code finds a managed one: where kernels do, while there is a context. */
static void *managed_on_host(const SimtVariable *v) {
  simt_program_lock(); /* until another thread's launch is over */
  Simt *s = simt_host_context();
  void *p = s ? simt_variable_in(s, v) : NULL;
  simt_program_unlock();
  return p ? p : v->host;
}

/* Host code, and a variable too many, have the one that the linker made. */
void *simt_variable(const SimtVariable *v) {
  Simt *s = simt_current ? simt_current->simt : NULL;
  if (!s && v->how & SIMT_VARIABLE_MANAGED) return managed_on_host(v);
  void *p = s ? simt_variable_in(s, v) : NULL;
  return p ? p : v->host;
}

extern const SimtVariable __start_simt_variables[] __attribute__((weak)), __stop_simt_variables[] __attribute__((weak));

const SimtVariable *simt_variable_at(const void *host, uint64_t *offset_bytes) {
  for (const SimtVariable *v = __start_simt_variables; v < __stop_simt_variables; v++) {
    uint64_t off = (uintptr_t)host - (uintptr_t)v->host;
    if (off >= v->bytes) continue;
    *offset_bytes = off;
    return v;
  }
  return NULL;
}

const SimtVariable *simt_variable_of(Simt *s, const void *p, uint64_t *offset_bytes) {
  const Slot *o = simt_slot_of(s, (uintptr_t)p);
  for (unsigned i = 0; o && i < s->n_variables; i++) {
    *offset_bytes = (uintptr_t)p - o->base;
    if (o == &s->slots[SIMT_SLOTS - 1 - i]) return *offset_bytes < o->size ? s->variable[i] : NULL;
  }
  return NULL;
}

void simt_forget_variables(Simt *s) {
  for (unsigned i = 0; i < s->n_variables; i++) simt_slot_unmap(&s->slots[SIMT_SLOTS - 1 - i]);
  s->n_variables = 0;
}
