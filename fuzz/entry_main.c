/* entry_main.c - wf-entry OP VARIANT: prints the entry function to append to the variant's .cu file. wf-entry --table FLAVOR...:
 * prints the table of all entries in these flavors (gpu/table.h). Exit status: 0, 2 usage or no such variant or flavor, 99 no
 * memory or output not written. Links the op tables without their kernels (WF_NO_ENTRIES). */
#include "entry.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints and frees it. */
static int print(char *text) {
  int bad = !text || fputs(text, stdout) == EOF || fflush(stdout);
  free(text);
  if (bad)
    fputs("wf-entry: cannot write\n", stderr);
  return bad ? 99 : 0;
}

static int print_entry(const char *op_name, const char *variant) {
  const WfOp *op = wf_op_find(op_name, strlen(op_name));
  const WfVariant *v = op ? wf_variant_find(op, variant, strlen(variant)) : NULL;
  if (!v) {
    fprintf(stderr, "wf-entry: no variant %s/%s\n", op_name, variant);
    return 2;
  }
  return print(wf_entry_source(op, v, NULL));
}

static int print_table(char **names, size_t n) {
  WfGpuFlavor flavor[WF_GPU_FLAVOR_COUNT];
  for (size_t i = 0; i < n; i++)
    if (i >= WF_GPU_FLAVOR_COUNT || wf_gpu_flavor_parse(names[i], strlen(names[i]), &flavor[i]) != 0) {
      fprintf(stderr, "wf-entry: no flavor %s, or too many\n", names[i]);
      return 2;
    }
  return print(wf_entry_table(flavor, n));
}

int main(int argc, char **argv) {
  if (argc > 2 && strcmp(argv[1], "--table") == 0)
    return print_table(argv + 2, (size_t)argc - 2);
  if (argc == 3)
    return print_entry(argv[1], argv[2]);
  fputs("usage: wf-entry OP VARIANT | --table FLAVOR...\n", stderr);
  return 2;
}
