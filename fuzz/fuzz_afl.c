/* fuzz_afl.c - main() for a fuzz target under AFL++: the process starts once, is forked when all is set up, and runs inputs in a loop. Without
 * afl-fuzz it runs standard input. Compiled by afl-clang-fast, which defines the macros. */
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ARBITRARY_INPUTS = 10000 }; /* of one process; then it is forked anew */

__AFL_FUZZ_INIT();

int main(int argc, char **argv) {
  LLVMFuzzerInitialize(&argc, &argv);
  __AFL_INIT();
  const uint8_t *data = __AFL_FUZZ_TESTCASE_BUF;
  while (__AFL_LOOP(ARBITRARY_INPUTS)) {
    ssize_t size = __AFL_FUZZ_TESTCASE_LEN;
    if (size >= 0) LLVMFuzzerTestOneInput(data, (size_t)size);
  }
  return 0;
}
