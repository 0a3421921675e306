/* test_case.c - the text of cases: what doc/CASE.md says is read, everything else is refused with its place, and what is
 * written reads back. Then: contracts. */
#include "case_op.h"
#include "../fuzz/owns.h"
#include "../simt/simt.h"
#include "suite.h"
#include <check.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "warpfuzz case 1\nop softmax\n"
#define BODY "rows 3\ncols 5\nblock 96\nx normal\n"

static int parse(WfCase *c, const char *text, char err[256]) { return wf_case_parse(c, text, strlen(text), "t", err, 256); }

static void must_parse(WfCase *c, const char *text) {
  char err[256] = "";
  ck_assert_msg(parse(c, text, err) == 0, "%s\n%s", err, text);
}

static void check_text(const WfCase *c, const char *want) {
  char *text = wf_case_print(c);
  ck_assert_str_eq(text, want);
  free(text);
}

#define CANONICAL                                                                                                      \
  "warpfuzz case 1\nop softmax\nvariant block_shuffle.published\nexpect race-shared wrong-result\nrows 3\ncols 5\n"     \
  "grid 3 1 1\nblock 96 1 1\nschedule 0x51f3\nx normal seed=77 scale=30 offset=1 align=1\ny align=63\n"                 \
  "x[1,*] = -inf\nx[2,4] = 88.8\nx[0..3,5..*:2] = nan\nx[*:4,0..31:4] = -0\n"

START_TEST(reads_every_field) {
  WfCase c;
  must_parse(&c, CANONICAL);
  ck_assert_str_eq(c.op->name, "softmax");
  ck_assert_str_eq(c.variant->name, "block_shuffle.published");
  ck_assert_uint_eq(c.expect, 1u << SIMT_RACE_SHARED | 1u << SIMT_WRONG_RESULT);
  ck_assert(c.dim[0] == 3 && c.dim[1] == 5);
  ck_assert(c.grid[0] == 3 && c.grid[1] == 1 && c.grid[2] == 1);
  ck_assert(c.block[0] == 96 && c.block[1] == 1 && c.block[2] == 1);
  ck_assert_uint_eq(c.schedule, 0x51f3);
  ck_assert(c.fill[0].dist == WF_DIST_NORMAL && c.fill[0].seed == 77 && c.fill[0].scale == 30);
  ck_assert(c.fill[0].offset == 1 && c.fill[0].base_offset_elems == 1 && c.fill[1].base_offset_elems == 63);
  ck_assert_uint_eq(c.n_edits, 4);
  ck_assert(c.edits[0].sel[0].first == 1 && c.edits[0].sel[0].last == 1 && c.edits[0].sel[1].last == INT64_MAX);
  ck_assert(c.edits[0].value == -INFINITY && c.edits[1].value == 88.8f && isnan(c.edits[2].value));
  ck_assert(c.edits[2].sel[1].first == 5 && c.edits[2].sel[1].last == INT64_MAX && c.edits[2].sel[1].step == 2);
  ck_assert(c.edits[3].sel[0].step == 4 && c.edits[3].sel[1].last == 31 && signbit(c.edits[3].value));
  check_text(&c, CANONICAL);
}
END_TEST

START_TEST(reads_any_layout) {
  WfCase a, b;
  must_parse(&a, HEAD "rows 3\ncols 5\nblock 7\nx mean seed=255\nx[1,2..3:4] = 1\n");
  must_parse(&b, "\n# c\n\twarpfuzz  case 1 # c\r\n op\tsoftmax\r\nx [ 1 , 2..3:4 ]=1\r\nx mean offset=1e3 seed=0xFF\n"
                 "schedule 0\ngrid 0\nblock 7 1\ncols 5 \nrows 3#c");
  char *text = wf_case_print(&a);
  check_text(&b, text);
  ck_assert_uint_eq(wf_case_key(&a), wf_case_key(&b));
  free(text);
}
END_TEST

typedef struct Bad {
  const char *text, *err;
} Bad;

static const Bad bad[] = {
    {"", "t:1: 'warpfuzz case 1' is missing"},
    {"\n# nothing\n", "t:2: 'warpfuzz case 1' is missing"},
    {"op softmax\n", "t:1: expected the header 'warpfuzz case 1', found 'op'"},
    {"warpfuzz case 2\n", "t:1: only version 1 is known, found '2'"},
    {"warpfuzz case\n", "t:1: only version 1 is known, found <end of line>"},
    {"warpfuzz case 1 x\n", "t:1: unexpected 'x'"},
    {"warpfuzz case 1\n", "t:1: 'op' is missing"},
    {"warpfuzz case 1\nrows 3\n", "t:2: expected 'op' right after the header, found 'rows'"},
    {"warpfuzz case 1\nop soft\n", "t:2: unknown op 'soft'"},
    {"warpfuzz case 1\nop softmax add\n", "t:2: unexpected 'add'"},
    {HEAD "op softmax\n", "t:3: given twice: 'op'"},
    {HEAD "warpfuzz case 1\n", "t:3: unknown key 'warpfuzz'"},
    {HEAD "variant nothing\n", "t:3: the op has no variant 'nothing'"},
    {HEAD "variant\n", "t:3: the op has no variant <end of line>"},
    {HEAD "variant free\nvariant free\n", "t:4: given twice: 'variant'"},
    {HEAD "expect\n", "t:3: unknown class <end of line>"},
    {HEAD "expect race\n", "t:3: unknown class 'race'"},
    {HEAD "expect trap trap\n", "t:3: given twice: 'trap'"},
    {HEAD "rows\n", "t:3: expected a number, found <end of line>"},
    {HEAD "rows -1\n", "t:3: expected a number, found '-1'"},
    {HEAD "rows 1.5\n", "t:3: expected a number, found '1.5'"},
    {HEAD "rows 3 4\n", "t:3: unexpected '4'"},
    {HEAD "rows 1099511627777\n", "t:3: too large, at most 1099511627776 is allowed: '1099511627777'"},
    {HEAD "rows 99999999999999999999\n", "t:3: too large, at most 1099511627776 is allowed: '99999999999999999999'"},
    {HEAD "rows 3\nrows 3\n", "t:4: given twice: 'rows'"},
    {HEAD "Rows 3\n", "t:3: unknown key 'Rows'"},
    {HEAD "depth 3\n", "t:3: unknown key 'depth'"},
    {HEAD "depth[1] = 3\n", "t:3: unknown key 'depth'"},
    {HEAD "[1] = 3\n", "t:3: unexpected '[1]'"},
    {HEAD "scalars 1\n", "t:3: the op takes no 'scalars'"},
    {HEAD "grid\n", "t:3: expected a number, found <end of line>"},
    {HEAD "grid 1 2 3 4\n", "t:3: unexpected '4'"},
    {HEAD "block 2147483648\n", "t:3: too large, at most 2147483647 is allowed: '2147483648'"},
    {HEAD "block 1\nblock 1\n", "t:4: given twice: 'block'"},
    {HEAD "schedule 0x10000000000000000\n", "t:3: too large, at most 18446744073709551615 is allowed: '0x10000000000000000'"},
    {HEAD "schedule 0x\n", "t:3: expected a number, found '0x'"},
    {HEAD "x\n", "t:3: unknown distribution <end of line>"},
    {HEAD "x gauss\n", "t:3: unknown distribution 'gauss'"},
    {HEAD "x normal\nx normal\n", "t:4: given twice: 'x'"},
    {HEAD "x normal seed\n", "t:3: expected '=' after 'seed'"},
    {HEAD "x normal seed=\n", "t:3: expected a number, found <end of line>"},
    {HEAD "x normal seed=1 seed=1\n", "t:3: given twice: 'seed'"},
    {HEAD "x normal size=1\n", "t:3: unknown parameter 'size'"},
    {HEAD "x normal =\n", "t:3: unexpected '='"},
    {HEAD "x normal scale=1e39\n", "t:3: out of range: '1e39'"},
    {HEAD "x normal scale=inf\n", "t:3: expected a finite number, found 'inf'"},
    {HEAD "x normal offset=1,5\n", "t:3: expected a number, found '1,5'"},
    {HEAD "x normal align=64\n", "t:3: too large, at most 63 is allowed: '64'"},
    {HEAD "y\n", "t:3: expected align=, found <end of line>"},
    {HEAD "y normal\n", "t:3: an output takes nothing but align=, found 'normal'"},
    {HEAD "y seed=1\n", "t:3: an output takes nothing but align=, found 'seed'"},
    {HEAD "y[1,1] = 1\n", "t:3: an output has no values to edit: 'y'"},
    {HEAD "x[1] = 1\n", "t:3: expected ',', found ']'"},
    {HEAD "x[1,2,3] = 1\n", "t:3: expected ']', found ',3]'"},
    {HEAD "x[1,2 = 1\n", "t:3: expected ']', found '='"},
    {HEAD "x[1,2] 1\n", "t:3: expected '=', found '1'"},
    {HEAD "x[1,2] =\n", "t:3: expected a number, found <end of line>"},
    {HEAD "x[1,2] = 1 2\n", "t:3: unexpected '2'"},
    {HEAD "x[1,2] = 1e-50\n", "t:3: outside the range of a float: '1e-50'"},
    {HEAD "x[1,2] = 1e50\n", "t:3: outside the range of a float: '1e50'"},
    {HEAD "x[1,2] = infinity\n", "t:3: expected a number, found 'infinity'"},
    {HEAD "x[1,2] = -nan\n", "t:3: expected a number, found '-nan'"},
    {HEAD "x[1,2] = 1e\n", "t:3: expected a number, found '1e'"},
    {HEAD "x[-1,2] = 1\n", "t:3: expected a number, found '-1'"},
    {HEAD "x[,2] = 1\n", "t:3: expected a number, found ','"},
    {HEAD "x[1..,2] = 1\n", "t:3: expected a number, found ','"},
    {HEAD "x[1.2,2] = 1\n", "t:3: expected ',', found '.2,2]'"},
    {HEAD "x[5..4,2] = 1\n", "t:3: the range is empty: '5..4,2]'"},
    {HEAD "x[*:0,2] = 1\n", "t:3: the step must not be 0: ':0,2] = 1'"},
    {HEAD "x[1:,2] = 1\n", "t:3: expected a number, found ','"},
    {HEAD "x[1,", "t:3: expected a number, found <end of line>"},
    {HEAD "rows 3\rcols 5\n", "t:3: expected a number, found '3?cols'"},
    {HEAD "rows \xff\n", "t:3: expected a number, found '?'"},
    {HEAD "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 3\n",
     "t:3: unknown key 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...'"},
    {HEAD "rows 3\nblock 1\nx normal\n", "t:5: 'cols' is missing"},
    {HEAD "rows 3\ncols 5\nx normal\n", "t:5: 'block' is missing"},
    {HEAD "rows 3\ncols 5\nblock 1\n", "t:5: 'x' is missing"},
    {HEAD "rows 2097152\ncols 1048576\nblock 1\nx normal\n", "t:6: the dims give more than 2^40 elements to 'x'"},
    {"warpfuzz case 1\nop rmsnorm\nrows 1\ncols 1\nblock 1\nx normal\ngamma normal\n", "t:7: 'scalars' is missing"},
    {"warpfuzz case 1\nop rmsnorm\nscalars 1 2\n", "t:3: unexpected '2'"},
    {"warpfuzz case 1\nop rmsnorm\nscalars x\n", "t:3: expected a number, found 'x'"},
    {"warpfuzz case 1\nop rmsnorm\nscalars 1e999\n", "t:3: out of range: '1e999'"},
};

START_TEST(refuses_with_place_and_token) {
  char err[256] = "";
  WfCase c;
  ck_assert_int_eq(parse(&c, bad[_i].text, err), -1);
  ck_assert_str_eq(err, bad[_i].err);
}
END_TEST

START_TEST(refuses_nul_bytes) {
  static const char text[] = HEAD BODY "# a\0b\n", early[] = "warpfuzz\0case 1\n";
  char err[256];
  WfCase c;
  ck_assert_int_eq(wf_case_parse(&c, text, sizeof text - 1, "t", err, sizeof err), -1);
  ck_assert_msg(strncmp(err, "t:7: a NUL byte in", 18) == 0, "%s", err);
  ck_assert_int_eq(wf_case_parse(&c, early, sizeof early - 1, "t", err, sizeof err), -1);
}
END_TEST

START_TEST(takes_64_edits_and_no_more) {
  char text[4096] = HEAD BODY, err[256];
  WfCase c;
  for (int i = 0; i < 64; i++)
    strcat(text, "x[0,0] = 1\n");
  must_parse(&c, text);
  ck_assert_uint_eq(c.n_edits, 64);
  strcat(text, "x[1,1] = 1\n");
  ck_assert_int_eq(parse(&c, text, err), -1);
  ck_assert_str_eq(err, "t:71: more than 64 edits, at '[1,1] = 1'");
}
END_TEST

START_TEST(takes_the_limits) {
  WfCase c;
  must_parse(&c, HEAD "rows 1099511627776\ncols 1\nblock 0 2147483647 0x7fffffff\ngrid 2147483647 0 0\n"
                      "schedule 18446744073709551615\nx normal seed=0xffffffffffffffff scale=3.40282347e38\n");
  ck_assert(c.dim[0] == WF_MAX_EXTENT && c.block[1] == 2147483647 && c.grid[1] == 0 && c.schedule == UINT64_MAX);
  char *text = wf_case_print(&c);
  WfCase again;
  must_parse(&again, text);
  check_text(&again, text);
  free(text);
}
END_TEST

/* Bits of floats all over the range, printed and read, in a locale that writes a comma where there is one. */
START_TEST(floats_survive_in_any_locale) {
  WfCase c, again;
  must_parse(&c, HEAD BODY "x[0,0] = 1\n");
  int comma = setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, "fr_FR.UTF-8");
  uint32_t bits = 1;
  for (int i = 0; i < 20000; i++, bits = bits * 1664525u + 1013904223u) {
    memcpy(&c.edits[0].value, &bits, 4);
    if (isnan(c.edits[0].value))
      continue;
    char *text = wf_case_print(&c);
    must_parse(&again, text);
    ck_assert_msg(memcmp(&again.edits[0].value, &bits, 4) == 0, "%08x: %s (comma: %d)", bits, text, comma);
    free(text);
  }
  setlocale(LC_ALL, "C");
}
END_TEST

START_TEST(rounds_once) { /* halfway between two floats but for a last bit that a double does not hold */
  WfCase c;
  must_parse(&c, HEAD BODY "x[0,0] = 1.00000005960464477539062500000000001\nx[0,0] = 1e-45\nx[0,0] = 0x1.8p3\n");
  ck_assert(c.edits[0].value == 1.0f + 0x1p-23f);
  ck_assert(c.edits[1].value == 0x1p-149f && c.edits[2].value == 12);
}
END_TEST

START_TEST(texts_differ_where_cases_do) {
  static const char *const lines[] = {"",           "variant free\n",  "expect hang\n",    "grid 1\n",          "grid 0 2\n",
                                      "schedule 1\n", "y align=1\n",   "x[0,0] = 0\n",     "x[0,0] = -0\n",     "x[0..1,0] = 0\n",
                                      "x[0..*:2,0] = 0\n", "x[0,0:2] = 0\n", "x[0,0] = 1.00000012\n", "x[*,0] = 0\n"};
  enum { N = sizeof lines / sizeof lines[0] };
  uint64_t key[N];
  for (int i = 0; i < N; i++) {
    char text[256] = HEAD BODY;
    WfCase c;
    must_parse(&c, strcat(text, lines[i]));
    key[i] = wf_case_key(&c);
    for (int j = 0; j < i; j++)
      ck_assert_msg(key[i] != key[j], "%s%s", lines[i], lines[j]);
  }
}
END_TEST

/* ---- doc/CASE.md ---- */
typedef int BlockFn(const char *text, char *err, size_t err_size);

static int case_block(const char *text, char *err, size_t err_size) {
  WfCase c;
  return wf_case_parse(&c, text, strlen(text), "example", err, err_size);
}

static int by_line(const char *text, BlockFn *fn, char *err, size_t err_size) {
  char line[256];
  for (size_t n; (n = strcspn(text, "\n")) > 0; text += n + (text[n] == '\n')) {
    ck_assert_uint_lt(n, sizeof line);
    memcpy(line, text, n);
    line[n] = 0;
    if (fn(line, err, err_size))
      return -1;
  }
  return 0;
}

/* ---- what blocks own ---- */

static const struct {
  const char *owns;
  uint64_t b;
  int64_t rows, n;
  int64_t owned[8];
} ownership[] = {
    {"b .. b + 1", 2, 9, 1, {2}},
    {"b .. b + 1", 9, 9, 0, {0}}, /* past the end */
    {"b * block.x .. (b + 1) * block.x", 1, 7, 3, {4, 5, 6}},
    {"b .. rows step grid.x", 1, 9, 3, {1, 4, 7}},
    {"b .. rows step grid.x", 0, 9, 3, {0, 3, 6}},
    {"2 * b .. rows step grid.x * 2 width 2", 1, 9, 3, {2, 3, 8}},
    {"2 * b .. rows step grid.x * 2 width 2", 0, 9, 4, {0, 1, 6, 7}},
    {"2 * b .. rows step grid.x * 2 width 2", 2, 11, 3, {4, 5, 10}},
    {"b .. rows", 6, 9, 3, {6, 7, 8}},
    {"5 .. 5", 0, 9, 0, {0}},
};

START_TEST(blocks_own_slices) {
  const WfGeometry g = {{3, 1, 1}, {4, 1, 1}, 0, 0};
  WfCase c = {.op = wf_op_find("softmax", 7), .dim = {ownership[_i].rows, 10}};
  WfOwned o;
  char err[128] = "";
  ck_assert_msg(wf_owns_eval(ownership[_i].owns, &c, &g, ownership[_i].b, &o, err, sizeof err) == 0, "%s", err);
  ck_assert_int_eq(wf_owned_count(&o), ownership[_i].n);
  int64_t n = 0;
  for (int64_t r = 0; r < ownership[_i].rows; r++) {
    if (!wf_owned_has(&o, r)) continue;
    ck_assert_int_lt(n, ownership[_i].n);
    ck_assert_int_eq(r, ownership[_i].owned[n++]);
  }
  ck_assert_int_eq(n, ownership[_i].n);
}
END_TEST

/* `b` is a name there and nowhere else. */
START_TEST(bad_ownership) {
  static const char *const bad[] = {"b", "b .. c", "b - 1 .. b", "b .. rows step 0", "b .. rows step 2 width 3", "b .. rows step 2 width 0",
                                    "b .. rows width 2", "b .. rows step 2 width 1 step 3", ".. rows", "b ..", ""};
  const WfGeometry g = {{3, 1, 1}, {4, 1, 1}, 0, 0};
  WfCase c = {.op = wf_op_find("softmax", 7), .dim = {9, 10}};
  WfOwned o;
  char err[128] = "";
  ck_assert_msg(wf_owns_eval(bad[_i], &c, &g, 0, &o, err, sizeof err) == -1, "'%s'", bad[_i]);
  ck_assert_str_ne(err, "");
  WfVars vars = {c.op, c.dim, g.grid, g.block, 0, NULL};
  int64_t v;
  ck_assert_int_eq(wf_expr_eval("b + 1", &vars, &v, err, sizeof err), -1);
}
END_TEST

static int spec_line(const char *text, char *err, size_t err_size) {
  WfSpec s;
  return wf_spec_parse(text, &s, err, err_size);
}

static int expr_line(const char *text, char *err, size_t err_size) {
  static const int64_t dim[] = {3, 100};
  static const uint32_t grid[] = {2, 1, 1}, block[] = {96, 1, 1};
  WfVars vars = {wf_op_find("softmax", 7), dim, grid, block, 0, NULL};
  int64_t v;
  return wf_expr_eval(text, &vars, &v, err, err_size);
}

static int owns_line(const char *text, char *err, size_t err_size) {
  const WfGeometry g = {{2, 1, 1}, {96, 1, 1}, 0, 0};
  WfCase c = {.op = wf_op_find("softmax", 7), .dim = {3, 100}};
  WfOwned o;
  return wf_owns_eval(text, &c, &g, 1, &o, err, err_size);
}

static int spec_block(const char *text, char *err, size_t err_size) { return by_line(text, spec_line, err, err_size); }
static int expr_block(const char *text, char *err, size_t err_size) { return by_line(text, expr_line, err, err_size); }

static int owns_block(const char *text, char *err, size_t err_size) { return by_line(text, owns_line, err, err_size); }

static char *read_document(void) {
  char path[4096];
  const char *dir = getenv("WF_SRCDIR");
  snprintf(path, sizeof path, "%s/doc/CASE.md", dir ? dir : ".");
  FILE *f = fopen(path, "rb");
  ck_assert_msg(f != NULL, "%s", path);
  char *text = calloc(1, 1 << 16);
  ck_assert_uint_lt(fread(text, 1, 1 << 16, f), (1 << 16) - 1);
  fclose(f);
  return text;
}

/* Checks each block fenced with the word given; returns how many there were. */
static int check_blocks(const char *document, const char *fence, BlockFn *fn) {
  int n = 0;
  char err[256] = "";
  for (const char *at = document; (at = strstr(at, fence)) != NULL; n++) {
    at += strlen(fence);
    const char *end = strstr(at, "```\n");
    ck_assert_ptr_nonnull(end);
    char *block = strndup(at, (size_t)(end - at));
    ck_assert_msg(fn(block, err, sizeof err) == 0, "%s\n%s", err, block);
    free(block);
    at = end;
  }
  return n;
}

START_TEST(examples_of_the_document_are_right) {
  char *document = read_document();
  ck_assert_int_ge(check_blocks(document, "```case\n", case_block), 4);
  ck_assert_int_ge(check_blocks(document, "```spec\n", spec_block), 1);
  ck_assert_int_ge(check_blocks(document, "```expr\n", expr_block), 1);
  ck_assert_int_ge(check_blocks(document, "```owns\n", owns_block), 1);
  for (int c = 0; c < SIMT_CLASS_COUNT; c++)
    ck_assert_ptr_nonnull(strstr(document, simt_class_name((SimtClass)c)));
  for (int d = 0; d < WF_DIST_COUNT; d++)
    ck_assert_ptr_nonnull(strstr(document, wf_dist_name((WfDist)d)));
  free(document);
}
END_TEST

START_TEST(loads_files) {
  char path[] = "/tmp/test_case.XXXXXX", err[4352];
  WfCase c;
  int fd = mkstemp(path);
  FILE *f = fdopen(fd, "wb");
  ck_assert_ptr_nonnull(f);
  fputs(CANONICAL, f);
  fflush(f);
  ck_assert_int_eq(wf_case_load(&c, path, err, sizeof err), 0);
  check_text(&c, CANONICAL);
  fputs("# ", f);
  for (int i = 0; i < 1 << 20; i++)
    fputc('x', f);
  fclose(f);
  ck_assert_int_eq(wf_case_load(&c, path, err, sizeof err), -1);
  ck_assert_ptr_nonnull(strstr(err, ": the file goes on past 1 MiB"));
  remove(path);
  ck_assert_int_eq(wf_case_load(&c, path, err, sizeof err), -1);
  ck_assert_ptr_nonnull(strstr(err, "No such file"));
  ck_assert_int_eq(wf_case_load(&c, "/tmp", err, sizeof err), -1);
  ck_assert_str_eq(err, "/tmp: Is a directory");
}
END_TEST

/* ---- contracts ---- */
typedef struct Admission {
  const char *variant, *text, *why; /* why NULL: admitted, with the grid and shared bytes given */
  uint32_t grid;
  uint64_t shared_bytes, scratch_bytes;
} Admission;

static const Admission admissions[] = {
    {"free", "rows 3\ncols 5\nblock 7\n", NULL, 3, 0, 0},
    {"free", "rows 3\ncols 5\nblock 7\ngrid 70000\n", NULL, 70000, 0, 0},
    {"free", "rows 3000\ncols 5\nblock 7\n", NULL, 256, 0, 0},
    {"free", "rows 0\ncols 5\nblock 7\n", "rows is 0, and the op wants at least 1", 0, 0, 0},
    {"free", "rows 3\ncols 5\nblock 0\n", "block.x is 0, and the contract wants 1..1024", 0, 0, 0},
    {"free", "rows 3\ncols 5\nblock 1025\n", "block.x is 1025, and the contract wants 1..1024", 0, 0, 0},
    {"free", "rows 3\ncols 5\nblock 32 2\n", "the block is 32x2x1, and the contract wants one dimension", 0, 0, 0},
    {"free", "rows 3\ncols 5\nblock 32\ngrid 1 1 2\n",
     "the grid has 1 and 2 blocks along y and z, and the contract wants one dimension", 0, 0, 0},
    {"block_row", "rows 3\ncols 5\nblock 64\n", NULL, 3, 256, 0},
    {"block_row", "rows 3\ncols 5\nblock 64\ngrid 3\n", NULL, 3, 256, 0},
    {"block_row", "rows 3\ncols 5\nblock 64\ngrid 4\n", "grid.x is 4, and the contract's grid 'rows' gives 3", 0, 0, 0},
    {"block_row", "rows 3\ncols 5\nblock 65\n", "block.x is 65, and the contract wants 32..1024 multiple of 32", 0, 0, 0},
    {"block_row", "rows 2147483648\ncols 5\nblock 64\n", "the contract's grid 'rows' gives 2147483648 blocks", 0, 0, 0},
    {"serial_row", "rows 65\ncols 5\nblock 64\n", NULL, 2, 0, 0},
    {"tree", "rows 3\ncols 5\nblock 96\n", "block.x is 96, and the contract wants 32..1024 power of 2", 0, 0, 0},
    {"float4", "rows 3\ncols 8\nblock 32\ny align=4\n", NULL, 3, 0, 0},
    {"float4", "rows 3\ncols 8\nblock 32\ny align=3\n", "the contract requires cols % 4 == 0 && align % 4 == 0", 0, 0, 0},
    {"float4", "rows 3\ncols 6\nblock 32\n", "the contract requires cols % 4 == 0 && align % 4 == 0", 0, 0, 0},
    {"float4", "rows 3\ncols 8\nblock 32\nx normal align=5\ny align=8\n", "the contract requires cols % 4 == 0 && align % 4 == 0", 0, 0, 0},
    {"float4", "rows 3\ncols 8\nblock 32\nx normal align=12\ny align=8\n", NULL, 3, 0, 0},
    {"small_row", "rows 9\ncols 6\nblock 128\n", NULL, 3, 0, 0},
    {"multi_block", "rows 2\ncols 1500\nblock 128\ngrid 4\n", NULL, 4, 0, 32},
};

START_TEST(contract_admits) {
  const Admission *a = &admissions[_i];
  char text[512], why[256] = "";
  WfCase c;
  WfGeometry g = {0};
  snprintf(text, sizeof text, HEAD "%s%s", a->text, strstr(a->text, "x normal") ? "" : "x normal\n");
  must_parse(&c, text);
  const WfVariant *v = wf_variant_find(c.op, a->variant, strlen(a->variant));
  ck_assert_int_eq(wf_case_admits(&c, v, &g, why, sizeof why), a->why == NULL);
  ck_assert_int_eq(wf_case_admits(&c, v, NULL, NULL, 0), a->why == NULL);
  ck_assert_str_eq(why, a->why ? a->why : "");
  ck_assert_uint_eq(g.grid[0], a->grid);
  ck_assert_uint_eq(g.shared_bytes, a->shared_bytes);
  ck_assert_uint_eq(g.scratch_bytes, a->scratch_bytes);
  if (!a->why)
    ck_assert(g.grid[1] == 1 && g.grid[2] == 1 && g.block[0] == c.block[0] && g.block[1] == 1 && g.block[2] == 1);
}
END_TEST

/* What a contract with values up to 80 makes of these lines. */
static const struct { const char *lines; int admitted; } promises[] = {
    {"x uniform scale=80\n", 1},
    {"x uniform scale=79 offset=-1\n", 1},
    {"x uniform scale=79 offset=-2\n", 0},
    {"x normal scale=16\n", 1},
    {"x normal scale=17\n", 0},
    {"x huge scale=0.008\n", 1},
    {"x huge\n", 0},
    {"x integers scale=80\n", 1},
    {"x integers scale=81\n", 0},
    {"x ramp scale=20\n", 1},
    {"x ramp scale=-21\n", 0},
    {"x hash scale=80\n", 1},
    {"x mixed scale=6\n", 1},
    {"x mixed scale=7\n", 0},
    {"x mean offset=80 scale=0\n", 1},
    {"x mean offset=80\n", 0},
    {"x denormal\n", 1},
    {"x constant offset=-80\n", 1},
    {"x constant offset=80.0001\n", 0},
    {"x constant\nx[0,1] = -80\n", 1},
    {"x constant\nx[0,1] = -81\n", 0},
    {"x constant\nx[0,1] = inf\n", 0},
    {"x constant\nx[0,1] = -inf\n", 0},
    {"x constant\nx[0,1] = nan\n", 0},
};

START_TEST(contract_limits_values) {
  const WfVariant bounded = {.name = "bounded", .values = 80}, any = {.name = "any"};
  char text[256], why[256] = "";
  WfCase c;
  snprintf(text, sizeof text, HEAD "rows 3\ncols 5\nblock 32\n%s", promises[_i].lines);
  must_parse(&c, text);
  ck_assert_msg(wf_case_admits(&c, &bounded, NULL, why, sizeof why) == promises[_i].admitted, "%s", promises[_i].lines);
  ck_assert_str_eq(why, promises[_i].admitted ? "" : "the contract wants finite values of x within 80 of zero");
  ck_assert_int_eq(wf_case_admits(&c, &any, NULL, NULL, 0), 1);
}
END_TEST

START_TEST(unreadable_contract_admits_nothing) {
  static const WfVariant broken[] = {{.name = "a", .block = "x"},        {.name = "b", .grid = "rows +"},
                                     {.name = "c", .requires = "depth"}, {.name = "d", .shared = "1 / 0"},
                                     {.name = "e", .shared = "-1"},      {.name = "f", .grid = "rows - 3"},
                                     {.name = "g", .scratch = "4 *"},    {.name = "h", .scratch = "-rows"}};
  WfCase c;
  char why[256];
  must_parse(&c, HEAD BODY);
  for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
    *why = 0;
    ck_assert_int_eq(wf_case_admits(&c, &broken[i], NULL, why, sizeof why), 0);
    ck_assert_msg(strncmp(why, "the contract's ", 15) == 0, "%s", why);
  }
}
END_TEST

int main(void) {
  Suite *s = suite_create("case");
  TCase *t = tcase_create("case");
  tcase_add_test(t, reads_every_field);
  tcase_add_test(t, reads_any_layout);
  tcase_add_loop_test(t, refuses_with_place_and_token, 0, (int)(sizeof bad / sizeof bad[0]));
  tcase_add_test(t, refuses_nul_bytes);
  tcase_add_test(t, takes_64_edits_and_no_more);
  tcase_add_test(t, takes_the_limits);
  tcase_add_test(t, floats_survive_in_any_locale);
  tcase_add_test(t, rounds_once);
  tcase_add_test(t, texts_differ_where_cases_do);
  tcase_add_test(t, examples_of_the_document_are_right);
  tcase_add_loop_test(t, blocks_own_slices, 0, sizeof ownership / sizeof *ownership);
  tcase_add_loop_test(t, bad_ownership, 0, 11);
  tcase_add_test(t, loads_files);
  tcase_add_loop_test(t, contract_admits, 0, (int)(sizeof admissions / sizeof admissions[0]));
  tcase_add_loop_test(t, contract_limits_values, 0, (int)(sizeof promises / sizeof promises[0]));
  tcase_add_test(t, unreadable_contract_admits_nothing);
  suite_add_tcase(s, t);
  return suite_run(s);
}
