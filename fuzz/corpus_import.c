/* corpus_import.c - reads the names of the corpus, and of the cases those that are new. */
#define _POSIX_C_SOURCE 200809L
#include "corpus_import.h"
#include "case_files.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t mix(size_t target, uint64_t key) {
  uint64_t h = (key ^ (target + 1)) * UINT64_C(0x9e3779b97f4a7c15);
  return h ? h ^ h >> 32 : 1;
}

static uint64_t *place(uint64_t *seen, size_t mask, uint64_t hash) {
  size_t at = (size_t)hash & mask;
  while (seen[at] && seen[at] != hash) at = (at + 1) & mask;
  return &seen[at];
}

static int grow(WfImport *m) {
  size_t places = m->mask ? 2 * (m->mask + 1) : 1024;
  uint64_t *seen = calloc(places, sizeof *seen);
  if (!seen) return -1;
  for (size_t i = 0; m->mask && i <= m->mask; i++)
    if (m->seen[i]) *place(seen, places - 1, m->seen[i]) = m->seen[i];
  free(m->seen);
  m->seen = seen;
  m->mask = places - 1;
  return 0;
}

/* 1: it is new; 0; -1: no memory. */
static int note(WfImport *m, size_t target, uint64_t key) {
  if (2 * m->n_seen >= m->mask && grow(m) != 0) return -1;
  uint64_t hash = mix(target, key), *at = place(m->seen, m->mask, hash);
  if (*at) return 0;
  *at = hash;
  m->n_seen++;
  return 1;
}

int wf_import_note(WfImport *m, size_t target, uint64_t key) { return note(m, target, key) < 0 ? -1 : 0; }

void wf_import_free(WfImport *m) {
  free(m->seen);
  *m = (WfImport){0};
}

/* The key in "0123456789abcdef.case"; other names get one by their letters. */
static uint64_t key_of(const char *name) {
  if (strspn(name, "0123456789abcdef") == 16 && strcmp(name + 16, ".case") == 0) return strtoull(name, NULL, 16);
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (; *name; name++) h = (h ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
  return h;
}

typedef struct Op { /* the targets of one op */
  const WfTarget *targets;
  const uint32_t *weight;
  size_t first, end;
} Op;

/* Reads it where it was not read yet. 0; 1: it is no case; -1: no memory. */
static int load_once(WfQueued **q, const char *dir, const char *name) {
  char path[4096], err[WF_CASE_ERROR_MAX];
  WfCase c;
  if (*q) return 0;
  snprintf(path, sizeof path, "%s/%s", dir, name);
  if (wf_case_load(&c, path, err, sizeof err) != 0) return 1;
  *q = wf_queued_create(&c);
  return *q ? 0 : -1;
}

/* One file, for the targets that have not seen it, which share what was read. 0; -1: no memory. */
static int import_file(WfImport *m, WfFuzzer *f, const Op *op, const char *dir, const char *name) {
  const uint64_t key = key_of(name);
  WfQueued *q = NULL;
  int rc = 0;
  for (size_t t = op->first; t < op->end && rc == 0; t++) {
    int is_new = op->weight[t] ? note(m, t, key) : 0;
    if (is_new == 0) continue;
    rc = is_new < 0 ? -1 : load_once(&q, dir, name);
    if (rc == 0 && wf_fuzzer_import(f, t, q) < 0) rc = -1;
  }
  wf_queued_release(q);
  return rc < 0 ? -1 : 0;
}

static int import_op(WfImport *m, WfFuzzer *f, const Op *op, const char *out) {
  char dir[4000];
  int rc = 0;
  snprintf(dir, sizeof dir, "%s/corpus/%s", out, op->targets[op->first].op->name);
  DIR *d = opendir(dir);
  if (!d) return 0;
  for (struct dirent *e; rc == 0 && (e = readdir(d)) != NULL;) {
    size_t len = strlen(e->d_name);
    if (len > 5 && strcmp(e->d_name + len - 5, ".case") == 0 && e->d_name[0] != '.') rc = import_file(m, f, op, dir, e->d_name);
  }
  closedir(d);
  return rc;
}

int wf_import_all(WfImport *m, WfFuzzer *f, const WfTarget *targets, const uint32_t *weight, size_t n_targets, const char *out) {
  Op op = {targets, weight, 0, 0};
  int rc = 0;
  for (; op.first < n_targets && rc == 0; op.first = op.end) {
    int wanted = 0;
    for (op.end = op.first; op.end < n_targets && targets[op.end].op == targets[op.first].op; op.end++) wanted |= weight[op.end] != 0;
    if (wanted) rc = import_op(m, f, &op, out);
  }
  return rc;
}
