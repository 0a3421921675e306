/* test_cli_shrink.c - warpfuzz shrink as a user runs it: exit status, and what goes to which stream. */
#define _DEFAULT_SOURCE
#include "program.h"
#include "suite.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The race that needs two warps and nothing else. */
static const char racing_case[] = "warpfuzz case 1\n"
                                  "op softmax\n"
                                  "variant block_shuffle.published\n"
                                  "rows 3\n"
                                  "cols 70\n"
                                  "grid 3 1 1\n"
                                  "block 96 1 1\n"
                                  "schedule 0x51f3\n"
                                  "x normal seed=77 scale=30 offset=1 align=2\n"
                                  "x[1,*] = -inf\n"
                                  "x[2,4] = 88.8\n";

START_TEST(a_race_is_shrunk) {
  static char text[TEXT_BYTES];
  write_file("a.case", racing_case);
  expect("shrink a.case", 1);
  ck_assert_str_eq(out, shrunk_race);
  says(err, "warpfuzz: a.case: softmax/block_shuffle.published: error: race-shared (kernels/softmax/block_shuffle.published.cu:31:37 "
            "in block_sum and ");
  says(err, " executions: rows 3, cols 70, grid 3, block 96, 2 edits -> rows 1, cols 1, grid 1, block 64, 0 edits\n");
  expect("shrink a.case -o b.case", 1);
  ck_assert_str_eq(out, "");
  read_file("b.case", text);
  ck_assert_str_eq(text, shrunk_race);
  expect("replay b.case --expected --repeat 3", 0);
  expect("shrink b.case --output b.case", 1); /* nothing is smaller; the file itself may be the output */
  read_file("b.case", text);
  ck_assert_str_eq(text, shrunk_race);
  expect("shrink a.case --dims cols=40..80,block=96", 1); /* shapes of the user's */
  says(out, "rows 1\ncols 40\nblock 96 1 1\n");
  expect("shrink a.case --dims cols=80", 2);
  says(err, "outside --dims itself");
}
END_TEST

START_TEST(the_variant_to_shrink_for) {
  write_file("a.case", good_case);
  expect("shrink a.case", 0); /* no clean variant shows anything */
  ck_assert_str_eq(out, "");
  says(err, "a.case: no finding: nothing to shrink\n");
  expect("shrink a.case -o b.case", 0);
  expect("show b.case", 2); /* nothing was written */
  expect("shrink a.case --variant softmax/block_shuffle.published", 1);
  ck_assert_str_eq(out, shrunk_race);
  expect("shrink a.case --variant softmax/none", 2);
  says(err, "no variant matches");
  expect("shrink a.case --variant softmax/*.published", 2);
  says(err, "must name one variant");
  expect("shrink a.case --variant softmax/serial_row", 77); /* wants another grid */
  says(err, "does not admit it");
  write_file("a.case", outside_case);
  expect("shrink a.case", 2); /* the variant it names does not admit it */
  says(err, "(--outside runs it all the same)");
  write_file("a.case", "warpfuzz case 1\nop softmax\nrows 1\ncols 1\nblock 2048\nx constant\n");
  expect("shrink a.case", 77);
  says(err, "no clean variant admits it");
}
END_TEST

/* softmax/block_recompute.published with a last partial warp that holds an infinity: a wrong result by itself, and where the row's
 * maximum is lost, a NaN. */
START_TEST(the_finding_to_shrink) {
  static const char text[] = "warpfuzz case 1\nop softmax\nvariant block_recompute.published\n%srows 2\ncols 40\nblock 40\n"
                             "x normal seed=3\nx[0,35] = inf\n";
  char both[512];
  snprintf(both, sizeof both, text, "");
  write_file("a.case", both);
  expect("shrink a.case", 1);
  says(err, ", one of 2 findings\n");
  says(out, "expect wrong-");
  expect("shrink a.case --class wrong-result", 1);
  says(err, ": error: wrong-result");
  says(out, "rows 1\ncols 33\nblock 33 1 1\n");
  ck_assert_ptr_null(strstr(out, "inf"));
  expect("shrink a.case --class wrong-special", 1);
  says(err, ": error: wrong-special");
  says(out, "expect wrong-special");
  expect("shrink a.case --class hang", 0);
  says(err, "no finding of class hang: nothing to shrink\n");
  snprintf(both, sizeof both, text, "expect wrong-result\n"); /* what the case is known for comes first */
  write_file("a.case", both);
  expect("shrink a.case", 1);
  says(err, ": error: wrong-result");
  snprintf(both, sizeof both, text, "expect wrong-special\n");
  write_file("a.case", both);
  expect("shrink a.case", 1);
  says(err, ": error: wrong-special");
}
END_TEST

START_TEST(what_does_not_count_is_shrunk_too) {
  write_file("a.case", outside_case);
  expect("shrink a.case --outside -o b.case", 0); /* as a replay of it */
  says(err, "outside the contract: error: unwritten-output");
  expect("replay b.case --outside --expected", 0);
  says(out, "expected  outside unwritten-output");
  write_file("a.case", "warpfuzz case 1\nop softmax\nvariant warp_row.published-2\nrows 8\ncols 40\nblock 96\nx normal\n");
  expect("shrink a.case", 0);
  says(err, ": warning: race-shared");
  says(out, "rows 1\ncols 1\nblock 64 1 1\n");
  expect("shrink a.case --strict", 1);
  write_file("a.case", lossy_case);
  expect("shrink a.case --rtol 1e-6 --atol 1e-7", 1);
  expect("shrink a.case --rtol 1e5", 0);
  says(err, "nothing to shrink");
}
END_TEST

START_TEST(an_interrupt_ends_shrinking_with_what_there_is) {
  char wanted[1024];
  write_file("a.case", racing_case);
  interrupted = 1;
  expect("shrink a.case", 1);
  interrupted = 0;
  says(err, "warpfuzz: 1 execution: ");
  says(err, "; more may be had by shrinking the result\n");
  const char *at = strstr(racing_case, "rows 3"); /* the case as it came, and what it shows */
  snprintf(wanted, sizeof wanted, "%.*sexpect race-shared\n%s", (int)(at - racing_case), racing_case, at);
  ck_assert_str_eq(out, wanted);
}
END_TEST

START_TEST(output_that_cannot_be_written) {
  write_file("a.case", racing_case);
  expect("shrink a.case -o no/such/b.case", 2);
  says(err, "no/such/b.case: No such file or directory\n");
  ck_assert_str_eq(out, "");
  expect("shrink a.case -o .", 2);
  says(err, ".: Is a directory\n");
  expect("shrink a.case -o a.case/b.case", 2);
  says(err, "a.case/b.case: Not a directory\n");
  char line[600], path[256];
  path_in_dir("link.case", path);
  ck_assert_int_eq(symlink("nowhere", path), 0);
  expect("shrink a.case -o link.case", 2);
  says(err, "link.case: No such file or directory\n");
  snprintf(line, sizeof line, "shrink a.case -o %0256d", 1); /* names have at most 255 bytes */
  expect(line, 2);
  says(err, "File name too long\n");
}
END_TEST

/* What is there stays what it is: a link leads where it led, and a pipe or a device is no file afterwards. */
START_TEST(output_into_what_is_there) {
  static char text[TEXT_BYTES];
  char line[600], link[256], pipe[256];
  struct stat st;
  path_in_dir("link.case", link);
  path_in_dir("pipe", pipe);
  write_file("a.case", racing_case);
  write_file("real.case", "");
  ck_assert_int_eq(symlink("real.case", link), 0);
  expect("shrink a.case -o link.case", 1);
  read_file("real.case", text);
  ck_assert_str_eq(text, shrunk_race);
  ck_assert(lstat(link, &st) == 0 && S_ISLNK(st.st_mode));
  ck_assert_int_eq(mkfifo(pipe, 0600), 0);
  expect("shrink a.case -o pipe", 99); /* nobody reads it */
  says(err, "warpfuzz: pipe: cannot write: No such device or address\n");
  ck_assert_str_eq(out, shrunk_race);
  ck_assert(lstat(pipe, &st) == 0 && S_ISFIFO(st.st_mode));
  int fd = open(pipe, O_RDONLY | O_NONBLOCK);
  expect("shrink a.case -o pipe", 1);
  ssize_t n = read(fd, text, sizeof text - 1);
  text[n > 0 ? n : 0] = '\0';
  ck_assert_str_eq(text, shrunk_race);
  ck_assert_int_eq(close(fd), 0);
  ck_assert(lstat(pipe, &st) == 0 && S_ISFIFO(st.st_mode));
  snprintf(line, sizeof line, "shrink a.case -o %0255d", 1); /* the longest name */
  expect(line, 1);
}
END_TEST

int main(void) {
  Suite *s = suite_create("cli_shrink");
  TCase *t = new_tcase(s, "shrink");
  tcase_add_test(t, a_race_is_shrunk);
  tcase_add_test(t, the_variant_to_shrink_for);
  tcase_add_test(t, the_finding_to_shrink);
  tcase_add_test(t, what_does_not_count_is_shrunk_too);
  tcase_add_test(t, an_interrupt_ends_shrinking_with_what_there_is);
  tcase_add_test(t, output_that_cannot_be_written);
  tcase_add_test(t, output_into_what_is_there);
  return suite_run(s);
}
