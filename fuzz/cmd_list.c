/* cmd_list.c - warpfuzz list: ops, or variants with their contracts, as text or JSON. */
#include "cli.h"
#include "select.h"
#include "../simt/simt.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *masked_name(WfMasked m) {
  switch (m) {
  case WF_MASKED_NAN:
    return "nan";
  case WF_MASKED_ZERO:
    return "zero";
  case WF_MASKED_UNIFORM:
    return "uniform";
  }
  return "?";
}

static void print_flag(FILE *out, uint32_t set, uint32_t flag, const char *name) {
  if (set & flag) fprintf(out, "  %s", name);
}

static void print_classes(FILE *out, uint32_t set, const char *separator, const char *quote) {
  const char *lead = "";
  for (unsigned i = 0; i < SIMT_CLASS_COUNT; i++) {
    if (!(set >> i & 1)) continue;
    fprintf(out, "%s%s%s%s", lead, quote, simt_class_name((SimtClass)i), quote);
    lead = separator;
  }
}

/* ---- text ---- */

static void print_tensor(FILE *out, const WfOp *op, const WfTensorDesc *t) {
  char text[WF_EXTENT_TEXT];
  fprintf(out, "%s %s[%s", t->role == WF_OUT ? " ->" : "", t->name, wf_extent_text(op, t, 0, text));
  if (t->rank == 2) fprintf(out, ",%s", wf_extent_text(op, t, 1, text));
  fputc(']', out);
  if (t->role == WF_OUT && t->start != WF_START_NOTHING) fprintf(out, " (%s before)", t->start == WF_START_ZERO ? "0" : "-inf");
}

static void print_op(FILE *out, const WfOp *op) {
  size_t faulty = 0;
  for (size_t i = 0; i < op->n_variants; i++) faulty += op->variants[i].expect != 0;
  fprintf(out, "%s:", op->name);
  for (int i = 0; i < op->n_tensors; i++)
    if (op->tensors[i].role == WF_IN) print_tensor(out, op, &op->tensors[i]);
  for (int i = 0; i < op->n_scalars; i++) fprintf(out, " %s", op->scalars[i].name);
  for (int i = 0; i < op->n_tensors; i++)
    if (op->tensors[i].role == WF_OUT) print_tensor(out, op, &op->tensors[i]);
  fprintf(out, "\n  %zu variants, %zu of them faulty\n", op->n_variants, faulty);
}

/* "types f16", "types x=f16, arithmetic in f16"; nothing where all are f32. */
static void print_types(FILE *out, const WfTarget *t) {
  char types[WF_DTYPES_TEXT];
  if (!wf_dtypes_text(t->op, t->variant->dtype, types)[0]) return;
  fprintf(out, "  types %s", types);
  if (t->variant->arith != WF_F32) fprintf(out, ", arithmetic in %s", wf_dtype_name(t->variant->arith));
}

static void print_variant(FILE *out, const WfTarget *t) {
  const WfVariant *v = t->variant;
  char name[WF_NAME_MAX];
  wf_target_name(t, name);
  fprintf(out, "%s\n  block %s", name, v->block ? v->block : "1..1024");
  if (v->block_y || v->block_z) fprintf(out, " x %s", v->block_y ? v->block_y : "1");
  if (v->block_z) fprintf(out, " x %s", v->block_z);
  fprintf(out, "  grid %s", v->grid ? v->grid : "free");
  if (v->grid_y || v->grid_z) fprintf(out, " x %s", v->grid_y ? v->grid_y : "1");
  if (v->grid_z) fprintf(out, " x %s", v->grid_z);
  fprintf(out, "  shared %s", v->shared ? v->shared : "0");
  if (v->scratch) fprintf(out, "  scratch %s", v->scratch);
  if (v->requires) fprintf(out, "  requires %s", v->requires);
  if (v->values > 0) fprintf(out, "  finite values up to %.9g", v->values);
  print_types(out, t);
  fprintf(out, "\n  masked rows %s", masked_name(v->masked));
  print_flag(out, v->flags, WF_DETERMINISTIC, "deterministic");
  print_flag(out, v->flags, WF_BLOCKS_INDEPENDENT, "blocks independent");
  print_flag(out, v->flags, WF_FAST_EXP, "fast exp");
  print_flag(out, v->flags, WF_PLAIN_EXP, "no maximum subtracted");
  if (v->flavor != WF_PRECISE) fprintf(out, "  flavor %s", wf_flavor_name(v->flavor));
  print_flag(out, v->flags, WF_EMPTY, "empty tensors");
  if (v->in_place) fprintf(out, "  in place of %s", v->in_place);
  if (v->family) fprintf(out, "  family %s", v->family);
  if (v->owns) fprintf(out, "  a block owns %s", v->owns);
  fputc('\n', out);
  if (!v->expect) return;
  fputs("  expected ", out);
  print_classes(out, v->expect, ", ", "");
  fprintf(out, "%s: %s\n", v->flags & WF_EXPECT_WARNING ? " (warning)" : "", v->fault ? v->fault : "");
}

/* ---- JSON ---- */

/* A string of the tables, which are ASCII; NULL is null. */
static void json_text(FILE *out, const char *key, const char *text) {
  fprintf(out, ",\"%s\":", key);
  if (!text) {
    fputs("null", out);
    return;
  }
  fputc('"', out);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') fputc('\\', out);
    fputc(*text, out);
  }
  fputc('"', out);
}

static void json_op(FILE *out, const WfOp *op) {
  fprintf(out, "{\"op\":\"%s\",\"dims\":[", op->name);
  for (int i = 0; i < op->n_dims; i++)
    fprintf(out, "%s{\"name\":\"%s\",\"min\":%lld}", i ? "," : "", op->dims[i].name, (long long)op->dims[i].min);
  fputs("],\"tensors\":[", out);
  for (int i = 0; i < op->n_tensors; i++) {
    const WfTensorDesc *t = &op->tensors[i];
    char text[WF_EXTENT_TEXT];
    fprintf(out, "%s{\"name\":\"%s\",\"role\":\"%s\",\"shape\":[\"%s\"", i ? "," : "", t->name,
            t->role == WF_OUT ? "out" : "in", wf_extent_text(op, t, 0, text));
    if (t->rank == 2) fprintf(out, ",\"%s\"", wf_extent_text(op, t, 1, text));
    fputc(']', out);
    if (t->start != WF_START_NOTHING) fprintf(out, ",\"start\":\"%s\"", t->start == WF_START_ZERO ? "0" : "-inf");
    fputc('}', out);
  }
  fputs("],\"scalars\":[", out);
  for (int i = 0; i < op->n_scalars; i++) fprintf(out, "%s\"%s\"", i ? "," : "", op->scalars[i].name);
  fprintf(out, "],\"variants\":%zu}", op->n_variants);
}

static void json_variant(FILE *out, const WfTarget *t) {
  char types[WF_DTYPES_TEXT];
  const WfVariant *v = t->variant;
  fprintf(out, "{\"op\":\"%s\"", t->op->name);
  json_text(out, "variant", v->name);
  json_text(out, "launch", v->launch);
  json_text(out, "block", v->block ? v->block : "1..1024");
  json_text(out, "block_y", v->block_y ? v->block_y : "1");
  json_text(out, "block_z", v->block_z ? v->block_z : "1");
  json_text(out, "grid", v->grid);
  json_text(out, "grid_y", v->grid_y ? v->grid_y : "1");
  json_text(out, "grid_z", v->grid_z ? v->grid_z : "1");
  json_text(out, "shared", v->shared ? v->shared : "0");
  json_text(out, "scratch", v->scratch);
  json_text(out, "requires", v->requires);
  if (v->values > 0) fprintf(out, ",\"values\":%.9g", v->values);
  else fputs(",\"values\":null", out);
  json_text(out, "dtype", wf_dtypes_text(t->op, v->dtype, types)[0] ? types : "f32");
  json_text(out, "arith", wf_dtype_name(v->arith));
  json_text(out, "owns", v->owns);
  json_text(out, "in_place", v->in_place);
  json_text(out, "family", v->family);
  json_text(out, "masked", masked_name(v->masked));
  json_text(out, "flavor", wf_flavor_name(v->flavor));
  fprintf(out, ",\"deterministic\":%s,\"blocks_independent\":%s,\"fast_exp\":%s,\"expected\":[",
          v->flags & WF_DETERMINISTIC ? "true" : "false", v->flags & WF_BLOCKS_INDEPENDENT ? "true" : "false",
          v->flags & WF_FAST_EXP ? "true" : "false");
  print_classes(out, v->expect, ",", "\"");
  fprintf(out, "],\"expected_severity\":%s",
          !v->expect ? "null" : v->flags & WF_EXPECT_WARNING ? "\"warning\"" : "\"error\"");
  json_text(out, "fault", v->fault);
  fputc('}', out);
}

/* ---- the command ---- */

static void list_ops(const WfOptions *o) {
  for (size_t i = 0; wf_ops[i]; i++) {
    if (o->json) {
      fputs(i ? ",\n" : "", stdout);
      json_op(stdout, wf_ops[i]);
    } else {
      print_op(stdout, wf_ops[i]);
    }
  }
}

static int list_variants(const WfOptions *o) {
  WfTarget *all;
  size_t n;
  char err[256];
  if (wf_select(NULL, 0, 1, &all, &n, err, sizeof err) != 0) {
    wf_say("warpfuzz: %s", err);
    return WF_EXIT_HARNESS;
  }
  for (size_t i = 0; i < n; i++) {
    if (o->json) {
      fputs(i ? ",\n" : "", stdout);
      json_variant(stdout, &all[i]);
    } else {
      print_variant(stdout, &all[i]);
    }
  }
  free(all);
  return WF_EXIT_CLEAN;
}

static void print_device(const WfOptions *o, const WfDeviceInfo *d) {
  if (!o->json) {
    printf("%d: %s, compute capability %d.%d, %d multiprocessors, %.0f GiB, driver for CUDA %d.%d, runtime %d.%d\n", d->index, d->name,
           d->major, d->minor, d->multiprocessors, (double)d->memory_bytes / (1 << 30), d->driver / 1000, d->driver % 1000 / 10,
           d->runtime / 1000, d->runtime % 1000 / 10);
    return;
  }
  printf("%s{\"index\":%d", d->index ? ",\n" : "", d->index);
  json_text(stdout, "name", d->name);
  printf(",\"major\":%d,\"minor\":%d,\"multiprocessors\":%d,\"memory_bytes\":%" PRIu64 ",\"driver\":%d,\"runtime\":%d}", d->major,
         d->minor, d->multiprocessors, d->memory_bytes, d->driver, d->runtime);
}

static int list_devices(const WfOptions *o) {
  char err[256];
  int n = wf_gpu_count(err, sizeof err);
  if (n == 0) wf_say("warpfuzz: no device: %s", err);
  for (int i = 0; i < n; i++) {
    const WfGpuOptions opt = {.device = i};
    WfGpu *g;
    if (wf_gpu_create(&g, &opt, err, sizeof err) != 0) {
      wf_say("warpfuzz: device %d: %s", i, err);
      return WF_EXIT_HARNESS;
    }
    print_device(o, wf_gpu_info(g));
    wf_gpu_destroy(g);
  }
  return n > 0 ? WF_EXIT_CLEAN : WF_EXIT_NOTHING;
}

int wf_cmd_list(const WfOptions *o) {
  const char *what = o->n_operands ? o->operands[0] : "variants";
  int ops = strcmp(what, "ops") == 0, devices = strcmp(what, "devices") == 0, status = WF_EXIT_CLEAN;
  if (!ops && !devices && strcmp(what, "variants") != 0) {
    wf_say("warpfuzz: list: 'ops', 'variants' or 'devices', not '%s'", what);
    return WF_EXIT_USAGE;
  }
  if (o->json) fputs("[", stdout);
  if (ops)
    list_ops(o);
  else
    status = devices ? list_devices(o) : list_variants(o);
  if (o->json) fputs("]\n", stdout);
  return status;
}
