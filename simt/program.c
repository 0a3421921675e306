/* program.c - a whole program: its context, which all its host threads share, and who hears of what is found. */
#define _GNU_SOURCE
#include "program.h"
#include "runtime.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* The process's, as it is one program. */
static struct {
  Simt *simt;
  SimtProgramHow how;
  pthread_mutex_t lock;
} program = {.lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};

static __thread const SimtSite *place SIMT_TLS;
static __thread const char *variable SIMT_TLS;
static __thread const char *call SIMT_TLS;

Simt *simt_program(void) { return program.simt; }

void simt_program_lock(void) {
  if (program.simt) pthread_mutex_lock(&program.lock);
}

void simt_program_unlock(void) {
  if (program.simt) pthread_mutex_unlock(&program.lock);
}

void simt_host_call(const SimtSite *site, const char *name, const char *callee) {
  if (simt_current) return;
  place = site;
  variable = name;
  call = callee;
}

void simt_host_place(const SimtSite *site, const char *name) { simt_host_call(site, name, NULL); }

const SimtSite *simt_place(void) { return place; }
const char *simt_place_call(void) { return call; }
const char *simt_place_variable(void) { return variable; }

Simt *simt_host_context(void) {
  if (simt_current) return NULL;
  if (!simt_active) simt_active = program.simt;
  return simt_active && !simt_active->in_launch ? simt_active : NULL;
}

int simt_program_begin(const SimtProgramHow *how) {
  if (program.simt || simt_create(&program.simt)) return -1;
  program.how = *how;
  simt_begin(program.simt, &how->run);
  program.simt->program = &program.how;
  program.simt->multiprocessors = (uint32_t)simt_device()->multiProcessorCount;
  return 0;
}

void simt_broke(Simt *s, int error) {
  if (!s->fault) s->fault = error;
}

/* A finding is filled in after it has been made, so it is told of behind the launch or call. */
void simt_program_tell(Simt *s) {
  if (!s->program || s->quiet) return;
  for (size_t i = 0; i < s->n_findings; i++) {
    if (i < s->n_told && s->told[i] >= s->finding[i].severity) continue;
    s->told[i] = s->finding[i].severity;
    if (i >= s->n_told) s->n_told = i + 1;
    if (s->program->found) s->program->found(s->program->ctx, &s->finding[i]);
  }
}

static void count(const Simt *s, const SimtStats *stats, SimtProgramTotals *t) {
  *t = (SimtProgramTotals){.launches = stats->launches, .unjudged = s->unjudged, .abandoned = stats->abandoned && !s->n_findings};
  for (size_t i = 0; i < s->n_findings; i++) {
    t->errors += s->finding[i].severity == SIMT_ERROR;
    t->warnings += s->finding[i].severity == SIMT_WARNING;
  }
}

void simt_program_end(SimtProgramTotals *totals) {
  Simt *s = program.simt;
  SimtProgramTotals unused;
  SimtStats stats;
  if (!s) return;
  simt_active = s;
  simt_device_synchronize();
  if (!s->broken && !s->fault) simt_heap_report_leaks(s); /* a broken context frees nothing */
  simt_program_tell(s);
  simt_end(s, &stats);
  count(s, &stats, totals ? totals : &unused);
  program.simt = NULL;
  simt_destroy(s);
}

const SimtFinding *simt_program_findings(size_t *n) {
  *n = 0;
  return program.simt ? simt_findings(program.simt, n) : NULL;
}
