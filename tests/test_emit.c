/* test_emit.c - warpfuzz emit: its command line, what its comment may hold, and the values of its programs, bit for bit. tests/emit runs the
 * programs. */
#define _DEFAULT_SOURCE
#include "../fuzz/emit_impl.h"
#include "program.h"
#include "suite.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The file of kernels, found from any directory. */
static const char *sources(void) {
  const char *s = getenv("WF_SRCDIR");
  return s ? s : ".";
}

static void emit(const char *rest, int status) {
  char line[1024];
  ck_assert_int_lt(snprintf(line, sizeof line, "emit --sources %s %s", sources(), rest), (int)sizeof line);
  expect(line, status);
}

START_TEST(which_variant) {
  write_file("a.case", good_case);
  emit("a.case", 2);
  says(err, "warpfuzz: emit: the case names no variant: --variant OP/VARIANT says which\n");
  ck_assert_str_eq(out, "");
  emit("a.case --variant softmax/none", 2);
  says(err, "no variant matches");
  emit("a.case --variant softmax/naive*", 2);
  says(err, "must name one variant");
  emit("a.case --variant add/scalar", 2);
  says(err, "another op than the case");
  emit("a.case --variant softmax/tree_shared", 0);
  says(out, "// softmax/tree_shared, a CUDA kernel, and a program that runs and judges it.\n");
  says(out, "finds nothing wrong with it.\n");
  says(out, "// Compile: nvcc -o repro repro.cu\n");
  emit("a.case --variant softmax/tree_shared.fastmath", 0);
  says(out, "// Compile: nvcc -use_fast_math -o repro repro.cu\n");
  says(out, "// ---- the kernel: kernels/softmax/tree_shared.cu ----\n");
  write_file("a.case", faulty_case);
  emit("a.case", 0);
  says(out, "\n// Found on warpfuzz's engine, which runs kernels on the CPU:\n//   error unwritten-output: no thread wrote y[0,4]\n");
  says(out, "// The case is known for: unwritten-output\n");
  emit("a.case --variant softmax/tree_shared", 0); /* not that of the case */
  says(out, "finds nothing wrong with it.\n// Problem: ");
}
END_TEST

START_TEST(outside_of_a_contract) {
  write_file("a.case", outside_case);
  emit("a.case", 2);
  says(err, "a.case: softmax/warp_row_float4 does not admit it: ");
  says(err, " (--outside emits it all the same)\n");
  ck_assert_str_eq(out, "");
  emit("a.case --outside", 0);
  says(out, "\n// Outside of the kernel's contract: ");
  says(out, " --outside\n// The case:\n");
}
END_TEST

START_TEST(where_it_goes) {
  static char first[TEXT_BYTES], text[TEXT_BYTES];
  write_file("a.case", faulty_case);
  emit("a.case", 0);
  strcpy(first, out);
  emit("a.case -o repro.cu", 0);
  ck_assert_str_eq(out, "");
  ck_assert_str_eq(err, "");
  read_file("repro.cu", text);
  ck_assert_str_eq(text, first);
  emit("a.case -o none/repro.cu", 2);
  says(err, "warpfuzz: none/repro.cu: No such file or directory\n");
  emit("a.case -o /", 2);
  says(err, "warpfuzz: /: Is a directory\n");
  emit("a.case -o /dev/full", 99);
  emit("b.case", 2);
  says(err, "b.case");
  write_file("b.case", "warpfuzz case 2\n");
  emit("b.case", 2);
  says(err, "b.case:1: ");
}
END_TEST

START_TEST(sources_that_are_not_there) {
  write_file("a.case", faulty_case);
  expect("emit a.case -o repro.cu", 2);
  says(err, "warpfuzz: kernels/softmax/warp_row_float4.published.cu: cannot read the kernel's source: No such file or directory "
            "(--sources says where kernels/ lies)\n");
  expect("show repro.cu", 2); /* nothing was written */
  expect("emit a.case --sources none", 2);
  says(err, "warpfuzz: none/kernels/softmax/warp_row_float4.published.cu: cannot read the kernel's source: No such file or directory\n");
}
END_TEST

/* All up to the first empty line is comment, and no line of it goes on in the next. */
static void check_comment(const char *text) {
  for (const char *at = text; *at != '\n'; at = strchr(at, '\n') + 1) {
    ck_assert_msg(strncmp(at, "//", 2) == 0, "%.80s", at);
    const char *end = strchr(at, '\n');
    ck_assert_ptr_nonnull(end);
    ck_assert_int_ne(end[-1], '\\');
    for (const char *c = at; c < end; c++)
      ck_assert_int_ge((unsigned char)*c, ' ');
  }
}

START_TEST(names_of_any_text) {
  static const char *const names[] = {"a\n#error\n.case", "*/a\\\n.case", "a?\?/\n.case", "\\", "a\r#error", "a\\\\", "'\x1b[31m\xff", "a\f\v\\"};
  static const char *const folders[] = {"*", "a?\?"};
  char path[256];
  for (int i = 0; i < 2; i++) {
    path_in_dir(folders[i], path);
    ck_assert_int_eq(mkdir(path, 0700), 0);
  }
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    write_file(names[i], faulty_case);
    emit(names[i], 0);
    check_comment(out);
    says(out, "// The case:\n//   warpfuzz case 1\n");
  }
}
END_TEST

/* ---- files in the places where they are included ---- */

START_TEST(included_files) {
  static const struct {
    const char *name, *text;
  } files[] = {{"a.cu", "#include <math.h>\n# include \"b.cuh\" // the rest\n/* not\n#include \"b.cuh\"\n*/ int a; // \"\n#include \"none.h\"\n"},
               {"b.cuh", "int b; char q = '\"'; /*\n*/\n#include \"c.cuh\""},
               {"c.cuh", "int c;"},
               {"loop.cu", "#include \"loop.cu\"\n"}};
  char message[512];
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    write_file(files[i].name, files[i].text);
  WfText t = {0};
  ck_assert_int_eq(wf_emit_source(&t, dir, "a.cu", message, sizeof message), 0);
  char *text = wf_text_take(&t);
  ck_assert_str_eq(text, "#include <math.h>\nint b; char q = '\"'; /*\n*/\nint c;\n/* not\n#include \"b.cuh\"\n*/ int a; // \"\n#include \"none.h\"\n");
  free(text);
  ck_assert_int_eq(wf_emit_source(&t, dir, "loop.cu", message, sizeof message), WF_EMIT_NO_SOURCE);
  says(message, "files include each other");
  free(wf_text_take(&t));
}
END_TEST

/* ---- values ---- */

#define EDITS "x[1,*] = -inf\nx[*,3] = nan\nx[2..*:3,5..9] = -0\nx[4..8:2,*:7] = 88.8\nx[0,6..*] = 1e-40\nx[3,4..*:5] = -3\n"

#define SMALL(type, x) "op softmax\ndtype " type "\nrows 30\ncols 50\nblock 32\nx " x "\n"

static const char *const value_cases[] = {
    "op softmax\nrows 30\ncols 50\nblock 32\nx normal seed=0xfeedface12345678 scale=0.3 offset=-7\n" EDITS,
    "op softmax\nrows 30\ncols 50\nblock 32\nx uniform seed=1 scale=-1e38 offset=3e38\n",
    "op softmax\nrows 30\ncols 50\nblock 32\nx huge seed=2 scale=3e35 offset=1\n" EDITS,
    "op softmax\nrows 30\ncols 50\nblock 32\nx integers seed=3 scale=1000.5 offset=0.1\n",
    "op softmax\nrows 30\ncols 50\nblock 32\nx ramp scale=0.7 offset=-1\n" EDITS,
    "op softmax\nrows 30\ncols 50\nblock 32\nx hash seed=0x123456789abcdef scale=3 offset=1\n",
    "op softmax\nrows 30\ncols 50\nblock 32\nx denormal seed=4\n" EDITS,
    "op softmax\nrows 30\ncols 50\nblock 32\nx mixed seed=5 scale=200\n",
    "op softmax\nrows 30\ncols 50\nblock 32\nx mean seed=6 scale=3\n",
    "op softmax\nrows 30\ncols 50\nblock 32\nx constant offset=-0\n",
    "op softmax\nrows 30\ncols 50\nblock 32\nx distinct seed=0xfeedface12345678 scale=700\n" EDITS,
    "op softmax\nrows 30\ncols 50\nblock 32\nx distinct seed=8 scale=0\n",
    "op softmax\nrows 30\ncols 50\nblock 32\nx constant offset=2\nx[*,3] = 4\n",
    "op softmax\nrows 30\ncols 50\nblock 32\nx constant offset=2\nx[3,*] = 4\n",
    "op softmax\nrows 30\ncols 50\nblock 32\nx constant offset=2\nx[*,*] = 4\n",
    "op softmax\nrows 5\ncols 13\nblock 32\nx huge seed=9 scale=1\n" EDITS, /* numbers */
    "op softmax\nrows 7\ncols 9\nblock 32\nx denormal seed=10\nx[1,2] = nan\nx[1,3] = inf\n",
    "op softmax\nrows 1\ncols 256\nblock 32\nx mixed scale=126\n",
    "op softmax\nrows 1\ncols 257\nblock 32\nx mixed scale=3\n",
    "op softmax\nrows 3000\ncols 2000\nblock 32\nx normal seed=11\n" EDITS "x[2999,1990..*:3] = 5\n", /* made on the device */
    "op add\nn 1000\nblock 32\na uniform seed=12\nb constant offset=0.1\na[17] = inf\na[20..*:9] = 0.1\n",
    "op attention\nrows 3\nkeys 40\nd 20\nscalars 0.125 1\nblock 32\nq normal\nk normal seed=7\nv normal seed=7\nv[*:3,1..4] = 2\n",
    SMALL("f16", "normal seed=21 scale=0.3 offset=-7") EDITS,
    SMALL("f16", "normal seed=22 scale=1e-6"), /* of all magnitudes around its smallest */
    SMALL("f16", "huge seed=23 scale=9 offset=1") EDITS, /* and past its largest */
    SMALL("f16", "integers seed=24 scale=1e9"),
    SMALL("f16", "denormal seed=25") EDITS,
    SMALL("f16", "mixed seed=26 scale=200"),
    SMALL("f16", "mean seed=27 scale=3"),
    SMALL("f16", "distinct seed=28 scale=1e9"),
    SMALL("f16", "constant offset=-1e30"),
    SMALL("bf16", "uniform seed=31 scale=-1e38 offset=3e38") EDITS,
    SMALL("bf16", "normal seed=32 scale=1e-40"),
    SMALL("bf16", "integers seed=33 scale=1e9"),
    SMALL("bf16", "denormal seed=34") EDITS,
    SMALL("bf16", "mixed seed=35 scale=200"),
    SMALL("bf16", "mean seed=36 scale=3"),
    SMALL("bf16", "distinct seed=37 scale=1e9") EDITS,
    SMALL("bf16", "ramp scale=0.7 offset=-1"),
    "op softmax\ndtype x=bf16,y=f32\nrows 7\ncols 9\nblock 32\nx denormal seed=38\nx[1,2] = nan\nx[1,3] = inf\nx[1,4] = 3.4e38\n",
    "op softmax\ndtype f16\nrows 3000\ncols 2000\nblock 32\nx normal seed=39\n" EDITS, /* made on the device */
    "op add\ndtype a=f16,b=bf16,c=f32\nn 1000\nblock 32\na denormal seed=40\nb denormal seed=41\n",
};

enum { N_VALUE_CASES = sizeof value_cases / sizeof *value_cases, MOST_SHOWN = 2000 };

static void parse(WfCase *c, const char *text) {
  char whole[2048], message[512];
  snprintf(whole, sizeof whole, "warpfuzz case 1\n%s", text);
  ck_assert_msg(wf_case_parse(c, whole, strlen(whole), "case", message, sizeof message) == 0, "%s", message);
}

/* Of the elements of a tensor, the k-th that is looked at; all of small ones. */
static int64_t shown(int64_t n, int64_t k) { return n <= MOST_SHOWN ? k : k < MOST_SHOWN / 2 ? k : n - MOST_SHOWN + k; }

/* The values of a program in a namespace of its own, and a loop that prints them. */
static void add_program(WfText *t, const WfCase *c, int number) {
  WfVariant v = c->op->variants[0];
  const WfEmit e = {.c = c, .v = &v};
  const WfGeometry g = {{1, 1, 1}, {1, 1, 1}, 0, 0};
  memcpy(v.dtype, c->dtype, sizeof v.dtype);
  wf_text_add(t, "#define repro repro%d\n", number);
  wf_emit_values(t, &e, &g);
  wf_text_add(t, "namespace repro {\n");
  wf_emit_floats(t, c);
  wf_text_add(t, "}\n");
  wf_text_add(t, "#undef repro\nstatic void show%d() {\n  using namespace repro%d;\n  (void)size_of;\n  (void)float_of;\n  (void)pattern_of;\n"
                 "  (void)guard_bits;\n  (void)left;\n", number, number);
  wf_text_add(t, "  for (int t = 0; t < n_tensors; t++) {\n    const int64_t n = tensors[t].rows * tensors[t].cols;\n"
                 "    for (int64_t k = 0; tensors[t].role == input && k < n && k < %d; k++) {\n"
                 "      const uint32_t bits = bits_of(t, value(t, n <= %d ? k : k < %d ? k : n - %d + k));\n"
                 "      printf(\"%%08x\\n\", bits_of(t, float_of(t, bits)) == bits ? bits : ~0u);\n    }\n  }\n}\n",
              MOST_SHOWN, MOST_SHOWN, MOST_SHOWN / 2, MOST_SHOWN);
}

static void check_tensor(const WfCase *c, int tensor, int number, char **at) {
  int64_t n = wf_case_elems(c, tensor);
  for (int64_t k = 0; k < n && k < MOST_SHOWN; k++) {
    float v = wf_case_value(c, tensor, shown(n, k));
    uint32_t want = wf_dtype_encode(c->dtype[tensor], v);
    if (c->dtype[tensor] == WF_F32)
      memcpy(&want, &v, sizeof want);
    uint32_t got = (uint32_t)strtoul(*at, at, 16);
    ck_assert_msg(got == want, "case %d, tensor %d, element %lld: %08x, not %08x", number, tensor, (long long)shown(n, k), got, want);
  }
}

START_TEST(the_values_bit_for_bit) {
  static WfCase c[N_VALUE_CASES];
  static char printed[TEXT_BYTES];
  char command[4096], *at = printed;
  const char *llvm = getenv("WF_LLVM_BIN");
  WfText t = {0};
  wf_text_add(&t, "#include <float.h>\n#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n"
                  "#define __host__\n#define __device__\n");
  for (int i = 0; i < N_VALUE_CASES; i++) {
    parse(&c[i], value_cases[i]);
    add_program(&t, &c[i], i);
  }
  wf_text_add(&t, "int main() {\n");
  for (int i = 0; i < N_VALUE_CASES; i++)
    wf_text_add(&t, "  show%d();\n", i);
  wf_text_add(&t, "}\n");
  char *text = wf_text_take(&t);
  ck_assert_ptr_nonnull(text);
  write_file("values.cc", text);
  free(text);
  snprintf(command, sizeof command, "cd %s && %s%sclang -x c++ -std=c++17 -Wall -Wextra -Werror -Wno-unused-const-variable -O1 -o values values.cc -lm && ./values >printed", dir,
           llvm ? llvm : "", llvm && *llvm ? "/" : "");
  ck_assert_int_eq(system(command), 0);
  read_file("printed", printed);
  for (int i = 0; i < N_VALUE_CASES; i++)
    for (int k = 0; k < c[i].op->n_tensors; k++)
      if (c[i].op->tensors[k].role == WF_IN)
        check_tensor(&c[i], k, i, &at);
  ck_assert_str_eq(at, "\n");
}
END_TEST

/* What a program compares with, low and high, is what the engine takes, for each number there is. */
START_TEST(results_of_16_bits) {
  static const double refs[] = {0, -0.0, 1, -2.5, 1.00048828125, 0x1p-26, -3e-41, 65503, 65519.9, 65520, -1e6, 3.39e38, 1e300, INFINITY, -INFINITY, NAN};
  static const double bounds[] = {0, 1e-9, 1e-3, 1, 1e5, 1e39};
  for (int type = WF_F16; type <= WF_BF16; type++)
    for (size_t k = 0; k < sizeof refs / sizeof *refs * (sizeof bounds / sizeof *bounds); k++) {
      const double ref = refs[k / (sizeof bounds / sizeof *bounds)], bound = isfinite(ref) ? bounds[k % (sizeof bounds / sizeof *bounds)] : 0;
      double low, high;
      float y;
      const WfJudge j = {.y = &y, .ref = &ref, .bound = &bound, .n_elems = 1, .dtype = (WfDtype)type};
      wf_judge_range(&j, 0, &low, &high);
      for (uint32_t bits = 0; bits < 0x10000; bits++) {
        y = wf_dtype_decode((WfDtype)type, (uint16_t)bits);
        int is_right = isnan(ref) ? isnan(y) : (double)y >= low && (double)y <= high;
        ck_assert_msg(is_right == wf_judge_is_right(&j, 0), "%s %g, reference %g, bound %g", wf_dtype_name((WfDtype)type), (double)y, ref, bound);
      }
    }
}
END_TEST

START_TEST(numbers_as_cxx_has_them) {
  static const float numbers[] = {0, -0.0f, 1, -3, 0.1f, 1e-45f, 3.4028235e38f, 1e30f, 16777217.0f, -1e-38f};
  char buf[WF_NUMBER_SIZE], *end;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    const char *text = wf_emit_float(buf, numbers[i]);
    float back = strtof(text, &end);
    ck_assert_msg(memcmp(&back, &numbers[i], sizeof back) == 0 && strcmp(end, "f") == 0, "%s", text);
    ck_assert_ptr_nonnull(strpbrk(text, ".p")); /* no integer */
  }
  ck_assert_str_eq(wf_emit_float(buf, -INFINITY), "-INFINITY");
  ck_assert_str_eq(wf_emit_double(buf, NAN), "NAN");
  ck_assert_str_eq(wf_emit_double(buf, -0.0), "-0.0");
}
END_TEST

int main(void) {
  Suite *s = suite_create("emit");
  TCase *t = new_tcase(s, "emit");
  tcase_add_test(t, which_variant);
  tcase_add_test(t, outside_of_a_contract);
  tcase_add_test(t, where_it_goes);
  tcase_add_test(t, sources_that_are_not_there);
  tcase_add_test(t, names_of_any_text);
  tcase_add_test(t, included_files);
  tcase_add_test(t, the_values_bit_for_bit);
  tcase_add_test(t, results_of_16_bits);
  tcase_add_test(t, numbers_as_cxx_has_them);
  return suite_run(s);
}
