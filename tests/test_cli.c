/* test_cli.c - warpfuzz as a user runs it: the built program in a process of its own, with the real engine and kernels.
 * Exit status, and what goes to which stream. */
#define _DEFAULT_SOURCE
#include "program.h"
#include "suite.h"
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- usage ---- */

static const struct {
  const char *line;
  int status;
  const char *says; /* on stderr */
} usage[] = {
    {"", 2, "no command"},
    {"fizz", 2, "unknown command 'fizz'"},
    {"fuzz --bogus", 2, "unknown option '--bogus'"},
    {"fuzz --time soon", 2, "--time takes a time"},
    {"fuzz softmax/block_shufle", 2, "near: softmax/block_shuffle"},
    {"fuzz softmax --corpus no/such/dir", 2, "no/such/dir"},
    {"fuzz softmax --runs 1 --out err/below", 2, "err"}, /* err is a file */
    {"fuzz softmax --dims colz=3", 2, "--dims: no dim 'colz' (softmax has rows, cols)\n"},
    {"fuzz softmax --dims cols=5..4", 2, "--dims: cols: nothing is in the range"},
    {"fuzz softmax --dims rows=1.5", 2, "--dims: rows: unexpected '.5'\n"},
    {"fuzz softmax/block_shuffle.published --dims block=33", 77, "block_shuffle.published left out: no case within --dims"},
    {"fuzz softmax --rtol 1e-4%", 2, "--rtol takes a number"},
    {"fuzz --backend gpu", 77, "no device"},
    {"fuzz --backend both", 77, "no device"},
    {"replay", 2, "too few operands"},
    {"replay no/such.case", 2, "no/such.case"},
    {"replay .", 77, "nothing to run"},
    {"replay . --variant softmax/none", 2, "no variant matches"},
    {"replay . --backend gpu", 77, "no device"},
    {"show no/such.case", 2, "no/such.case"},
    {"shrink", 2, "too few operands"},
    {"shrink a.case b.case", 2, "too many operands"},
    {"shrink no/such.case", 2, "no/such.case"},
    {"shrink a.case --class race", 2, "--class takes a class of findings"},
    {"shrink a.case --backend gpu", 77, "no device"},
    {"replay a.case -o b.case", 2, "replay: unknown option '-o'"},
    {"list kernels", 2, "'ops', 'variants' or 'devices'"},
};

START_TEST(wrong_usage) {
  expect(usage[_i].line, usage[_i].status);
  says(err, usage[_i].says);
  ck_assert_str_eq(out, "");
}
END_TEST

START_TEST(help_goes_to_stdout) {
  expect("--help", 0);
  says(out, "replay");
  expect("fuzz --help", 0);
  says(out, "--stop-on-first");
  says(out, "Usage: warpfuzz fuzz");
  expect("--version", 0);
  ck_assert_int_eq(strncmp(out, "warpfuzz ", 9), 0);
  ck_assert_str_eq(err, "");
}
END_TEST

/* ---- list and show ---- */

START_TEST(list_prints_contracts) {
  expect("list", 0);
  says(out, "softmax/block_shuffle.published\n");
  says(out, "expected race-shared: ");
  says(out, "softmax/block_shuffle.fastmath\n");
  says(out, "fast exp  flavor fastmath  empty tensors  a block owns b .. rows step grid.x\n");
  expect("list ops", 0);
  says(out, "softmax: x[rows,cols] -> y[rows,cols]");
}
END_TEST

static json_t *parse_array(const char *line) {
  json_error_t where;
  expect(line, 0);
  json_t *all = json_loads(out, 0, &where);
  ck_assert_msg(all != NULL, "%s:\n%s", where.text, out);
  ck_assert(json_is_array(all));
  ck_assert_uint_gt(json_array_size(all), 0);
  return all;
}

START_TEST(list_as_json) {
  json_t *ops = parse_array("list ops --json"), *variants = parse_array("list variants --json"), *v;
  size_t i, faulty = 0;
  size_t softmax = 0;
  json_array_foreach(ops, i, v) softmax += strcmp(json_string_value(json_object_get(v, "op")), "softmax") == 0;
  ck_assert_uint_eq(softmax, 1);
  json_array_foreach(variants, i, v) {
    ck_assert_ptr_nonnull(json_string_value(json_object_get(v, "variant")));
    ck_assert_ptr_nonnull(json_string_value(json_object_get(v, "block")));
    const char *flavor = json_string_value(json_object_get(v, "flavor"));
    int is_fast = strstr(json_string_value(json_object_get(v, "variant")), ".fastmath") != NULL;
    int is_faulty = json_array_size(json_object_get(v, "expected")) > 0;
    if (is_fast || !is_faulty) /* some faults are those of fast math */
      ck_assert_str_eq(flavor, is_fast ? "fastmath" : "precise");
    ck_assert_int_eq(json_is_string(json_object_get(v, "fault")), is_faulty);
    faulty += (size_t)is_faulty;
  }
  ck_assert_uint_gt(faulty, 0);
  json_decref(ops);
  json_decref(variants);
}
END_TEST

START_TEST(show_explains_a_case) {
  write_file("a.case", good_case);
  expect("show a.case", 0);
  ck_assert_int_eq(strncmp(out, good_case, strlen(good_case)), 0);
  says(out, "softmax/block_shuffle: grid 3 1 1  block 64 1 1");
  says(out, "softmax/serial_row: not admitted: ");
  says(out, "x[3,5]\n");
  says(out, "  [1] -inf -inf -inf -inf -inf\n");
}
END_TEST

/* ---- replay ---- */

START_TEST(a_clean_case) {
  write_file("a.case", good_case);
  expect("replay a.case", 0);
  says(out, "softmax/block_shuffle  ");
  says(out, "clean");
  ck_assert_ptr_null(strstr(out, ".published"));
  expect("replay a.case --variant softmax/block_shuffle --repeat 3", 0);
}
END_TEST

START_TEST(a_case_with_a_finding) {
  write_file("a.case", faulty_case);
  expect("replay a.case", 1);
  says(out, "SUMMARY: ");
  says(out, "expected  unwritten-output");
  expect("replay . --expected --repeat 5", 0);
  expect("replay a.case --variant softmax/warp_row_float4 --expected", 0); /* the clean twin */
  expect("replay a.case --variant softmax/warp_row_float4", 0);
}
END_TEST

START_TEST(expectations_that_fail) {
  char text[512];
  const char *at = strstr(faulty_case, "unwritten-output"); /* the same case, another class */
  snprintf(text, sizeof text, "%.*shang%s", (int)(at - faulty_case), faulty_case, at + strlen("unwritten-output"));
  write_file("a.case", text);
  expect("replay a.case --expected", 1);
  says(out, "FINDING");
  write_file("a.case", "warpfuzz case 1\nop softmax\nvariant block_shuffle\nexpect race-shared\nrows 1\ncols 1\n"
                       "grid 1 1 1\nblock 32 1 1\nschedule 0x0\nx constant offset=1\n");
  expect("replay a.case --expected", 1);
  says(out, "MISSED");
  expect("replay a.case", 0);
}
END_TEST

START_TEST(unreadable_cases_do_not_hide_others) {
  write_file("a.case", "warpfuzz case 1\nop softmax\nrows zero\n");
  write_file("b.case", good_case);
  expect("replay .", 2);
  says(err, "a.case:3: ");
  says(out, "b.case");
  write_file("a.case", faulty_case);
  expect("replay .", 1);
}
END_TEST

START_TEST(a_user_s_tolerance) {
  write_file("a.case", lossy_case);
  expect("replay a.case", 1);
  says(out, "FINDING  wrong-result");
  says(out, "\n  last write of 4 bytes by thread (");
  says(out, " in softmax_tree_shared_published\n");
  says(out, "  object     buffer 'y', element [0,0], 4 bytes at byte offset 0\n");
  ck_assert_ptr_null(strstr(out, "tol"));
  expect("replay a.case --rtol 1e-3", 1); /* right so far, but with the columns in another order a larger one is lost */
  says(out, "  with --rtol 0.001\n");
  expect("replay a.case --rtol 1e5", 0);
  says(out, "clean");
  expect("replay a.case --atol 1e5", 0);
  expect("replay a.case --rtol 1e-6 --atol 1e-7", 1);
  says(out, "  with --rtol 1e-06 --atol 1e-07\n");
  says(out, "--variant softmax/tree_shared.published --rtol 1e-06 --atol 1e-07\n");
  expect("fuzz softmax/tree_shared.published --rtol 1e-6 --runs 300 --seed 1 --stop-on-first", 1);
  char *command = strstr(out, "/warpfuzz replay "), line[1024];
  ck_assert_ptr_nonnull(command);
  command += strlen("/warpfuzz ");
  snprintf(line, sizeof line, "%.*s", (int)strcspn(command, "\n"), command);
  says(line, " --rtol 1e-06");
  static char report[TEXT_BYTES];
  const char *end = strstr(out, "SUMMARY");
  ck_assert_ptr_nonnull(end);
  snprintf(report, sizeof report, "%.*s", (int)(end - strstr(out, "softmax/")), strstr(out, "softmax/"));
  char *seen = strstr(report, "  seen ");
  ck_assert_ptr_nonnull(seen);
  *seen = '\0';
  expect(line, 1);
  says(out, report); /* up to how often it was seen, the same again */
}
END_TEST

/* ---- launchers that do not live to the end ---- */

START_TEST(host_code_that_divides_by_zero) {
  static const char divides[] = "warpfuzz case 1\nop softmax\nvariant row_group.published\nexpect launch-error\n"
                                "rows 2\ncols 257\nblock 256 1 1\nx normal seed=1\n";
  write_file("a.case", divides);
  write_file("b.case", good_case); /* what comes behind it runs */
  expect("replay .", 1);
  says(out, "the host code that launches died of an arithmetic fault: integer division by zero, before its first launch\n");
  says(out, "\n  host code\n    kernels/softmax/row_group.published.cu:");
  says(out, " in softmax_row_group_published_launch\n");
  says(out, "softmax/block_shuffle  ");
  expect("replay a.case --expected --repeat 3", 0);
  expect("replay a.case --variant softmax/row_group", 0);
  expect("fuzz softmax/row_group* --published --runs 600 --seed 3 --out found", 1);
  says(out, "softmax/row_group.published  caught   150         launch-error x ");
  says(out, "softmax/row_group.narrow     clean    150 ");
  says(out, "softmax/row_group            clean    150 ");
}
END_TEST

/* ---- outside the contract ---- */

START_TEST(a_case_outside_the_contract) {
  write_file("a.case", outside_case);
  expect("replay a.case", 2); /* names a variant that does not admit it */
  says(err, "does not admit it: grid.x is 1, and the contract's grid");
  says(err, "(--outside runs it all the same)");
  expect("replay a.case --variant softmax/warp_row_float4", 77);
  expect("replay a.case --outside", 0);
  says(out, "softmax/warp_row_float4: error: unwritten-output (outside the contract)\n");
  says(out, "\n  outside    grid.x is 1, and the contract's grid");
  says(out, "--variant softmax/warp_row_float4 --outside\n");
  says(out, "outside  outside unwritten-output\n");
  expect("replay a.case --outside --strict", 0);
  expect("replay a.case --outside --expected", 0);
  expect("replay a.case --outside --variant softmax/online_warp", 0); /* whose grid is free */
  says(out, "clean");
  write_file("a.case", faulty_case); /* inside: nothing changes */
  expect("replay a.case --outside", 1);
  ck_assert_ptr_null(strstr(out, "outside"));
}
END_TEST

START_TEST(an_expected_finding_outside) {
  char text[512];
  snprintf(text, sizeof text, "%sexpect unwritten-output\n", outside_case);
  write_file("a.case", text);
  expect("replay a.case --outside --expected", 0);
  says(out, "expected  outside unwritten-output");
  snprintf(text, sizeof text, "%sexpect hang\n", outside_case);
  write_file("a.case", text);
  expect("replay a.case --outside --expected", 1);
  says(out, "MISSED");
}
END_TEST

START_TEST(fuzzing_outside_does_not_count) {
  json_error_t where;
  expect("fuzz softmax/warp_row_float4 --outside --strict --stop-on-first --runs 300 --seed 1", 0);
  says(out, "softmax/warp_row_float4: error: unwritten-output (outside the contract)\n");
  says(out, "outside the contract: error: unwritten-output in softmax/warp_row_float4\n");
  says(out, "clean    300         outside unwritten-output x ");
  says(out, "of them outside the contracts: what they found does not count\n");
  read_file("warpfuzz-out/findings.jsonl", err);
  json_t *finding = json_loads(err, JSON_DISABLE_EOF_CHECK, &where);
  ck_assert_msg(finding != NULL, "%s", where.text);
  says(json_string_value(json_object_get(finding, "outside")), "the contract");
  char line[512];
  snprintf(line, sizeof line, "replay %s --outside --repeat 3 --expected", json_string_value(json_object_get(finding, "case")));
  json_decref(finding);
  expect(line, 0);
  expect("fuzz softmax/warp_row_float4 --outside --expected --runs 300 --seed 2 --out b", 0);
  expect("fuzz softmax/warp_row_float4 --strict --runs 300 --seed 1 --out c", 0);
  ck_assert_ptr_null(strstr(out, "outside"));
}
END_TEST

START_TEST(faults_inside_count_with_outside_too) {
  expect("fuzz softmax/warp_row_float4.published --outside --runs 200 --seed 1", 1);
  says(out, "  error: unwritten-output in softmax/warp_row_float4.published\n");
  says(out, "  outside the contract: error: unwritten-output in softmax/warp_row_float4.published\n");
  says(out, "caught   200         unwritten-output x ");
}
END_TEST

/* ---- --dims ---- */

/* The numbers that corpus cases have for a dim: all within low .. high. Returns how many cases there are. */
static int check_corpus(const char *dim, int low, int high) {
  char command[256];
  snprintf(command, sizeof command, "cat %s/warpfuzz-out/corpus/softmax/*.case", dir);
  FILE *f = popen(command, "r");
  ck_assert_ptr_nonnull(f);
  char line[512], name[16];
  int n = 0, v;
  while (fgets(line, sizeof line, f)) {
    if (sscanf(line, "%15s %d", name, &v) != 2 || strcmp(name, dim) != 0) continue;
    ck_assert_msg(v >= low && v <= high, "%s is %d", dim, v);
    n++;
  }
  ck_assert_int_eq(pclose(f), 0);
  return n;
}

START_TEST(dims_narrow_a_campaign) {
  char path[256];
  path_in_dir("seeds", path);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  write_file("seeds/a.case", good_case); /* 3 rows */
  write_file("seeds/b.case", faulty_case);
  expect("fuzz softmax --dims rows=1..2,cols=5..9 --runs 300 --seed 1 --corpus seeds", 0);
  says(err, "1 case outside --dims left out\n");
  says(err, "1 cases to start from");
  ck_assert_int_gt(check_corpus("rows", 1, 2), 10);
  ck_assert_int_gt(check_corpus("cols", 5, 9), 10);
  expect("fuzz softmax/tree_shared softmax/block_shuffle.published --dims block=100 --runs 100 --seed 1 --out b", 0);
  says(err, "softmax/block_shuffle.published left out");
  says(out, "100 executions");
}
END_TEST

START_TEST(lengths_beyond_those_drawn_unasked) {
  expect("fuzz softmax/serial_row --dims cols=4000 --runs 20 --seed 1", 0); /* beyond what is drawn unasked */
  check_corpus("cols", 4000, 4000);
}
END_TEST

/* ---- fuzz ---- */

START_TEST(a_published_race_is_found_saved_and_replayed) {
  json_error_t where;
  expect("fuzz softmax/block_shuffle.published --runs 200 --seed 1", 1);
  says(out, "race-shared");
  says(out, "caught");
  says(out, "seed 1, 200 executions, output in warpfuzz-out");
  says(out, "block_shuffle.published.cu:");
  read_file("warpfuzz-out/findings.jsonl", err);
  json_t *finding = json_loads(err, JSON_DISABLE_EOF_CHECK, &where);
  ck_assert_msg(finding != NULL, "%s", where.text);
  ck_assert_str_eq(json_string_value(json_object_get(finding, "class")), "race-shared");
  char line[512];
  snprintf(line, sizeof line, "replay %s --repeat 3", json_string_value(json_object_get(finding, "case")));
  json_decref(finding);
  expect(line, 1);
  expect("replay warpfuzz-out --expected", 0);
}
END_TEST

/* What is printed is the shrunk case, under the name of a file that holds it; the case as it was found is gone at the end. */
START_TEST(findings_are_shrunk) {
  static char text[TEXT_BYTES];
  char line[512];
  expect("fuzz softmax/block_shuffle.published --seed 1 --stop-on-first", 1); /* shrinking is done all the same */
  says(err, "warpfuzz: 1 case of findings shrunk in ");
  strcpy(text, out);
  char *path = strstr(text, "  case       ");
  ck_assert_ptr_nonnull(path);
  ck_assert_int_eq(sscanf(path, " case %*s %400s", line), 1);
  read_file(line, err);
  ck_assert_str_eq(err, shrunk_race);
  says(text + strlen("race-shared"), line);
  snprintf(err, sizeof err, "ls %s/warpfuzz-out/*.case | wc -l | grep -qx 1", dir);
  ck_assert_int_eq(system(err), 0);
  /* A finding within limits is shrunk within them, one outside a contract outside. */
  expect("fuzz softmax/block_shuffle.published --seed 1 --runs 40 --dims rows=3..9,cols=20..30 --out b", 1);
  snprintf(err, sizeof err, "cat %s/b/softmax-*.case", dir);
  FILE *f = popen(err, "r");
  ck_assert_ptr_nonnull(f);
  text[fread(text, 1, sizeof text - 1, f)] = '\0';
  ck_assert_int_eq(pclose(f), 0);
  says(text, "rows 3\ncols 20\ngrid 1 1 1\nblock 64 1 1\n");
  expect("fuzz softmax/warp_row_float4 --outside --seed 1 --runs 300 --out c", 0);
  says(err, " shrunk in ");
  expect("replay c --outside --expected", 0);
}
END_TEST

/* The numbers of lines of a file that hold the text. */
static int count_lines(const char *name, const char *text) {
  static char all[TEXT_BYTES];
  int n = 0;
  read_file(name, all);
  for (char *line = strtok(all, "\n"); line; line = strtok(NULL, "\n")) n += strstr(line, text) != NULL;
  return n;
}

START_TEST(a_campaign_is_resumed) {
  static const char line[] = "fuzz softmax/block_shuffle.published --outside --runs 300 --resume --seed ";
  char command[256];
  snprintf(command, sizeof command, "%s1", line);
  expect(command, 1); /* nothing there yet */
  ck_assert_ptr_null(strstr(err, "earlier runs"));
  says(out, "SUMMARY: warpfuzz: error: race-shared");
  int findings = count_lines("warpfuzz-out/findings.jsonl", "\"id\"");
  ck_assert_int_ge(findings, 3);
  snprintf(command, sizeof command, "%s2", line);
  expect(command, 1); /* found again: it is still there */
  snprintf(command, sizeof command, ", %d findings of earlier runs\n", findings);
  says(err, command);
  ck_assert_ptr_null(strstr(out, "SUMMARY: warpfuzz: error: race-shared"));
  says(out, "  error: race-shared in softmax/block_shuffle.published, open\n"
            "      kernels/softmax/block_shuffle.published.cu:");
  ck_assert_int_ge(count_lines("warpfuzz-out/findings.jsonl", "\"id\""), findings);
  ck_assert_int_eq(count_lines("warpfuzz-out/findings.jsonl", "race-shared\",\"op\""), count_lines("out", ": race-shared in "));
  /* What is known is nothing to stop at, another variant's findings are not of this campaign. */
  expect("fuzz softmax/block_shuffle.published --runs 50 --seed 3 --resume --stop-on-first", 1);
  says(out, ", 50 executions");
  expect("fuzz softmax/block_shuffle --runs 20 --seed 3 --resume", 0);
  ck_assert_ptr_null(strstr(out, "published"));
  expect("fuzz softmax/block_shuffle.published --runs 50 --seed 3 --stop-on-first", 1); /* without --resume all is news */
  says(out, "SUMMARY: warpfuzz: error: race-shared");
}
END_TEST

START_TEST(a_torn_line_does_not_stop_a_resumed_campaign) {
  expect("fuzz softmax/warp_row_float4.published --runs 100 --seed 1", 1);
  read_file("warpfuzz-out/findings.jsonl", err);
  static char torn[TEXT_BYTES];
  snprintf(torn, sizeof torn, "\n{}\nnonsense\n%.8000s%.40s", err, err);
  write_file("warpfuzz-out/findings.jsonl", torn);
  expect("fuzz softmax/warp_row_float4.published --runs 100 --seed 2 --resume", 1);
  says(err, ", 1 finding of earlier runs\n");
  says(out, "  error: unwritten-output in softmax/warp_row_float4.published, open\n");
}
END_TEST

START_TEST(the_seed_decides_what_is_printed) {
  static char first[TEXT_BYTES];
  expect("fuzz softmax --published --runs 150 --seed 9 --out a", 1);
  strcpy(first, out);
  char command[160];
  snprintf(command, sizeof command, "rm -r %s/a", dir);
  ck_assert_int_eq(system(command), 0);
  expect("fuzz softmax --published --runs 150 --seed 9 --out a", 1);
  ck_assert_msg(strcmp(first, out) == 0, "first:\n%.2000s\nthen:\n%.2000s", first, out);
}
END_TEST

START_TEST(clean_variants_are_clean) {
  expect("fuzz softmax --runs 300 --seed 4 --strict", 0);
  says(out, "softmax/tree_shared");
  says(out, "by situation");
  says(out, "     -   "); /* rows over grid, where the grid is not free */
  ck_assert_ptr_null(strstr(out, "FINDING"));
  expect("fuzz softmax --runs 20 --seed 4 --expected", 0); /* starts from the corpus of the first */
  ck_assert_ptr_null(strstr(err, " 0 cases to start from"));
}
END_TEST

START_TEST(expected_means_caught) {
  expect("fuzz softmax/block_shuffle softmax/block_shuffle.published --runs 400 --seed 2 --expected", 0);
  expect("fuzz softmax/*.published --runs 1 --seed 2 --expected --out b", 1); /* most had no turn */
  says(out, "not run");
}
END_TEST

START_TEST(two_jobs_with_a_time_limit) {
  expect("fuzz softmax --time 1s --jobs 2 --seed 3", 0);
  says(err, "executions/s");
}
END_TEST

START_TEST(an_interrupt_ends_gracefully) {
  pid_t pid = start("fuzz softmax --time 5m --seed 3");
  for (int i = 0; i < 100 && !strstr(err, "seed 3"); i++) {
    usleep(100000);
    read_file("err", err);
  }
  usleep(300000);
  ck_assert_int_eq(kill(pid, SIGINT), 0);
  int status = finish(pid);
  ck_assert_msg(status == 0, "%s", err);
  says(err, "interrupted");
  says(out, "verdict");
}
END_TEST

/* ---- huge cases ---- */

static const char huge_case[] = "warpfuzz case 1\nop softmax\nvariant warp_row\nrows 33554434\ncols 128\nblock 64\nx normal seed=3\n"
                                "x[33554433, 127] = 5\n";

/* Nothing of it takes the memory that its tensors would. */
START_TEST(a_huge_case) {
  struct rusage u;
  write_file("a.case", huge_case);
  expect("show a.case", 0);
  says(out, "softmax/warp_row: grid 16777217 1 1  block 64 1 1  shared 0  (named)\n  too large to run as a whole: 16 rows, of blocks 0 ");
  says(out, "softmax/multi_block: not admitted: too large to run as a whole, 4294967552 elements, and the contract does not say");
  says(out, "\nx[33554434,128]\n  [0] ");
  says(out, "\n  [33554433] ");
  says(out, " 5\n");
  expect("replay a.case", 0);
  says(out, "clean");
  expect("replay a.case --variant softmax/multi_block", 77);
  says(err, "does not admit it: too large to run as a whole, 4294967552 elements, and the contract does not say what a block owns\n");
  expect("shrink a.case --variant softmax/multi_block", 77); /* --outside would not run it either */
  says(err, "does not admit it: too large to run as a whole, 4294967552 elements, and the contract does not say what a block owns\n");
  ck_assert_int_eq(getrusage(RUSAGE_CHILDREN, &u), 0);
  ck_assert_int_lt(u.ru_maxrss, 1 << 20); /* KB */
}
END_TEST

#ifndef __SANITIZE_ADDRESS__ /* which needs more addresses than that by itself */
START_TEST(too_few_addresses) {
  const struct rlimit few = {(rlim_t)4 << 30, (rlim_t)4 << 30};
  write_file("a.case", huge_case);
  ck_assert_int_eq(setrlimit(RLIMIT_AS, &few), 0);
  expect("replay a.case", 99);
  says(err, "no room for the engine's 16 TiB of addresses: see ulimit -v");
  expect("fuzz softmax/warp_row --runs 5", 99);
  says(err, "no room for the engine's 16 TiB of addresses: see ulimit -v");
}
END_TEST
#endif

int main(void) {
  Suite *s = suite_create("cli");
  TCase *t = new_tcase(s, "usage, list and show");
  tcase_add_loop_test(t, wrong_usage, 0, (int)(sizeof usage / sizeof *usage));
  tcase_add_test(t, help_goes_to_stdout);
  tcase_add_test(t, list_prints_contracts);
  tcase_add_test(t, list_as_json);
  tcase_add_test(t, show_explains_a_case);
  t = new_tcase(s, "replay");
  tcase_add_test(t, a_clean_case);
  tcase_add_test(t, a_huge_case);
#ifndef __SANITIZE_ADDRESS__
  tcase_add_test(t, too_few_addresses);
#endif
  tcase_add_test(t, a_case_with_a_finding);
  tcase_add_test(t, expectations_that_fail);
  tcase_add_test(t, unreadable_cases_do_not_hide_others);
  tcase_add_test(t, a_user_s_tolerance);
  tcase_add_test(t, host_code_that_divides_by_zero);
  t = new_tcase(s, "outside");
  tcase_add_test(t, a_case_outside_the_contract);
  tcase_add_test(t, an_expected_finding_outside);
  tcase_add_test(t, fuzzing_outside_does_not_count);
  tcase_add_test(t, faults_inside_count_with_outside_too);
  t = new_tcase(s, "dims");
  tcase_add_test(t, dims_narrow_a_campaign);
  tcase_add_test(t, lengths_beyond_those_drawn_unasked);
  t = new_tcase(s, "fuzz");
  tcase_add_test(t, a_published_race_is_found_saved_and_replayed);
  tcase_add_test(t, findings_are_shrunk);
  tcase_add_test(t, a_campaign_is_resumed);
  tcase_add_test(t, a_torn_line_does_not_stop_a_resumed_campaign);
  tcase_add_test(t, the_seed_decides_what_is_printed);
  tcase_add_test(t, clean_variants_are_clean);
  tcase_add_test(t, expected_means_caught);
  tcase_add_test(t, two_jobs_with_a_time_limit);
  tcase_add_test(t, an_interrupt_ends_gracefully);
  return suite_run(s);
}
