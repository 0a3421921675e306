/* finding_json.c - a finding as one line of JSON (RFC 8259). Every key is always there, null where it has no value. */
#include "case.h"
#include "finding.h"
#include "number.h"
#include "textbuf.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_key(WfText *t, const char *prefix, const char *key) {
  wf_text_add(t, "%s\"%s%s\":", t->len > 1 ? "," : "", prefix, key);
}

static void put_member(WfText *t, const char *prefix, const char *key, const char *s) {
  put_key(t, prefix, key);
  wf_text_add_json(t, s);
}

static void put_hex(WfText *t, const char *key, int known, uint64_t v) {
  put_key(t, "", key);
  if (known)
    wf_text_add(t, "\"%016" PRIx64 "\"", v);
  else
    wf_text_add(t, "null");
}

static void put_unsigned(WfText *t, const char *prefix, const char *key, int known, uint64_t v) {
  put_key(t, prefix, key);
  if (known)
    wf_text_add(t, "%" PRIu64, v);
  else
    wf_text_add(t, "null");
}

static void put_int(WfText *t, const char *key, int known, int64_t v) {
  put_key(t, "", key);
  if (known)
    wf_text_add(t, "%" PRId64, v);
  else
    wf_text_add(t, "null");
}

/* JSON has no NaN and no infinities: "nan", "inf", "-inf". */
static void put_number(WfText *t, const char *key, int known, const char *digits, int finite) {
  put_key(t, "", key);
  if (!known)
    wf_text_add(t, "null");
  else
    wf_text_add(t, finite ? "%s" : "\"%s\"", digits);
}

static void put_double(WfText *t, const char *key, int known, double v) {
  char digits[WF_NUMBER_SIZE];
  put_number(t, key, known, wf_number_print_double(digits, v), isfinite(v));
}

static void put_float(WfText *t, const char *key, int known, float v) {
  char digits[WF_NUMBER_SIZE];
  put_number(t, key, known, wf_number_print_float(digits, v), isfinite(v));
}

static void put_triple(WfText *t, const char *prefix, const char *key, int known, const uint32_t v[3]) {
  put_key(t, prefix, key);
  if (known)
    wf_text_add(t, "[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", v[0], v[1], v[2]);
  else
    wf_text_add(t, "null");
}

/* Where the site's function was called, innermost first. */
static void put_call_path(WfText *t, const char *prefix, const SimtSite *site) {
  put_key(t, prefix, "call_path");
  wf_text_add(t, "[");
  for (const SimtSite *s = site ? site->caller : NULL; s; s = s->caller) {
    wf_text_add(t, "%s{\"function\":", s == site->caller ? "" : ",");
    wf_text_add_json(t, s->func);
    wf_text_add(t, ",\"file\":");
    wf_text_add_json(t, s->file);
    if (s->line)
      wf_text_add(t, ",\"line\":%" PRIu32, s->line);
    else
      wf_text_add(t, ",\"line\":null");
    if (s->column)
      wf_text_add(t, ",\"column\":%u}", s->column);
    else
      wf_text_add(t, ",\"column\":null}");
  }
  wf_text_add(t, "]");
}

static void put_issued(WfText *t, const char *prefix, const SimtIssued *l) {
  put_member(t, prefix, "launch_kernel", l->kernel);
  put_unsigned(t, prefix, "launch_number", l->kernel != NULL, l->number);
  put_member(t, prefix, "launch_file", l->kernel && l->site ? l->site->file : NULL);
  put_unsigned(t, prefix, "launch_line", l->kernel && l->site && l->site->line, l->site ? l->site->line : 0);
  put_unsigned(t, prefix, "launch_column", l->kernel && l->site && l->site->column, l->site ? l->site->column : 0);
  put_member(t, prefix, "launch_function", l->kernel && l->site ? l->site->func : NULL);
}

static void put_where(WfText *t, const char *prefix, const SimtWhere *w) {
  const SimtSite *site = w->site;
  int has_thread = site && !w->is_host;
  put_member(t, prefix, "file", site ? site->file : NULL);
  put_unsigned(t, prefix, "line", site && site->line, site ? site->line : 0);
  put_unsigned(t, prefix, "column", site && site->column, site ? site->column : 0);
  put_member(t, prefix, "function", site ? site->func : NULL);
  put_call_path(t, prefix, site);
  put_member(t, prefix, "access", site ? w->access : NULL);
  put_triple(t, prefix, "thread", has_thread && w->thread[0] != WF_NOT_KNOWN, w->thread);
  put_triple(t, prefix, "block", has_thread && w->block[0] != WF_NOT_KNOWN, w->block);
  put_unsigned(t, prefix, "epoch", has_thread && w->epoch != WF_NOT_KNOWN, w->epoch);
  put_issued(t, prefix, &w->launch);
}

static void put_value(WfText *t, const WfFinding *f) {
  int known = f->has_value;
  put_int(t, "index", known, f->index);
  put_double(t, "expected", known, f->expected);
  put_float(t, "got", known, f->got);
  put_double(t, "bound", known, f->bound);
  put_double(t, "ulp", known, f->ulp);
  put_int(t, "n_bad", known, f->n_bad);
  put_int(t, "n_elems", known, f->n_elems);
}

/* {"scale":0.125,"causal":1} */
static void put_scalars(WfText *t, const WfFinding *f) {
  char digits[WF_NUMBER_SIZE];
  int known = f->has_scalars && f->op && f->op->n_scalars > 0;
  put_key(t, "", "scalars");
  wf_text_add(t, known ? "{" : "null");
  for (int i = 0; known && i < f->op->n_scalars; i++) {
    int is_finite = isfinite(f->scalar[i]);
    wf_text_add(t, "%s\"%s\":%s%s%s", i ? "," : "", f->op->scalars[i].name, is_finite ? "" : "\"",
                wf_number_print_float(digits, (float)f->scalar[i]), is_finite ? "" : "\"");
  }
  wf_text_add(t, known ? "}" : "");
}

/* Of the launch as it happened: a user's statement may decide on it by itself. */
static void put_launch(WfText *t, const SimtFinding *s) {
  put_triple(t, "launch_", "grid", s->grid[0] != 0, s->grid);
  put_triple(t, "launch_", "block", s->grid[0] != 0, s->launch_block);
  put_unsigned(t, "launch_", "shared_bytes", s->grid[0] != 0, s->shared_bytes);
}

/* Rows of '.' and '#', as many as there are. */
static void put_map(WfText *t, const WfFinding *f) {
  put_key(t, "", "map");
  wf_text_add(t, "[");
  for (int i = 0; i < (int)(sizeof f->map / sizeof *f->map) && f->map[i][0]; i++) wf_text_add(t, "%s\"%.64s\"", i ? "," : "", f->map[i]);
  wf_text_add(t, "]");
}

/* What runs it again. */
static void put_commands(WfText *t, const WfFinding *f, const char *case_path) {
  char *replay = f->whole ? NULL : wf_finding_replay(f, case_path), *emit = f->whole ? NULL : wf_finding_emit(f, case_path);
  t->failed |= !f->whole && (!replay || !emit);
  put_member(t, "", "replay", f->whole ? f->command : replay);
  put_member(t, "", "emit", emit);
  free(replay);
  free(emit);
}

/* "f32", "f16", "x=f16"; NULL: of no op. */
static const char *types_of(const WfFinding *f, char buf[WF_DTYPES_TEXT]) {
  if (!f->op || !f->variant)
    return NULL;
  return wf_dtypes_text(f->op, f->variant->dtype, buf)[0] ? buf : wf_dtype_name(WF_F32);
}

char *wf_finding_json(const WfFinding *f, const char *case_path) {
  char types[WF_DTYPES_TEXT];
  const SimtFinding *s = &f->simt;
  WfText t = {0};
  wf_text_put(&t, "{", 1);
  put_hex(&t, "id", 1, wf_finding_id(f));
  put_member(&t, "", "severity", wf_severity_name(s->severity));
  put_member(&t, "", "class", simt_class_name(s->cls));
  put_member(&t, "", "op", f->op ? f->op->name : NULL);
  put_member(&t, "", "variant", f->variant ? f->variant->name : NULL);
  put_member(&t, "", "flavor", f->variant ? wf_flavor_name(f->variant->flavor) : NULL);
  put_member(&t, "", "dtype", types_of(f, types));
  put_member(&t, "", "program", f->whole);
  put_member(&t, "", "tool", f->tool);
  put_member(&t, "", "kernel", s->kernel);
  put_where(&t, "", &s->here);
  put_where(&t, "other_", &s->other);
  put_member(&t, "", "object", s->object);
  put_member(&t, "", "element", s->element[0] ? s->element : NULL);
  put_int(&t, "offset_bytes", s->size_bytes != 0 && s->offset_bytes != WF_NO_OFFSET, s->offset_bytes);
  put_unsigned(&t, "", "size_bytes", s->size_bytes != 0, s->size_bytes);
  put_where(&t, "writer_", &f->writer);
  put_value(&t, f);
  put_map(&t, f);
  put_unsigned(&t, "", "count", 1, s->count);
  put_member(&t, "", "rule", s->rule);
  put_member(&t, "", "message", s->detail);
  put_member(&t, "", "reason", s->reason);
  put_member(&t, "", "outside", f->outside[0] ? f->outside : NULL);
  put_member(&t, "", "backend", f->device || f->tool ? "gpu" : "simt");
  put_member(&t, "", "device", f->device);
  put_member(&t, "", "build", f->device ? f->build : NULL);
  put_launch(&t, s);
  put_scalars(&t, f);
  put_double(&t, "rtol", f->rtol > 0, f->rtol);
  put_double(&t, "atol", f->atol > 0, f->atol);
  put_hex(&t, "case_key", !f->whole, f->key);
  put_member(&t, "", "case", case_path);
  put_commands(&t, f, case_path);
  wf_text_put(&t, "}\n", 2);
  return wf_text_take(&t);
}
