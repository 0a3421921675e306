/* op_find.c - ops and variants by name. Apart from the table (ops.c), so that tests can bring a table of their own. */
#include "op.h"
#include <string.h>

static int is_named(const char *have, const char *name, size_t len) {
  return strlen(have) == len && memcmp(have, name, len) == 0;
}

const WfOp *wf_op_find(const char *name, size_t len) {
  for (size_t i = 0; wf_ops[i]; i++)
    if (is_named(wf_ops[i]->name, name, len))
      return wf_ops[i];
  return NULL;
}

static int is_program_of(const WfOp *op, const char *name, size_t len) {
  if (strlen(op->name) != len)
    return 0;
  for (size_t i = 0; i < len; i++)
    if (name[i] != (op->name[i] == '/' ? '_' : op->name[i]))
      return 0;
  return 1;
}

const WfOp *wf_op_of_program(const char *path, const char *prefix) {
  static const char *const suffix[] = {"_replay", "_afl"};
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  size_t len = strlen(name), before = strlen(prefix);
  if (strncmp(name, prefix, before) != 0)
    return NULL;
  name += before;
  len -= before;
  for (size_t i = 0; i < sizeof suffix / sizeof *suffix; i++) {
    size_t after = strlen(suffix[i]);
    if (len > after && strncmp(name + len - after, suffix[i], after) == 0)
      len -= after;
  }
  for (size_t i = 0; wf_ops[i]; i++)
    if (is_program_of(wf_ops[i], name, len))
      return wf_ops[i];
  return NULL;
}

const WfVariant *wf_variant_find(const WfOp *op, const char *name, size_t len) {
  for (size_t i = 0; i < op->n_variants; i++)
    if (is_named(op->variants[i].name, name, len))
      return &op->variants[i];
  return NULL;
}

int wf_variant_caught(const WfVariant *v, uint32_t errors, uint32_t warnings) {
  uint32_t found = v->flags & WF_EXPECT_WARNING ? errors | warnings : errors;
  return (found & v->expect) != 0;
}
