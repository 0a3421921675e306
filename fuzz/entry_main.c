/* entry_main.c - wf-entry OP VARIANT: prints the entry function to append to the variant's .cu file. Exit status: 0, 2
 * usage or no such variant, 99 no memory or output not written. Links the op tables without their kernels (WF_NO_ENTRIES). */
#include "entry.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc != 3) {
    fputs("usage: wf-entry OP VARIANT\n", stderr);
    return 2;
  }
  const WfOp *op = wf_op_find(argv[1], strlen(argv[1]));
  const WfVariant *v = op ? wf_variant_find(op, argv[2], strlen(argv[2])) : NULL;
  if (!v) {
    fprintf(stderr, "wf-entry: no variant %s/%s\n", argv[1], argv[2]);
    return 2;
  }
  char *text = wf_entry_source(op, v);
  if (!text || fputs(text, stdout) == EOF || fflush(stdout)) {
    fputs("wf-entry: cannot write\n", stderr);
    free(text);
    return 99;
  }
  free(text);
  return 0;
}
