/* hunt.c - hunt OP/VARIANT RUNS SEED [--strict]: the executions of `warpfuzz fuzz OP/VARIANT --runs RUNS --seed SEED` up to the first
 * with an error, or with --strict a warning, and nothing of what a campaign does then: shrinking takes longer than finding.
 * For tests/mutants, which links it with a changed kernel. Prints the classes of that execution, errors first.
 *
 * Exit status: 0 nothing was found; 1 something was; 99 usage, or a failure of the harness. */
#include "../fuzz/fuzzer.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FOUND = 1, FAILED = 99 };

static void print_classes(uint32_t classes) {
  for (int cls = 0; cls < SIMT_CLASS_COUNT; cls++)
    if (classes >> cls & 1) printf("%s\n", simt_class_name((SimtClass)cls));
}

static int failed(const char *why) {
  fprintf(stderr, "hunt: %s\n", why);
  return FAILED;
}

static int hunt(WfFuzzer *f, unsigned long runs, int strict) {
  for (unsigned long i = 0; i < runs; i++) {
    char err[256];
    WfStep s;
    wf_fuzzer_choose(f, &s);
    if (wf_fuzzer_execute(f, &s, err, sizeof err) != 0) return failed(err);
    if (!s.verdict->errors && !(strict && s.verdict->warnings)) continue;
    print_classes(s.verdict->errors);
    print_classes(s.verdict->warnings & ~s.verdict->errors);
    return FOUND;
  }
  return 0;
}

int main(int argc, char **argv) {
  const char *const pattern = argc > 1 ? argv[1] : "";
  WfTarget *target = NULL;
  WfFuzzer *f = NULL;
  size_t n;
  char err[1024];
  if (argc < 4 || argc > 5 || (argc == 5 && strcmp(argv[4], "--strict") != 0)) return failed("usage: hunt OP/VARIANT RUNS SEED [--strict]");
  if (wf_select(&pattern, 1, 0, &target, &n, err, sizeof err) != 0) return failed(err);
  int status = FAILED;
  if (n != 1) failed("not one variant");
  else if (wf_fuzzer_create(&f, target, n, strtoull(argv[3], NULL, 10)) != 0) failed("no memory");
  else status = hunt(f, strtoul(argv[2], NULL, 10), argc == 5);
  if (f) wf_fuzzer_destroy(f);
  free(target);
  return status;
}
