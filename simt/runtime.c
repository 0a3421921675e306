/* runtime.c - how calls of the runtime begin and end, errors, and what an address is. */
#define _DEFAULT_SOURCE
#include "runtime.h"
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- calls ---- */

cudaError_t simt_query_begin(Simt **s) {
  simt_program_lock();
  *s = simt_host_context();
  if (*s) return cudaSuccess;
  return simt_current ? cudaErrorNotSupported : cudaErrorInitializationError;
}

/* From here on what a kernel has broken stays so. Launchers of cases are not told: their findings say it, and the next case begins afresh. */
cudaError_t simt_call_begin(Simt **s) {
  cudaError_t e = simt_query_begin(s);
  if (e) return e;
  if ((*s)->program && (*s)->fault && !(*s)->broken) (*s)->broken = (*s)->fault;
  return (cudaError_t)(*s)->broken;
}

cudaError_t simt_call_end(Simt *s, cudaError_t e) {
  if (s && e && e != cudaErrorNotReady) s->last_error = (int)e;
  if (s && e && e != cudaErrorNotReady && simt_place_call()) s->failed = (SimtFailed){simt_place_call(), NULL, simt_place(), (int)e};
  if (s) simt_program_tell(s);
  simt_program_unlock();
  return e;
}

SimtFinding *simt_report_call(Simt *s, SimtClass cls, SimtSeverity severity, const char *access) {
  const SimtSite *site = simt_place();
  SimtFinding *f = simt_report_of(s, NULL, cls, severity, site, NULL);
  if (f && site) f->here = simt_host_where(site, access);
  return f;
}

void simt_add_failed(const Simt *s, SimtFinding *f) {
  const SimtFailed *failed = &s->failed;
  size_t len = strlen(f->detail), room = sizeof f->detail - len;
  char at[96];
  if (!failed->error) return;
  simt_site_text(failed->site, at, sizeof at);
  snprintf(f->detail + len, room, "; %s%s%s%s failed before that: %s", failed->call ? failed->call : "the launch of ",
           failed->call ? "" : failed->kernel->name, *at ? " at " : "", at, simt_error_name(failed->error));
}

/* ---- errors ---- */

static cudaError_t last_error(int forget) {
  Simt *s;
  cudaError_t e = simt_query_begin(&s);
  if (!e) {
    e = (cudaError_t)s->last_error;
    if (forget) s->last_error = cudaSuccess;
  }
  simt_program_unlock();
  return e;
}

cudaError_t cudaGetLastError(void) { return last_error(1); }
cudaError_t cudaPeekAtLastError(void) { return last_error(0); }

static const struct {
  int number;
  const char *name, *text;
} errors[] = {
#define ROW(name, number, text) {number, #name, text},
#include "include/simt_errors.def"
#undef ROW
};

const char *simt_error_name(int error) {
  for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
    if (errors[i].number == error) return errors[i].name;
  return "unrecognized error code";
}

const char *cudaGetErrorName(cudaError_t error) { return simt_error_name((int)error); }

const char *cudaGetErrorString(cudaError_t error) {
  for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
    if (errors[i].number == (int)error) return errors[i].text;
  return "unrecognized error code";
}

/* ---- addresses ---- */

static Side in_slot(Simt *s, Slot *o, uintptr_t p) {
  const Allocation *a = o->flags & SLOT_HEAP ? simt_heap_find(s, p) : NULL;
  Side d = {.kind = o->flags & SLOT_HOST && !(o->flags & SLOT_HEAP) ? SIDE_SHARED : SIDE_DEVICE, .slot = o, .allocation = a, .base = o->base, .bytes = o->size, .name = o->name ? o->name : ""};
  if (a) {
    d.base = a->base;
    d.bytes = a->bytes;
    d.name = a->name;
    if (a->kind != HEAP_DEVICE) d.kind = SIDE_SHARED;
  }
  if (!o->base || p - d.base >= d.bytes || (o->flags & SLOT_HEAP && !a)) d.kind = SIDE_NOWHERE;
  return d;
}

int simt_side_is_managed(const Side *d) {
  return d->kind == SIDE_SHARED && (!d->allocation || d->allocation->kind == HEAP_MANAGED);
}

int simt_side_touch(Simt *s, const Side *d, uint64_t off, uint64_t bytes) {
  if (!d->slot || !d->slot->lazy || !simt_lazy_touch(d->slot, off, bytes)) return 0;
  s->aborted = s->stats.abandoned = 1;
  return -1;
}

extern char __start_simt_managed[] __attribute__((weak)), __stop_simt_managed[] __attribute__((weak));

int simt_is_managed_place(const void *p) { return (const char *)p >= __start_simt_managed && (const char *)p < __stop_simt_managed; }

Side simt_side(Simt *s, const void *p) {
  Slot *o = simt_slot_of(s, (uintptr_t)p);
  if (!p) return (Side){.kind = SIDE_NULL, .name = "a null pointer"};
  if (o) return in_slot(s, o, (uintptr_t)p);
  return (Side){.kind = simt_heap_registered(s, (uintptr_t)p, 1) ? SIDE_REGISTERED : SIDE_PAGEABLE, .name = "host memory"};
}

/* A path's last part: the places of findings have the rest. */
void simt_site_text(const SimtSite *site, char *to, size_t size) {
  const char *name = site ? strrchr(site->file, '/') : NULL;
  if (site) snprintf(to, size, "%s:%u", name ? name + 1 : site->file, (unsigned)site->line);
  else if (size) *to = 0;
}

int simt_is_mapped(uintptr_t p) {
  unsigned char resident;
  return p && !mincore((void *)(p & ~(uintptr_t)4095), 1, &resident);
}

void simt_describe_address(Simt *s, const void *p, char *to, size_t size) {
  const Allocation *gone = simt_heap_gone(s, (uintptr_t)p);
  char made[96], freed[96];
  if (gone) {
    simt_site_text(gone->freed, freed, sizeof freed);
    snprintf(to, size, "byte %llu of %s, which was freed%s%s", (unsigned long long)((uintptr_t)p - gone->base), gone->name,
             gone->freed ? " at " : "", freed);
  } else if (simt_slot_of(s, (uintptr_t)p)) {
    const Side d = simt_side(s, p);
    simt_site_text(d.allocation ? d.allocation->site : NULL, made, sizeof made);
    if (d.kind == SIDE_NOWHERE && !d.slot->base) snprintf(to, size, "%p, which is in no object", p);
    else if (d.kind == SIDE_NOWHERE) snprintf(to, size, "%p, past the end of %s", p, d.name);
    else snprintf(to, size, "byte %llu of %s", (unsigned long long)((uintptr_t)p - d.base), d.name);
  } else if (!p)
    snprintf(to, size, "a null pointer");
  else
    snprintf(to, size, simt_is_mapped((uintptr_t)p) ? "%p, which is host memory" : "%p, which is in no object", p);
}
