/* test_options.c - the command line as a struct, patterns of variants, case files below a directory. */
#include "../fuzz/case_files.h"
#include "../fuzz/cli.h"
#include "../fuzz/report_table.h"
#include "../fuzz/select.h"
#include "suite.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a table of ops, in place of fuzz/ops.c ---- */

#define FAULTY .expect = 1u << SIMT_RACE_SHARED, .fault = "a barrier is missing"
static const WfVariant softmax_variants[] = {
    {.name = "naive"}, {.name = "tree"}, {.name = "tree.published", FAULTY}, {.name = "tree.published-2", FAULTY}};
static const WfVariant add_variants[] = {{.name = "scalar"}, {.name = "tree"}};
static const WfOp softmax = {.name = "softmax", .variants = softmax_variants, .n_variants = 4};
static const WfOp add = {.name = "add", .variants = add_variants, .n_variants = 2};
const WfOp *const wf_ops[] = {&softmax, &add, NULL};

/* ---- options ---- */

enum { MAX_ARGS = 32 };

static char words[512];
static char *args[MAX_ARGS];

/* Parses "fuzz --time 5s"; words are separated by one blank. */
static int parse(const char *line, WfOptions *o, char *err, size_t err_size) {
  int n = 0;
  snprintf(words, sizeof words, "warpfuzz %s", line);
  for (char *word = strtok(words, " "); word && n < MAX_ARGS; word = strtok(NULL, " ")) args[n++] = word;
  return wf_options_parse(o, n, args, err, err_size);
}

static void parse_well(const char *line, WfOptions *o) {
  char err[256] = "";
  ck_assert_msg(parse(line, o, err, sizeof err) == 0, "'%s': %s", line, err);
}

START_TEST(defaults) {
  WfOptions o;
  parse_well("fuzz", &o);
  ck_assert_int_eq(o.command, WF_COMMAND_FUZZ);
  ck_assert_int_eq(o.n_operands, 0);
  ck_assert_uint_eq(o.time_ns, 0);
  ck_assert_uint_eq(o.runs, 0);
  ck_assert_uint_eq(o.jobs, 1);
  ck_assert_uint_eq(o.repeat, 1);
  ck_assert_int_eq(o.has_seed, 0);
  ck_assert_str_eq(o.out, "warpfuzz-out");
  ck_assert_ptr_null(o.corpus);
  ck_assert_int_eq(o.backend, WF_BACKEND_SIMT);
  ck_assert_ptr_null(o.dims);
  ck_assert(o.rtol == 0 && o.atol == 0 && !o.outside && !o.resume);
}
END_TEST

START_TEST(limits_and_tolerances) {
  WfOptions o;
  parse_well("fuzz --dims rows=1,cols=2..4 --rtol 1e-4 --atol=0x1p-3 --outside --resume", &o);
  ck_assert_str_eq(o.dims, "rows=1,cols=2..4");
  ck_assert(o.rtol == 1e-4 && o.atol == 0.125 && o.outside && o.resume);
  parse_well("replay a --rtol 0 --atol .5 --outside", &o);
  ck_assert(o.rtol == 0 && o.atol == 0.5 && o.outside);
}
END_TEST

START_TEST(every_kind_of_option) {
  WfOptions o;
  parse_well("fuzz softmax --time 5m --runs=200 --jobs 2 --seed 0x10 --out o --corpus=c --published add/tree --strict "
             "--stop-on-first --expected --backend both",
             &o);
  ck_assert_uint_eq(o.time_ns, UINT64_C(300000000000));
  ck_assert_uint_eq(o.runs, 200);
  ck_assert_uint_eq(o.jobs, 2);
  ck_assert_int_eq(o.has_seed, 1);
  ck_assert_uint_eq(o.seed, 16);
  ck_assert_str_eq(o.out, "o");
  ck_assert_str_eq(o.corpus, "c");
  ck_assert(o.published && o.strict && o.stop_on_first && o.expected);
  ck_assert_int_eq(o.backend, WF_BACKEND_BOTH);
  ck_assert_int_eq(o.n_operands, 2);
  ck_assert_str_eq(o.operands[0], "softmax");
  ck_assert_str_eq(o.operands[1], "add/tree");
}
END_TEST

START_TEST(operands_after_two_dashes) {
  WfOptions o;
  parse_well("replay --repeat 3 -- --odd.case -", &o);
  ck_assert_uint_eq(o.repeat, 3);
  ck_assert_int_eq(o.n_operands, 2);
  ck_assert_str_eq(o.operands[0], "--odd.case");
}
END_TEST

START_TEST(help_and_version_need_nothing_else) {
  WfOptions o;
  parse_well("--help", &o);
  ck_assert(o.help && o.command == WF_COMMAND_NONE);
  parse_well("replay -h", &o);
  ck_assert(o.help && o.command == WF_COMMAND_REPLAY);
  parse_well("--version", &o);
  ck_assert(o.version);
}
END_TEST

static const struct {
  const char *line, *says;
} bad_lines[] = {
    {"", "no command"},
    {"fizz", "unknown command 'fizz'"},
    {"fuzz --bogus", "fuzz: unknown option '--bogus'"},
    {"fuzz -x", "unknown option '-x'"},
    {"--time 5s fuzz", "unknown option '--time'"},
    {"shrink --json", "unknown option '--json'"},
    {"fuzz --time", "--time needs a value"},
    {"fuzz --strict=1", "--strict takes no value"},
    {"fuzz --time 0s", "--time takes a time"},
    {"fuzz --time 5d", "not '5d'"},
    {"fuzz --time -5", "not '-5'"},
    {"fuzz --runs 0", "above 0"},
    {"fuzz --runs 3x", "above 0"},
    {"fuzz --runs 99999999999999999999", "above 0"},
    {"fuzz --seed 0x", "--seed takes"},
    {"fuzz --jobs 257", "at most 256"},
    {"fuzz --out=", "--out takes a text"},
    {"fuzz --backend cpu", "simt, gpu or both"},
    {"fuzz --rtol -1", "--rtol takes a number from 0 on, such as 1e-4, not '-1'"},
    {"fuzz --rtol nan", "not 'nan'"},
    {"fuzz --atol inf", "not 'inf'"},
    {"fuzz --atol 1e-4x", "not '1e-4x'"},
    {"fuzz --atol 1,5", "not '1,5'"},
    {"fuzz --atol 1e400", "not '1e400'"},
    {"fuzz --rtol", "--rtol needs a value"},
    {"fuzz --dims=", "--dims takes a text"},
    {"replay a --dims rows=1", "replay: unknown option '--dims'"},
    {"replay a --resume", "replay: unknown option '--resume'"},
    {"replay", "too few operands"},
    {"show a b", "too many operands"},
};

START_TEST(bad_line) {
  WfOptions o;
  char err[256] = "";
  ck_assert_int_eq(parse(bad_lines[_i].line, &o, err, sizeof err), -1);
  ck_assert_msg(strstr(err, bad_lines[_i].says), "'%s' says: %s", bad_lines[_i].line, err);
}
END_TEST

START_TEST(times) {
  uint64_t ns;
  ck_assert(wf_time_parse("90", &ns) == 0 && ns == UINT64_C(90000000000));
  ck_assert(wf_time_parse("8h", &ns) == 0 && ns == UINT64_C(28800000000000));
  ck_assert_int_eq(wf_time_parse("99999999999h", &ns), -1);
  ck_assert_int_eq(wf_time_parse("s", &ns), -1);
  ck_assert_int_eq(wf_time_parse("5 s", &ns), -1);
}
END_TEST

START_TEST(worse_of_two_statuses) {
  ck_assert_int_eq(wf_exit_worse(0, 0), 0);
  ck_assert_int_eq(wf_exit_worse(1, 0), 1);
  ck_assert_int_eq(wf_exit_worse(1, 2), 2);
  ck_assert_int_eq(wf_exit_worse(99, 2), 99);
  ck_assert_int_eq(wf_exit_worse(1, 77), 1);
}
END_TEST

/* ---- patterns ---- */

static const struct {
  const char *patterns[3];
  int published;
  const char *names; /* of what is selected, each with a blank behind */
} selections[] = {
    {{NULL}, 0, "softmax/naive softmax/tree add/scalar add/tree "},
    {{"softmax"}, 0, "softmax/naive softmax/tree "},
    {{"softmax"}, 1, "softmax/naive softmax/tree softmax/tree.published softmax/tree.published-2 "},
    {{"softmax/tree"}, 0, "softmax/tree "},
    {{"softmax/tree.published"}, 0, "softmax/tree.published "},
    {{"softmax/tree*"}, 0, "softmax/tree softmax/tree.published softmax/tree.published-2 "},
    {{"*/tree"}, 0, "softmax/tree add/tree "},
    {{"*/*-2"}, 0, "softmax/tree.published-2 "},
    {{"a*"}, 0, "add/scalar add/tree "},
    {{"add/tree", "softmax/naive"}, 0, "softmax/naive add/tree "}, /* the tables' order */
    {{"add", "add/tree"}, 0, "add/scalar add/tree "},              /* nothing twice */
};

START_TEST(selection) {
  WfTarget *targets;
  size_t n;
  char err[256] = "", names[512] = "";
  int n_patterns = 0;
  while (selections[_i].patterns[n_patterns]) n_patterns++;
  int rc = wf_select(selections[_i].patterns, n_patterns, selections[_i].published, &targets, &n, err, sizeof err);
  ck_assert_msg(rc == 0, "%s", err);
  for (size_t i = 0; i < n; i++) {
    char name[WF_NAME_MAX];
    wf_target_name(&targets[i], name);
    strcat(strcat(names, name), " ");
  }
  ck_assert_str_eq(names, selections[_i].names);
  free(targets);
}
END_TEST

static const struct {
  const char *pattern, *says;
} unknown[] = {
    {"softmx", "no variant matches 'softmx'; near: softmax"},
    {"softmax/tre", "near: softmax/tree"},
    {"add/tree.published", "no variant matches"},
    {"zzzzzzzz", "warpfuzz list prints all"},
    {"", "no variant matches ''"},
};

START_TEST(unknown_names) {
  WfTarget *targets;
  size_t n;
  char err[256] = "";
  ck_assert_int_eq(wf_select(&unknown[_i].pattern, 1, 0, &targets, &n, err, sizeof err), -2);
  ck_assert_msg(strstr(err, unknown[_i].says), "%s", err);
  ck_assert_ptr_null(targets);
}
END_TEST

/* ---- tables ---- */

static const char *printed(const char *const *cells, size_t n_rows, size_t n_columns, size_t n_left) {
  static char text[4096];
  memset(text, 0, sizeof text);
  FILE *f = fmemopen(text, sizeof text - 1, "w");
  ck_assert_ptr_nonnull(f);
  wf_table_print(f, cells, n_rows, n_columns, n_left);
  fclose(f);
  return text;
}

static const char long_name[] = "softmax/block_shuffle_zero_identity_of_a_name_that_goes_on_and_on.published-2.fastmath";

START_TEST(tables_that_fit) {
  static const char *const cells[] = {"name", "n", "classes", "a", "10", "-", "bcdef", "7", "x, y"};
  ck_assert_str_eq(printed(cells, 3, 3, 3), "name   n   classes\na      10  -\nbcdef  7   x, y\n");
  ck_assert_str_eq(printed(cells, 3, 3, 1), "name    n  classes\na      10        -\nbcdef   7     x, y\n");
}
END_TEST

START_TEST(wide_tables_are_stacked) {
  const char *cells[] = {"variant", "verdict", "classes", long_name, "caught", "race-shared x 3", "b", "clean", "-"};
  char wanted[512];
  snprintf(wanted, sizeof wanted, "variant\n    verdict  classes\n%s\n    caught   race-shared x 3\nb\n    clean    -\n", long_name);
  ck_assert_str_eq(printed(cells, 3, 3, 3), wanted);
}
END_TEST

START_TEST(long_lists_go_on_below) {
  char all[1024] = "", wanted[2048];
  for (int i = 0; i < 12; i++) sprintf(all + strlen(all), "%sunwritten-output x 10%d", i ? ", " : "", i);
  const char *cells[] = {"v", "verdict", "classes", "a", "caught", all};
  const char *text = printed(cells, 2, 3, 3);
  snprintf(wanted, sizeof wanted, "%s", text);
  int lines = 0;
  for (char *line = strtok(wanted, "\n"); line; line = strtok(NULL, "\n"), lines++) ck_assert_uint_le(strlen(line), WF_TABLE_WIDTH);
  ck_assert_int_ge(lines, 6);
  for (int i = 0; i < 12; i++) {
    char one[40];
    snprintf(one, sizeof one, "unwritten-output x 10%d", i);
    ck_assert_ptr_nonnull(strstr(text, one));
  }
}
END_TEST

/* ---- case files ---- */

static void touch(const char *dir, const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  fclose(f);
}

START_TEST(case_files_of_a_directory) {
  char dir[] = "/tmp/warpfuzz-test-XXXXXX", sub[512], err[256], command[600];
  WfCaseFiles files = {0};
  ck_assert_ptr_nonnull(mkdtemp(dir));
  snprintf(sub, sizeof sub, "%s/b/deep", dir);
  ck_assert_int_eq(wf_dir_make(sub, err, sizeof err), 0);
  ck_assert_int_eq(wf_dir_make(sub, err, sizeof err), 0);
  touch(dir, "c.case");
  touch(dir, "a.case");
  touch(dir, "README");
  touch(sub, "x.case");
  ck_assert_int_eq(wf_case_files_add(&files, dir, err, sizeof err), 0);
  ck_assert_uint_eq(files.n, 3);
  ck_assert_str_eq(files.path[0] + strlen(dir), "/a.case");
  ck_assert_str_eq(files.path[1] + strlen(dir), "/b/deep/x.case");
  ck_assert_str_eq(files.path[2] + strlen(dir), "/c.case");
  ck_assert_int_eq(wf_case_files_add(&files, "no/such.file", err, sizeof err), 0); /* whoever loads it says so */
  ck_assert_uint_eq(files.n, 4);
  wf_case_files_free(&files);
  snprintf(sub, sizeof sub, "%s/a.case/below", dir);
  ck_assert_int_eq(wf_dir_make(sub, err, sizeof err), -1);
  snprintf(command, sizeof command, "rm -r %s", dir);
  ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(names_of_findings) {
  const WfTarget t = {&softmax, &softmax_variants[2]};
  char name[WF_FILE_NAME_MAX];
  wf_finding_file_name(&t, SIMT_RACE_SHARED, 0xab, name);
  ck_assert_str_eq(name, "softmax-tree.published-race-shared-00000000000000ab.case");
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

int main(void) {
  Suite *s = suite_create("options");
  TCase *t = tcase_create("options");
  tcase_add_test(t, defaults);
  tcase_add_test(t, limits_and_tolerances);
  tcase_add_test(t, every_kind_of_option);
  tcase_add_test(t, operands_after_two_dashes);
  tcase_add_test(t, help_and_version_need_nothing_else);
  tcase_add_loop_test(t, bad_line, 0, COUNT(bad_lines));
  tcase_add_test(t, times);
  tcase_add_test(t, worse_of_two_statuses);
  tcase_add_loop_test(t, selection, 0, COUNT(selections));
  tcase_add_loop_test(t, unknown_names, 0, COUNT(unknown));
  tcase_add_test(t, tables_that_fit);
  tcase_add_test(t, wide_tables_are_stacked);
  tcase_add_test(t, long_lists_go_on_below);
  tcase_add_test(t, case_files_of_a_directory);
  tcase_add_test(t, names_of_findings);
  suite_add_tcase(s, t);
  return suite_run(s);
}
