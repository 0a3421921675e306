/* test_op_spec.c - ops of a user's own: what is read, what is refused, and with which words; literals of C. */
#include "../fuzz/op_spec.h"
#include "suite.h"
#include "work_dir.h"

static char dir[WORK_DIR_MAX], path[WORK_PATH_MAX], err[512];

static void setup(void) {
  work_dir_make(dir);
  snprintf(path, sizeof path, "%s/x.op", dir);
}

static void teardown(void) { work_dir_remove(dir); }

static int load(WfOpSpec *s, const char *text) {
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  ck_assert_int_ge(fputs(text, f), 0);
  ck_assert_int_eq(fclose(f), 0);
  return wf_op_spec_load(s, path, err, sizeof err);
}

#define HEAD "warpfuzz op 1\nname f\ndim n 1..9\ndim k 2..5\n"
#define TAIL "reference f.c f\nbound rtol=1e-5\n"

START_TEST(test_all) {
  WfOpSpec s;
  char c_file[WORK_PATH_MAX];
  ck_assert_msg(load(&s, "# an op\n  warpfuzz op 1 # its version\r\nname conv\n\ndim n 1..100\ndim k 3..7\nin x[n]\nin w [ k , 1 ]\n"
                         "out y[n-k+1, n*k] zero\nscalar a 0.1 2\nflag b\nrequires k <= n && n % 2 == 0\nvalues 1e3\n"
                         "reference sub/f.c f_ref\nbound f_bound\n") == 0, "%s", err);
  snprintf(c_file, sizeof c_file, "%s/sub/f.c", dir);
  ck_assert_str_eq(s.op.name, "conv");
  ck_assert_int_eq(s.op.n_dims, 2);
  ck_assert_int_eq(s.op.dims[1].min, 3);
  ck_assert_int_eq(s.op.dims[1].fuzz_max, 7);
  ck_assert_int_eq(s.op.n_tensors, 3);
  ck_assert_str_eq(s.op.tensors[1].name, "w");
  ck_assert_int_eq(s.op.tensors[1].dim[1], WF_ONE);
  ck_assert_int_eq(s.op.tensors[2].role, WF_OUT);
  ck_assert_int_eq(s.op.tensors[2].dim[0], WF_VALID(0, 1));
  ck_assert_int_eq(s.op.tensors[2].dim[1], WF_TIMES(0, 1));
  ck_assert_int_eq(s.op.tensors[2].start, WF_START_ZERO);
  ck_assert(s.op.scalars[0].usual[0] == (double)0.1f);
  ck_assert_int_eq(s.op.scalars[0].n_usual, 2);
  ck_assert_int_eq(s.op.scalars[1].kind, WF_FLAG);
  ck_assert_str_eq(s.op.requires, "k <= n && n % 2 == 0");
  ck_assert(s.values == 1e3);
  ck_assert_str_eq(s.c_file, c_file);
  ck_assert_str_eq(s.function, "f_ref");
  ck_assert_str_eq(s.bound, "f_bound");
  wf_op_spec_free(&s);
}
END_TEST

START_TEST(test_tolerances) {
  WfOpSpec s;
  ck_assert_msg(load(&s, HEAD "in x[n]\nout y[n] -inf\nreference /a/f.c f\nbound atol=0.5\n") == 0, "%s", err);
  ck_assert(s.rtol == 0 && s.atol == 0.5);
  ck_assert_ptr_null(s.bound);
  ck_assert_str_eq(s.c_file, "/a/f.c");
  ck_assert_int_eq(s.op.tensors[1].start, WF_START_MINUS_INF);
  wf_op_spec_free(&s);
}
END_TEST

static const struct {
  const char *text, *message;
} refused[] = {
    {"name f\n", "x.op:1: the first line is 'warpfuzz op 1'"},
    {HEAD "colour red\n", "x.op:5: unknown line 'colour'"},
    {HEAD "name g\n", "a second name"},
    {HEAD "dim n 1..2\n", "the name 'n' is taken"},
    {HEAD "dim block 1..2\n", "the name 'block' is taken"},
    {HEAD "dim 3 1..2\n", "a name is missing"},
    {HEAD "dim m 1..8 multiple of 2\n", "a dim has a range"},
    {HEAD "dim m 1,2\n", "a dim has a range"},
    {HEAD "dim a 1..2\ndim b2 1..2\n", "x.op:6: an op has at most 3 dims"},
    {HEAD "in x\n", "a tensor is NAME[EXTENT]"},
    {HEAD "in x[m]\n", "no dim 'm'"},
    {HEAD "in x[n-k]\n", "an extent with - is a-b+1"},
    {HEAD "in x[n] zero\n", "'zero' behind the tensor"},
    {HEAD "out x[n] one\n", "'one' behind the tensor"},
    {HEAD "scalar s\n", "a scalar needs a value"},
    {HEAD "scalar s inf\n", "'inf' is no finite number"},
    {HEAD "flag s 1\n", "a flag has no values"},
    {HEAD "values -1\n", "values takes one number above 0"},
    {HEAD "reference f.c\n", "reference takes a C file and the name"},
    {HEAD "bound\n", "bound takes"},
    {HEAD "bound rtol=-1\n", "a bound is not below 0"},
    {HEAD "bound rtol=1 f\n", "bound takes"},
    {HEAD "in x[n]\n" TAIL, "an op has one out and at least one in"},
    {HEAD "in x[n]\nout y[n]\nout z[n]\n" TAIL, "an op has one out and at least one in"},
    {HEAD "in x[n]\nout y[n]\nbound f\n", "reference is missing"},
    {HEAD "in x[n]\nout y[n]\nreference f.c f\n", "bound is missing"},
    {HEAD "in x[n]\nout y[n]\nrequires q == 1\n" TAIL, "requires: "},
    {"", "name is missing"},
};

START_TEST(test_refused) {
  WfOpSpec s;
  ck_assert_int_eq(load(&s, refused[_i].text), -1);
  ck_assert_msg(strstr(err, refused[_i].message) != NULL, "'%s', not '%s'", err, refused[_i].message);
  ck_assert_ptr_null(strchr(err, '\n'));
  wf_op_spec_free(&s);
}
END_TEST

START_TEST(test_no_file) {
  WfOpSpec s;
  ck_assert_int_eq(wf_op_spec_load(&s, "/nowhere.op", err, sizeof err), -1);
  ck_assert_str_eq(err, "/nowhere.op: No such file or directory");
  wf_op_spec_free(&s);
}
END_TEST

START_TEST(test_literals) {
  WfText t = {0};
  wf_text_add_c(&t, "a\"b\\c\n?\x80 1");
  char *text = wf_text_take(&t);
  ck_assert_str_eq(text, "\"a\\042b\\134c\\012\\077\\200 1\"");
  free(text);
}
END_TEST

int main(void) {
  Suite *s = suite_create("op_spec");
  TCase *tc = tcase_create("specs");
  tcase_add_checked_fixture(tc, setup, teardown);
  tcase_add_test(tc, test_all);
  tcase_add_test(tc, test_tolerances);
  tcase_add_loop_test(tc, test_refused, 0, sizeof refused / sizeof *refused);
  tcase_add_test(tc, test_no_file);
  tcase_add_test(tc, test_literals);
  suite_add_tcase(s, tc);
  return suite_run(s);
}
