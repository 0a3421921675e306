/* select.c - variants by pattern, near names for patterns that match nothing. */
#include "select.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void wf_target_name(const WfTarget *t, char out[WF_NAME_MAX]) {
  snprintf(out, WF_NAME_MAX, "%s/%s", t->op->name, t->variant->name);
}

/* '*' stands for any text, '/' included: what follows a slash is matched apart anyway. */
int wf_glob(const char *pattern, const char *text) {
  const char *star = NULL, *resume = NULL;
  while (*text) {
    if (*pattern == '*') {
      star = pattern++;
      resume = text;
    } else if (*pattern == *text) {
      pattern++;
      text++;
    } else if (star) {
      pattern = star + 1;
      text = ++resume;
    } else {
      return 0;
    }
  }
  while (*pattern == '*') pattern++;
  return *pattern == '\0';
}

static int slashes(const char *s) {
  int n = 0;
  for (; *s; s++) n += *s == '/';
  return n;
}

/* With no more slashes than the op's name a pattern is one of ops ("fault/F14" is the name of an op). */
static int matches(const char *pattern, int published, const WfTarget *t) {
  if (slashes(pattern) <= slashes(t->op->name))
    return wf_glob(pattern, t->op->name) && (published || t->variant->expect == 0);
  char name[WF_NAME_MAX];
  wf_target_name(t, name);
  return wf_glob(pattern, name);
}

static int selected(const char *const *patterns, int n, int published, const WfTarget *t) {
  if (n == 0) return matches("*", published, t);
  for (int i = 0; i < n; i++)
    if (matches(patterns[i], published, t)) return 1;
  return 0;
}

/* Walks every variant of every op, in the order of the tables. */
typedef struct Cursor {
  size_t op, variant;
  WfTarget at;
} Cursor;

static int advance(Cursor *c) {
  for (; wf_ops[c->op]; c->op++, c->variant = 0) {
    if (c->variant >= wf_ops[c->op]->n_variants) continue;
    c->at = (WfTarget){wf_ops[c->op], &wf_ops[c->op]->variants[c->variant++]};
    return 1;
  }
  return 0;
}

/* Edits (insert, delete, change of one character) from a to b; names longer than the row count as far away. */
static unsigned distance(const char *a, const char *b) {
  unsigned row[WF_NAME_MAX];
  size_t n = strlen(b);
  if (n >= WF_NAME_MAX) return WF_NAME_MAX;
  for (size_t j = 0; j <= n; j++) row[j] = (unsigned)j;
  for (size_t i = 1; a[i - 1]; i++) {
    unsigned diagonal = row[0];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= n; j++) {
      unsigned change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      unsigned least = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
      row[j] = least < change ? least : change;
    }
  }
  return row[n];
}

static int is_near(const char *pattern, const char *name) {
  return distance(pattern, name) <= 1 + strlen(pattern) / 4 || (strlen(pattern) >= 3 && strstr(name, pattern));
}

static void near_names(const char *pattern, char *err, size_t err_size) {
  size_t used = (size_t)snprintf(err, err_size, "no variant matches '%.60s%s'", pattern, strlen(pattern) > 60 ? "..." : "");
  const char *lead = "; near: ";
  Cursor c = {0};
  const WfOp *last = NULL;
  while (advance(&c) && used < err_size) {
    char name[WF_NAME_MAX];
    if (c.at.op != last && is_near(pattern, c.at.op->name)) {
      used += (size_t)snprintf(err + used, err_size - used, "%s%s", lead, c.at.op->name);
      lead = ", ";
    }
    last = c.at.op;
    wf_target_name(&c.at, name);
    if (used >= err_size || !strchr(pattern, '/') || !is_near(pattern, name)) continue;
    used += (size_t)snprintf(err + used, err_size - used, "%s%s", lead, name);
    lead = ", ";
  }
  if (*lead == ';' && used < err_size) snprintf(err + used, err_size - used, " (warpfuzz list prints all)");
}

/* Does every pattern match at least one variant? */
static int check_patterns(const char *const *patterns, int n, int published, char *err, size_t err_size) {
  for (int i = 0; i < n; i++) {
    Cursor c = {0};
    int found = 0;
    while (!found && advance(&c)) found = matches(patterns[i], published, &c.at);
    if (found) continue;
    near_names(patterns[i], err, err_size);
    return -2;
  }
  return 0;
}

int wf_select(const char *const *patterns, int n_patterns, int published, WfTarget **out, size_t *n_out, char *err,
              size_t err_size) {
  *out = NULL;
  *n_out = 0;
  if (check_patterns(patterns, n_patterns, published, err, err_size) != 0) return -2;
  size_t total = 0;
  Cursor c = {0};
  while (advance(&c)) total++;
  *out = malloc((total ? total : 1) * sizeof **out);
  if (!*out) {
    snprintf(err, err_size, "out of memory");
    return -1;
  }
  c = (Cursor){0};
  while (advance(&c))
    if (selected(patterns, n_patterns, published, &c.at)) (*out)[(*n_out)++] = c.at;
  return 0;
}
