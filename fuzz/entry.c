/* entry.c - writes the entry function of a variant. */
#include "entry.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* The function's own copy of WfLaunchArgs: op.h would bring names into the user's file. The assertions tie the copies. */
static void write_args_struct(FILE *f) {
  fprintf(f,
          "struct WfLaunchArgs {\n"
          "  void *tensor[%d];\n"
          "  long long dim[%d];\n"
          "  double scalar[%d];\n"
          "  unsigned grid[3], block[3];\n"
          "  unsigned long long shared_bytes;\n"
          "  void *scratch;\n"
          "};\n",
          WF_MAX_TENSORS, WF_MAX_DIMS, WF_MAX_SCALARS);
  fprintf(f,
          "static_assert(sizeof(WfLaunchArgs) == %zu && __builtin_offsetof(WfLaunchArgs, dim) == %zu &&\n"
          "              __builtin_offsetof(WfLaunchArgs, scalar) == %zu && __builtin_offsetof(WfLaunchArgs, grid) == %zu &&\n"
          "              __builtin_offsetof(WfLaunchArgs, shared_bytes) == %zu &&\n"
          "              __builtin_offsetof(WfLaunchArgs, scratch) == %zu, \"differs from fuzz/op.h\");\n",
          sizeof(WfLaunchArgs), offsetof(WfLaunchArgs, dim), offsetof(WfLaunchArgs, scalar), offsetof(WfLaunchArgs, grid),
          offsetof(WfLaunchArgs, shared_bytes), offsetof(WfLaunchArgs, scratch));
}

static void write_name(FILE *f, const WfOp *op, const WfVariant *v) {
  const char *const parts[] = {"wf_entry", op->name, v->name};
  for (int i = 0; i < 3; i++) {
    fputs(i ? "_" : "", f);
    for (const char *p = parts[i]; *p; p++)
      fputc(isalnum((unsigned char)*p) ? *p : '_', f);
  }
}

static const char *scalar_type(const WfOp *op, int scalar) { return op->scalars[scalar].kind == WF_FLAG ? "int" : "float"; }

/* A launch statement need not mention everything in its scope. */
#define UNUSED "  [[maybe_unused]] "
static void write_scope(FILE *f, const WfOp *op) {
  for (int i = 0; i < op->n_tensors; i++)
    fprintf(f, UNUSED "float *%s = static_cast<float *>(wf_a->tensor[%d]);\n", op->tensors[i].name, i);
  for (int i = 0; i < op->n_dims; i++)
    fprintf(f, UNUSED "int %s = static_cast<int>(wf_a->dim[%d]);\n", op->dims[i].name, i);
  for (int i = 0; i < op->n_scalars; i++)
    fprintf(f, UNUSED "%s %s = static_cast<%s>(wf_a->scalar[%d]);\n", scalar_type(op, i), op->scalars[i].name, scalar_type(op, i), i);
  fputs(UNUSED "dim3 grid(wf_a->grid[0], wf_a->grid[1], wf_a->grid[2]);\n"
        UNUSED "dim3 block(wf_a->block[0], wf_a->block[1], wf_a->block[2]);\n"
        UNUSED "size_t shared = wf_a->shared_bytes;\n"
        UNUSED "float *scratch = static_cast<float *>(wf_a->scratch);\n"
        UNUSED "cudaStream_t stream = nullptr;\n",
        f);
}

char *wf_entry_source(const WfOp *op, const WfVariant *v) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (!f)
    return NULL;
  fprintf(f, "\n#line 1 \"entry of %s/%s\"\n", op->name, v->name);
  write_args_struct(f);
  fputs("extern \"C\" void ", f);
  write_name(f, op, v);
  fputs("(const WfLaunchArgs *wf_a) {\n", f);
  write_scope(f, op);
  fprintf(f, "  %s;\n}\n", v->launch);
  int bad = ferror(f);
  if (fclose(f) || bad) {
    free(text);
    return NULL;
  }
  return text;
}
