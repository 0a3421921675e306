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
          "};\n",
          WF_MAX_TENSORS, WF_MAX_DIMS, WF_MAX_SCALARS);
  fprintf(f,
          "static_assert(sizeof(WfLaunchArgs) == %zu && __builtin_offsetof(WfLaunchArgs, dim) == %zu &&\n"
          "              __builtin_offsetof(WfLaunchArgs, scalar) == %zu && __builtin_offsetof(WfLaunchArgs, grid) == %zu &&\n"
          "              __builtin_offsetof(WfLaunchArgs, shared_bytes) == %zu, \"differs from fuzz/op.h\");\n",
          sizeof(WfLaunchArgs), offsetof(WfLaunchArgs, dim), offsetof(WfLaunchArgs, scalar), offsetof(WfLaunchArgs, grid),
          offsetof(WfLaunchArgs, shared_bytes));
}

static void write_name(FILE *f, const WfOp *op, const WfVariant *v) {
  fprintf(f, "wf_entry_%s_", op->name);
  for (const char *p = v->name; *p; p++)
    fputc(isalnum((unsigned char)*p) ? *p : '_', f);
}

/* A launch statement need not mention everything in its scope: (void) keeps the compiler quiet about the rest. */
static void write_scope(FILE *f, const WfOp *op) {
  for (int i = 0; i < op->n_tensors; i++)
    fprintf(f, "  float *%s = static_cast<float *>(wf_a->tensor[%d]); (void)%s;\n", op->tensors[i].name, i,
            op->tensors[i].name);
  for (int i = 0; i < op->n_dims; i++)
    fprintf(f, "  int %s = static_cast<int>(wf_a->dim[%d]); (void)%s;\n", op->dims[i].name, i, op->dims[i].name);
  for (int i = 0; i < op->n_scalars; i++)
    fprintf(f, "  float %s = static_cast<float>(wf_a->scalar[%d]); (void)%s;\n", op->scalars[i], i, op->scalars[i]);
  fputs("  dim3 grid(wf_a->grid[0], wf_a->grid[1], wf_a->grid[2]); (void)grid;\n"
        "  dim3 block(wf_a->block[0], wf_a->block[1], wf_a->block[2]); (void)block;\n"
        "  size_t shared = wf_a->shared_bytes; (void)shared;\n"
        "  cudaStream_t stream = nullptr; (void)stream;\n",
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
