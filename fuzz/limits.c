/* limits.c - limits as text, and what is within them. */
#include "limits.h"
#include <inttypes.h>
#include <string.h>

enum { ROOM_TRIES = 16, MAX_SPEC_BYTES = 1024 };

void wf_limits_init(WfLimits *l, const WfOp *op) {
  memset(l, 0, sizeof *l);
  for (int i = 0; i < op->n_dims; i++)
    l->dim[i] = (WfSpec){.min = op->dims[i].min, .max = op->dims[i].fuzz_max, .multiple = 1};
  l->block = (WfSpec){.min = 1, .max = 1024, .multiple = 1};
}

/* ---- the text ---- */

typedef struct Entry { /* NAME=SPEC */
  const char *name;
  int name_len;
  char spec[MAX_SPEC_BYTES];
} Entry;

static int fail(char *err, size_t err_size, const char *what, const Entry *e) {
  snprintf(err, err_size, "%s '%.*s'", what, e->name_len > 40 ? 40 : e->name_len, e->name);
  return -1;
}

static size_t name_length(const char *s) {
  static const char name_chars[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  size_t n = strspn(s, name_chars);
  return *s >= '0' && *s <= '9' ? 0 : n;
}

/* Does "NAME =" begin here? Its length without blanks, or 0. */
static size_t name_ahead(const char *s) {
  size_t n = name_length(s);
  return n && s[n + strspn(s + n, " \t")] == '=' ? n : 0;
}

/* Where the SPEC at s ends: before the next name. Between numbers a comma goes on with the list. */
static size_t spec_length(const char *s) {
  for (size_t i = 1; *s && s[i]; i++)
    if (strchr(" \t,", s[i - 1]) && name_ahead(s + i))
      return i;
  return strlen(s);
}

/* Takes one entry off *s. */
static int take_entry(const char **s, Entry *e, char *err, size_t err_size) {
  const char *at = *s + strspn(*s, " \t");
  e->name = at;
  e->name_len = (int)name_ahead(at);
  if (!e->name_len) {
    e->name_len = (int)strlen(at);
    return fail(err, err_size, "NAME=SPEC is missing at", e);
  }
  at += e->name_len;
  at += strspn(at, " \t") + 1;
  size_t n = spec_length(at), used = n;
  *s = at + n;
  while (used && strchr(" \t", at[used - 1])) used--;
  if (**s && used && at[used - 1] == ',') used--; /* the comma in front of the next name */
  if (used >= sizeof e->spec) return fail(err, err_size, "too long:", e);
  memcpy(e->spec, at, used);
  e->spec[used] = '\0';
  return 0;
}

static int is_name(const Entry *e, const char *name) {
  return strlen(name) == (size_t)e->name_len && memcmp(name, e->name, (size_t)e->name_len) == 0;
}

static int set_block(WfLimits *l, const WfSpec *spec, const Entry *e, char *err, size_t err_size) {
  const WfSpec all = {.min = 1, .max = 1024, .multiple = 1};
  if (l->block_given) return fail(err, err_size, "given twice:", e);
  if (spec->min < 1 || spec->max > 1024 || wf_spec_intersect(spec, &all, &l->block) != 0) {
    snprintf(err, err_size, "a block has 1 to 1024 threads, not '%.100s'", e->spec);
    return -1;
  }
  l->block_given = 1;
  return 0;
}

static int set_dim(WfLimits *l, const WfOp *op, int i, const WfSpec *spec, const Entry *e, char *err, size_t err_size) {
  const WfSpec all = {.min = op->dims[i].min, .max = WF_MAX_EXTENT, .multiple = 1};
  if (l->given >> i & 1) return fail(err, err_size, "given twice:", e);
  if (spec->min < all.min || wf_spec_intersect(spec, &all, &l->dim[i]) != 0) {
    snprintf(err, err_size, "%s of %s is at least %" PRId64 ", not '%.100s'", op->dims[i].name, op->name, all.min, e->spec);
    return -1;
  }
  l->given |= 1u << i;
  return 0;
}

/* Applies one entry to every op that has the name. Number of these, or -1. */
static int apply(const Entry *e, const WfSpec *spec, const WfOp *const *ops, size_t n_ops, WfLimits *out, char *err,
                 size_t err_size) {
  int n = 0;
  for (size_t k = 0; k < n_ops; k++) {
    int is_dim = 0;
    for (int i = 0; i < ops[k]->n_dims; i++) {
      if (!is_name(e, ops[k]->dims[i].name)) continue;
      is_dim = 1;
      if (set_dim(&out[k], ops[k], i, spec, e, err, err_size) != 0) return -1;
    }
    if (!is_dim && is_name(e, "block")) {
      is_dim = 1;
      if (set_block(&out[k], spec, e, err, err_size) != 0) return -1;
    }
    n += is_dim;
  }
  return n;
}

/* "no dim 'colz' (softmax has rows, cols)" */
static int unknown_name(const Entry *e, const WfOp *const *ops, size_t n_ops, char *err, size_t err_size) {
  fail(err, err_size, "no dim", e);
  size_t used = strlen(err);
  for (size_t k = 0; k < n_ops && used < err_size; k++) {
    int known = 0; /* of several variants' op: once */
    for (size_t j = 0; j < k; j++) known |= ops[j] == ops[k];
    if (known) continue;
    used += (size_t)snprintf(err + used, err_size - used, "%s%s has ", k ? "; " : " (", ops[k]->name);
    for (int i = 0; i < ops[k]->n_dims && used < err_size; i++)
      used += (size_t)snprintf(err + used, err_size - used, "%s%s", i ? ", " : "", ops[k]->dims[i].name);
  }
  if (used < err_size) snprintf(err + used, err_size - used, ")");
  return -1;
}

/* The smallest shape must be one of a case. */
static int is_small_enough(const WfLimits *l, const WfOp *op) {
  WfCase c;
  memset(&c, 0, sizeof c);
  c.op = op;
  for (int i = 0; i < op->n_dims; i++) c.dim[i] = l->dim[i].min;
  for (int t = 0; t < op->n_tensors; t++)
    if (wf_case_elems(&c, t) < 0 || wf_case_elems(&c, t) > WF_MAX_EXTENT) return 0;
  return 1;
}

int wf_limits_parse(const char *text, const WfOp *const *ops, size_t n_ops, WfLimits *out, char *err, size_t err_size) {
  for (size_t k = 0; k < n_ops; k++) wf_limits_init(&out[k], ops[k]);
  do {
    Entry e;
    WfSpec spec;
    char why[128];
    if (take_entry(&text, &e, err, err_size) != 0) return -1;
    if (wf_spec_parse(e.spec, &spec, why, sizeof why) != 0) {
      snprintf(err, err_size, "%.*s: %s", e.name_len, e.name, why);
      return -1;
    }
    int n = apply(&e, &spec, ops, n_ops, out, err, err_size);
    if (n < 0) return -1;
    if (n == 0) return unknown_name(&e, ops, n_ops, err, err_size);
  } while (*text);
  for (size_t k = 0; k < n_ops; k++)
    if (!is_small_enough(&out[k], ops[k])) {
      snprintf(err, err_size, "a tensor of %s has at most 2^40 elements, and none is so small", ops[k]->name);
      return -1;
    }
  return 0;
}

/* ---- what is within ---- */

int wf_limits_hold(const WfLimits *l, const WfCase *c) {
  if (!l) return 1;
  for (int i = 0; i < c->op->n_dims; i++)
    if (l->given >> i & 1 && !wf_spec_admits(&l->dim[i], c->dim[i])) return 0;
  return !l->block_given || wf_spec_admits(&l->block, c->block[0]);
}

int wf_limits_leave_room(const WfLimits *l, const WfOp *op, const WfVariant *v) {
  WfCase c;
  WfGeometry g;
  for (uint64_t i = 0; i < ROOM_TRIES; i++) {
    WfChoice ch = {.state = i, .limits = l};
    wf_case_generate(&c, op, v, &ch);
    int fits = l->outside ? wf_case_launch(&c, v, &g, NULL, 0) : wf_case_admits(&c, v, &g, NULL, 0);
    if (fits && wf_limits_hold(l, &c)) return 1;
  }
  return 0;
}
