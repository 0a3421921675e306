/* finding_text.c - a finding as text for a person. The order is fixed: what, where (both sides), values, rule, how to
 * see it again, one SUMMARY line. */
#include "check_info.h"
#include "finding.h"
#include "number.h"
#include "source_line.h"
#include "textbuf.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *text_or(const char *s, const char *none) { return s && *s ? s : none; }

/* What is at fault. */
static void add_variant(WfText *t, const WfFinding *f) {
  if (f->whole) {
    wf_text_add_safe(t, f->whole);
    return;
  }
  wf_text_add(t, "%s/%s", f->op ? f->op->name : "?", f->variant ? f->variant->name : "?");
}

const char *wf_severity_name(SimtSeverity s) {
  switch (s) {
  case SIMT_MEANT:
    return "meant";
  case SIMT_WARNING:
    return "warning";
  case SIMT_ERROR:
    return "error";
  }
  return "?";
}

static void add_field(WfText *t, const char *name, const char *value) {
  wf_text_add(t, "  %-10s ", name);
  wf_text_add_safe(t, value);
  wf_text_put(t, "\n", 1);
}

static void add_case(WfText *t, const WfFinding *f, const char *case_path) {
  wf_text_add(t, "  %-10s %016" PRIx64, "case", f->key);
  if (case_path) {
    wf_text_add(t, "  ");
    wf_text_add_safe(t, case_path);
  }
  wf_text_add(t, "\n");
}

/* "scalars    scale 0.125, causal 1": a case has only numbers. */
static void add_scalars(WfText *t, const WfFinding *f) {
  char digits[WF_NUMBER_SIZE];
  if (!f->has_scalars || !f->op || f->op->n_scalars == 0)
    return;
  wf_text_add(t, "  %-10s", "scalars");
  for (int i = 0; i < f->op->n_scalars; i++) {
    double v = f->op->scalars[i].kind == WF_FLAG ? f->scalar[i] != 0 : f->scalar[i];
    wf_text_add(t, "%s %s %s", i ? "," : "", f->op->scalars[i].name, wf_number_print_float(digits, (float)v));
  }
  wf_text_add(t, "\n");
}

/* Of a kernel whose case does not tell: a user's statement may decide on it. */
static void add_launch(WfText *t, const WfFinding *f) {
  const uint32_t *g = f->simt.grid, *b = f->simt.launch_block;
  if ((!wf_check_info && !f->whole) || g[0] == 0)
    return;
  wf_text_add(t, "  %-10s grid (%" PRIu32 ",%" PRIu32 ",%" PRIu32 "), block (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", "launch", g[0], g[1], g[2],
              b[0], b[1], b[2]);
  if (f->simt.shared_bytes)
    wf_text_add(t, ", %" PRIu64 " byte%s of shared memory", f->simt.shared_bytes, f->simt.shared_bytes == 1 ? "" : "s");
  wf_text_add(t, "\n");
}

static void add_head(WfText *t, const WfFinding *f, const char *case_path) {
  add_variant(t, f);
  wf_text_add(t, ": %s: %s%s\n", wf_severity_name(f->simt.severity), simt_class_name(f->simt.cls),
              f->outside[0] ? " (outside the contract)" : "");
  if (f->simt.detail[0]) {
    wf_text_add(t, "  ");
    wf_text_add_safe(t, f->simt.detail);
    wf_text_add(t, "\n");
  }
  if (!f->whole)
    add_case(t, f, case_path);
  add_scalars(t, f);
  if (f->tool)
    add_field(t, "seen by", f->tool);
  if (f->outside[0])
    add_field(t, "outside", f->outside);
  if (f->simt.kernel && f->simt.kernel[0])
    add_field(t, "kernel", f->simt.kernel);
  add_launch(t, f);
  if (f->variant && f->variant->flavor != WF_PRECISE)
    add_field(t, "flavor", wf_flavor_name(f->variant->flavor));
  if (f->device)
    wf_text_add(t, "  %-10s %s, nvcc flavor %s\n", "device", f->device, text_or(f->build, "?"));
}

/* ---- sites ---- */

static void add_place(WfText *t, const SimtSite *s) {
  wf_text_add_safe(t, text_or(s->file, "?"));
  if (s->line)
    wf_text_add(t, ":%" PRIu32, s->line);
  if (s->column)
    wf_text_add(t, ":%u", s->column);
}

static int is_memory(const char *access) {
  return access && (strstr(access, "read") || strstr(access, "write") || strstr(access, "atomic") ||
                    strstr(access, "load") || strstr(access, "store"));
}

static void add_thread(WfText *t, const SimtWhere *w) {
  if (w->thread[0] != WF_NOT_KNOWN)
    wf_text_add(t, " by thread (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", w->thread[0], w->thread[1], w->thread[2]);
  if (w->block[0] != WF_NOT_KNOWN)
    wf_text_add(t, " of block (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", w->block[0], w->block[1], w->block[2]);
  if (w->epoch != WF_NOT_KNOWN)
    wf_text_add(t, ", epoch %" PRIu32 " (block barriers passed)", w->epoch);
}

/* Which of the host's launches, and where that is. The place of a side that is the call itself is told already. */
static void add_issued(WfText *t, const SimtWhere *w) {
  const SimtIssued *l = &w->launch;
  if (!l->kernel)
    return;
  wf_text_add(t, "      in launch %" PRIu64 ", kernel ", l->number);
  wf_text_add_safe(t, l->kernel);
  if (l->site && l->site != w->site) {
    wf_text_add(t, ", from %s at ", text_or(l->site->func, "?"));
    add_place(t, l->site);
  }
  wf_text_add(t, "\n");
}

/* `bytes` is 0 where the site is no memory access, or its width is not known. */
static void add_side(WfText *t, const char *heading, const SimtWhere *w, uint32_t bytes) {
  const SimtSite *s = w->site;
  wf_text_add(t, "\n  %s%s", heading, text_or(w->access, "here"));
  if (bytes)
    wf_text_add(t, " of %" PRIu32 " byte%s", bytes, bytes == 1 ? "" : "s");
  if (!w->is_host)
    add_thread(t, w);
  wf_text_add(t, "\n    ");
  add_place(t, s);
  wf_text_add(t, " in %s\n", text_or(s->func, "?"));
  wf_source_line_add(t, s->file, s->line, s->column);
  for (s = s->caller; s; s = s->caller) {
    wf_text_add(t, "      called from %s at ", text_or(s->func, "?"));
    add_place(t, s);
    wf_text_add(t, "\n");
  }
  add_issued(t, w);
}

/* A call has no width. */
static uint32_t other_bytes(const SimtFinding *f) {
  const SimtWhere *w = &f->other;
  return f->size_bytes && is_memory(w->access) && w->site != w->launch.site ? 1u << (w->site->size_log2 & 31) : 0;
}

static void add_sites(WfText *t, const WfFinding *finding) {
  const SimtFinding *f = &finding->simt;
  if (finding->writer.site)
    add_side(t, "last ", &finding->writer, f->size_bytes ? f->size_bytes : sizeof(float));
  if (f->here.site)
    add_side(t, "", &f->here, is_memory(f->here.access) ? f->size_bytes : 0);
  if (f->other.site)
    add_side(t, f->here.site ? "other side: " : "", &f->other, other_bytes(f));
  if (f->here.site || f->other.site || finding->writer.site)
    wf_text_add(t, "\n");
}

static int is_tensor(const WfOp *op, const char *name) {
  for (int i = 0; op && i < op->n_tensors; i++)
    if (strcmp(op->tensors[i].name, name) == 0)
      return 1;
  return 0;
}

static int is_of_shared_memory(SimtClass c) {
  return c == SIMT_RACE_SHARED || c == SIMT_OOB_SHARED || c == SIMT_UNINIT_SHARED;
}

/* Where the class does not tell what kind of memory it is, a name that is no tensor's stands alone. */
static void add_object(WfText *t, const WfFinding *f) {
  const SimtFinding *s = &f->simt;
  if (!s->object || !s->object[0])
    return;
  const char *kind = is_of_shared_memory(s->cls)                                   ? "shared array "
                     : is_tensor(f->op, s->object)                                 ? "buffer "
                     : s->cls == SIMT_OOB_LOCAL && strcmp(s->object, "local array") && strncmp(s->object, "argument ", 9) ? "local array "
                                                                                   : "";
  const char *quote = *kind ? "'" : "";
  wf_text_add(t, "  %-10s %s%s", "object", kind, quote);
  wf_text_add_safe(t, s->object);
  wf_text_add(t, "%s", quote);
  if (s->element[0])
    wf_text_add(t, ", element %s", s->element);
  if (s->size_bytes && s->offset_bytes != WF_NO_OFFSET)
    wf_text_add(t, ", %" PRIu32 " byte%s at byte offset %" PRId64, s->size_bytes, s->size_bytes == 1 ? "" : "s",
                s->offset_bytes);
  wf_text_add(t, "\n");
}

/* ---- values ---- */

static void add_hex(WfText *t, double v) {
  char hex[WF_NUMBER_SIZE];
  wf_text_add(t, "  %s\n", wf_number_print_hex(hex, v));
}

static void add_decimal(WfText *t, const char *name, const char *digits) { wf_text_add(t, "  %-10s %s", name, digits); }

/* " --rtol X --atol Y", what was given of it. */
static void add_tolerance(WfText *t, const WfFinding *f) {
  char digits[WF_NUMBER_SIZE];
  if (f->rtol > 0)
    wf_text_add(t, " --rtol %s", wf_number_print_double(digits, f->rtol));
  if (f->atol > 0)
    wf_text_add(t, " --atol %s", wf_number_print_double(digits, f->atol));
}

static void add_user_part(WfText *t, const WfFinding *f) {
  wf_text_add(t, "  %-10s with", "");
  add_tolerance(t, f);
  wf_text_add(t, "\n");
}

static void add_values(WfText *t, const WfFinding *f) {
  char digits[WF_NUMBER_SIZE];
  wf_text_add(t, "  %-10s %" PRId64 " of %" PRId64 " (first bad element, row-major, from 0)\n", "index", f->index,
              f->n_elems);
  add_decimal(t, "reference", wf_number_print_double(digits, f->expected));
  add_hex(t, f->expected);
  if (f->simt.cls == SIMT_UNWRITTEN_OUTPUT)
    wf_text_add(t, "  %-10s (nothing was written)\n", "result");
  else {
    add_decimal(t, "result", wf_number_print_float(digits, f->got));
    add_hex(t, (double)f->got);
  }
  add_decimal(t, "bound", wf_number_print_double(digits, f->bound));
  add_hex(t, f->bound);
  if (f->rtol > 0 || f->atol > 0)
    add_user_part(t, f);
  if (!isnan(f->ulp))
    wf_text_add(t, "  %-10s %s\n", "ULP", wf_number_print_double(digits, f->ulp));
  wf_text_add(t, "  %-10s %" PRId64 " of %" PRId64 " elements\n", "bad", f->n_bad, f->n_elems);
}

static void add_map(WfText *t, const WfFinding *f) {
  const int rows = (int)(sizeof f->map / sizeof f->map[0]);
  for (int i = 0; i < rows && f->map[i][0]; i++)
    wf_text_add(t, "  %-10s %.64s%s\n", i ? "" : "map", f->map[i], i ? "" : "   (# bad, . good)");
}

/* ---- the end ---- */

/* PROGRAM COMMAND CASE --variant OP/VARIANT */
static void add_command(WfText *t, const WfFinding *f, const char *command, const char *case_path) {
  wf_text_add_quoted(t, f->program ? f->program : "warpfuzz");
  wf_text_add(t, " %s ", command);
  wf_text_add_quoted(t, case_path ? case_path : "CASE");
  wf_text_add(t, " --variant ");
  add_variant(t, f);
}

char *wf_finding_replay(const WfFinding *f, const char *case_path) {
  WfText t = {0};
  add_command(&t, f, f->tool ? "sanitize" : "replay", case_path);
  if (f->tool) {
    const char *name = strrchr(f->tool, ' '); /* "compute-sanitizer NAME" */
    wf_text_add(&t, " --tools %s", name ? name + 1 : f->tool);
  }
  wf_text_add(&t, "%s", f->outside[0] ? " --outside" : "");
  if (f->device)
    wf_text_add(&t, " --backend gpu");
  if (f->device && f->build && strcmp(f->build, "default") != 0)
    wf_text_add(&t, " --flavor %s", f->build);
  add_tolerance(&t, f);
  return wf_text_take(&t);
}

char *wf_finding_emit(const WfFinding *f, const char *case_path) {
  WfText t = {0};
  add_command(&t, f, "emit", case_path);
  wf_text_add(&t, "%s -o repro.cu", f->outside[0] ? " --outside" : "");
  return wf_text_take(&t);
}

static void add_replay(WfText *t, const WfFinding *f, const char *case_path) {
  char *command = wf_finding_replay(f, case_path);
  wf_text_add(t, "  %-10s %s\n", "replay", text_or(command, "?"));
  t->failed |= !command;
  free(command);
}

static void add_places(WfText *t, const WfFinding *f, const char *before) {
  const SimtSite *site[2] = {f->simt.here.site, f->simt.other.site};
  for (int i = 0; i < 2; i++) {
    if (!site[i])
      continue;
    wf_text_add(t, "%s", before);
    add_place(t, site[i]);
    wf_text_add(t, " in %s", text_or(site[i]->func, "?"));
    before = " and ";
  }
}

static void add_summary(WfText *t, const WfFinding *f) {
  wf_text_add(t, "SUMMARY: warpfuzz: %s: %s in ", wf_severity_name(f->simt.severity), simt_class_name(f->simt.cls));
  add_variant(t, f);
  add_places(t, f, ": ");
  wf_text_add(t, "\n");
}

char *wf_finding_places(const WfFinding *f) {
  WfText t = {0};
  wf_text_add(&t, "%s", "");
  add_places(&t, f, "");
  return wf_text_take(&t);
}

char *wf_finding_meant(const WfFinding *f) {
  WfText t = {0};
  wf_text_add(&t, "meant: %s in ", simt_class_name(f->simt.cls));
  add_variant(&t, f);
  add_places(&t, f, ": ");
  wf_text_add(&t, ": ");
  wf_text_add_safe(&t, text_or(f->simt.reason, "?"));
  return wf_text_take(&t);
}

char *wf_finding_text(const WfFinding *f, const char *case_path) {
  WfText t = {0};
  add_head(&t, f, case_path);
  add_sites(&t, f);
  add_object(&t, f);
  if (f->has_value)
    add_values(&t, f);
  if (!f->whole)
    wf_text_add(&t, "  %-10s %" PRIu64 " time%s in this run\n", "seen", f->simt.count, f->simt.count == 1 ? "" : "s");
  add_map(&t, f);
  if (f->simt.rule && f->simt.rule[0])
    add_field(&t, "rule", f->simt.rule);
  if (!f->whole)
    add_replay(&t, f, case_path);
  else if (f->command)
    add_field(&t, "run", f->command);
  add_summary(&t, f);
  return wf_text_take(&t);
}
