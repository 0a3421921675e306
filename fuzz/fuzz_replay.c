/* fuzz_replay.c - main() for a fuzz target without libFuzzer: runs each file of the command line through it once. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_BYTES = 1 << 20 };

static int run_file(const char *path, uint8_t *buffer) {
  FILE *f = fopen(path, "rb");
  if (!f) {
    perror(path);
    return 2;
  }
  size_t n = fread(buffer, 1, MAX_BYTES, f);
  int bad = ferror(f) || fgetc(f) != EOF;
  fclose(f);
  if (bad) {
    fprintf(stderr, "%s: cannot be read, or longer than %d bytes\n", path, MAX_BYTES);
    return 2;
  }
  fprintf(stderr, "running %s (%zu bytes)\n", path, n);
  LLVMFuzzerTestOneInput(buffer, n);
  return 0;
}

int main(int argc, char **argv) {
  uint8_t *buffer = malloc(MAX_BYTES);
  int status = buffer ? 0 : 99;
  LLVMFuzzerInitialize(&argc, &argv);
  for (int i = 1; i < argc && buffer; i++) {
    if (strncmp(argv[i], "--", 2) == 0) continue; /* the target's own */
    int rc = run_file(argv[i], buffer);
    if (rc) status = rc;
  }
  free(buffer);
  return status;
}
