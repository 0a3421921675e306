/* emit.c - puts the parts of a program together. */
#include "check_info.h"
#include "emit_impl.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Is the name in the text, as a word of its own and not as a member of something? */
static int mentions(const char *text, const char *name) {
  size_t n = strlen(name);
  for (const char *at = text; (at = strstr(at, name)) != NULL; at += n)
    if ((at == text || (!is_word(at[-1]) && at[-1] != '.')) && !is_word(at[n]))
      return 1;
  return 0;
}

/* ---- the launch statement, with the names that it uses (entry.c) ---- */

static void add_numbers(WfText *t, const WfEmit *e) {
  char buf[WF_NUMBER_SIZE];
  const WfOp *op = e->c->op;
  for (int i = 0; i < op->n_dims; i++)
    if (mentions(e->v->launch, op->dims[i].name))
      wf_text_add(t, "  int %s = %s%" PRId64 ";\n", op->dims[i].name, e->c->dim[i] > INT32_MAX ? "(int)" : "", e->c->dim[i]);
  for (int i = 0; i < op->n_scalars; i++) {
    const char *name = op->scalars[i].name;
    if (!mentions(e->v->launch, name))
      continue;
    if (op->scalars[i].kind == WF_FLAG)
      wf_text_add(t, "  int %s = %d;\n", name, (int)e->c->scalar[i]);
    else {
      float v = (float)e->c->scalar[i];
      wf_text_add(t, "  float %s = %s;", name, wf_emit_float(buf, v));
      wf_text_add(t, " // %s\n", wf_number_print_float(buf, v));
    }
  }
}

static void add_extents(WfText *t, const WfEmit *e, const char *name, const uint32_t v[3]) {
  if (mentions(e->v->launch, name))
    wf_text_add(t, "  dim3 %s(%" PRIu32 ", %" PRIu32 ", %" PRIu32 ");\n", name, v[0], v[1], v[2]);
}

static void add_launch(WfText *t, const WfEmit *e, const WfGeometry *g) {
  const WfOp *op = e->c->op;
  const char *launch = e->v->launch;
  wf_text_add(t, "\n// ---- the launch ----\nstatic void repro_launch(void *const *repro_tensors) {\n");
  for (int i = 0; i < op->n_tensors; i++) {
    const char *type = wf_dtype_c_name(e->c->dtype[i]);
    if (mentions(launch, op->tensors[i].name))
      wf_text_add(t, "  %s *%s = (%s *)repro_tensors[%d];\n", type, op->tensors[i].name, type, i);
  }
  if (e->v->scratch && mentions(launch, "scratch"))
    wf_text_add(t, "  float *scratch = (float *)repro_tensors[%d];\n", op->n_tensors);
  add_numbers(t, e);
  add_extents(t, e, "grid", g->grid);
  add_extents(t, e, "block", g->block);
  if (mentions(launch, "shared"))
    wf_text_add(t, "  size_t shared = %" PRIu64 ";\n", g->shared_bytes);
  if (mentions(launch, "stream"))
    wf_text_add(t, "  cudaStream_t stream = 0;\n");
  wf_text_add(t, "  %s;\n}\n", launch);
}

/* ---- the whole ---- */

static const char includes[] = "#include <float.h>\n#include <math.h>\n#include <signal.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
                               "#include <string.h>\n#include <time.h>\n#include <vector>\n";

/* The file itself may have them behind another name. */
static void add_type_headers(WfText *t, const WfCase *c) {
  uint32_t added = 0;
  for (int i = 0; i < c->op->n_tensors; i++) {
    const char *header = wf_dtype_header(c->dtype[i]);
    if (header && !(added >> c->dtype[i] & 1))
      wf_text_add(t, "#include <%s>\n", header);
    added |= 1u << c->dtype[i];
  }
}

static void add_expected_head(WfText *t, const WfEmit *e, int runs) {
  wf_text_add(t, "\n// ---- what is expected ----\nnamespace repro {\n\n");
  wf_emit_expected_head(t, e->c);
  wf_text_add(t, "static const int runs = %d;\n", runs);
  wf_text_add(t, "static const bool same_bits = %s; // the kernel promises the same bits in each run\n",
              e->v->flags & WF_DETERMINISTIC ? "true" : "false");
}

static int add_all(WfText *t, WfRunner *r, const WfEmit *e, const WfGeometry *g, char *err, size_t err_size) {
  char name[WF_EMIT_PATH_MAX];
  wf_emit_source_name(e->c->op, e->v, name);
  wf_emit_comment(t, e, g);
  wf_text_add(t, "%s", includes);
  add_type_headers(t, e->c);
  wf_text_add(t, "\n// ---- the kernel: %s ----\n", name);
  size_t begin = t->len;
  if (wf_check_info) /* a file of a user's may be a program */
    wf_text_add(t, "#define main static __attribute__((unused)) main_of_the_file\n");
  int rc = wf_emit_source(t, e->sources, name, err, err_size);
  if (wf_check_info)
    wf_text_add(t, "#undef main\n");
  if (rc != 0 || t->failed)
    return rc;
  int has_shared = mentions(t->s + begin, "__shared__");
  add_launch(t, e, g);
  wf_emit_values(t, e, g);
  add_expected_head(t, e, wf_emit_runs(e, has_shared));
  if (wf_emit_expected(t, r, e, g) != 0)
    return WF_EMIT_NO_MEMORY;
  wf_text_add(t, "\n} // namespace repro\n%s", wf_emit_begin);
  wf_emit_floats(t, e->c);
  wf_text_add(t, "%s", wf_emit_common);
  wf_emit_copies(t, e->c);
  wf_text_add(t, "%s%s", wf_emit_is_large(e->c) ? wf_emit_large : wf_emit_small, has_shared ? wf_emit_shared : wf_emit_no_shared);
  wf_emit_right(t, e->c);
  wf_text_add(t, "%s", wf_emit_judge);
  return 0;
}

int wf_emit(WfRunner *r, const WfEmit *e, char **out, char *err, size_t err_size) {
  WfText t = {0};
  WfGeometry g;
  int rc = WF_EMIT_NO_MEMORY;
  snprintf(err, err_size, "out of memory");
  if (wf_case_admits(e->c, e->v, &g, NULL, 0) || wf_case_launch(e->c, e->v, &g, err, err_size))
    rc = add_all(&t, r, e, &g, err, err_size);
  *out = wf_text_take(&t);
  if (rc == 0 && *out)
    return 0;
  free(*out);
  *out = NULL;
  return rc == 0 ? WF_EMIT_NO_MEMORY : rc;
}
