/* test_finding.c - findings: class names, identity, JSON, text. */
#define _GNU_SOURCE
#include "../fuzz/finding.h"
#include "suite.h"
#include <check.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const WfOp op = {.name = "softmax"};
static const WfVariant variant = {.name = "block_shuffle.published"}, repaired = {.name = "block_shuffle"};

static const SimtSite call_max = {"kernels/k.cu", "softmax_kernel", NULL, 40, 11, 0, 0};
static const SimtSite call_sum = {"kernels/k.cu", "softmax_kernel", NULL, 44, 11, 0, 0};
static const SimtSite read_site = {"kernels/k.cu", "block_reduce", &call_max, 21, 10, 2, 2};
static const SimtSite write_site = {"kernels/k.cu", "block_reduce", &call_sum, 17, 18, 2, 2};

static WfFinding race(void) {
  WfFinding f = {.op = &op, .variant = &variant, .key = 0x1234abcd};
  f.simt = (SimtFinding){.cls = SIMT_RACE_SHARED,
                         .severity = SIMT_ERROR,
                         .kernel = "softmax_kernel",
                         .here = {&write_site, {0, 0, 0}, {32, 0, 0}, 3, "write"},
                         .other = {&read_site, {0, 0, 0}, {95, 0, 0}, 3, "read"},
                         .object = "shared",
                         .offset_bytes = 0,
                         .size_bytes = 4,
                         .rule = "PTX 8.10.1: conflicting accesses without order",
                         .detail = "two threads of different warps touch the same word without a barrier between",
                         .count = 12};
  return f;
}

static WfFinding wrong(void) {
  WfFinding f = {.op = &op, .variant = &repaired, .key = 7, .has_value = 1};
  f.simt = (SimtFinding){.cls = SIMT_WRONG_RESULT, .severity = SIMT_ERROR, .kernel = "k", .count = 1};
  strcpy(f.simt.detail, "y[0,17] is off by 0.125");
  f.index = 17;
  f.expected = 0.375;
  f.got = 0.5f;
  f.bound = 0x1p-20;
  f.ulp = 4194304;
  f.n_bad = 2;
  f.n_elems = 60;
  strcpy(f.map[0], "....##");
  strcpy(f.map[1], "......");
  return f;
}

/* ---- classes ---- */

START_TEST(test_class_names) {
  SimtClass c;
  for (unsigned i = 0; i < SIMT_CLASS_COUNT; i++) {
    const char *name = simt_class_name((SimtClass)i);
    ck_assert_int_eq(simt_class_parse(name, strlen(name), &c), 0);
    ck_assert_uint_eq(c, i);
    ck_assert_int_eq(simt_class_parse(name, strlen(name) - 1, &c), -1);
  }
  ck_assert_str_eq(simt_class_name(SIMT_RACE_SHARED), "race-shared");
  ck_assert_int_eq(simt_class_parse("", 0, &c), -1);
  ck_assert_str_eq(simt_class_name(SIMT_CLASS_COUNT), "unknown");
}
END_TEST

/* ---- identity ---- */

static void check_same(const WfFinding *a, const WfFinding *b, int same) {
  ck_assert_int_eq(wf_finding_same(a, b), same);
  ck_assert_int_eq(wf_finding_same(b, a), same);
  ck_assert_int_eq(wf_finding_id(a) == wf_finding_id(b), same);
}

START_TEST(test_same_is_by_content) {
  WfFinding a = race(), b = race();
  static const SimtSite call_copy = {"kernels/k.cu", "softmax_kernel<float>", NULL, 40, 11, 0, 0};
  char file[] = "kernels/k.cu", name[] = "block_shuffle.published";
  SimtSite read_copy = {file, "block_reduce<float>", &call_copy, 21, 10, 3, 3};
  WfVariant variant_copy = {.name = name};
  b.variant = &variant_copy;
  b.simt.here = (SimtWhere){&read_copy, {1, 0, 0}, {2, 0, 0}, 9, "read", 0, {0}};
  b.simt.other = (SimtWhere){&write_site, {1, 0, 0}, {2, 0, 0}, 9, "write", 0, {0}};
  b.simt.severity = SIMT_WARNING;
  b.key = 99;
  b.simt.count = 1;
  check_same(&a, &b, 1);
}
END_TEST

START_TEST(test_differences) {
  WfFinding a = race(), b = race();
  b.simt.cls = SIMT_RACE_WARP;
  check_same(&a, &b, 0);
  b = race();
  b.variant = &repaired;
  check_same(&a, &b, 0);
  b = race();
  strcpy(b.outside, "why");
  check_same(&a, &b, 0);
  strcpy(a.outside, "another reason");
  check_same(&a, &b, 1);
  a = b = race();
  b.simt.other.site = NULL;
  check_same(&a, &b, 0);
  b.simt.here.site = NULL;
  check_same(&a, &b, 0);
  b = race();
  b.simt.other.site = &write_site; /* {w, w} is not {w, r} */
  check_same(&a, &b, 0);
  SimtSite moved = read_site;
  b.simt.other.site = &moved;
  check_same(&a, &b, 1);
  moved.column++;
  check_same(&a, &b, 0);
  moved = read_site;
  moved.caller = &call_sum; /* the same line, inlined elsewhere */
  check_same(&a, &b, 0);
  moved.caller = NULL;
  check_same(&a, &b, 0);
}
END_TEST

START_TEST(test_id_is_stable) {
  WfFinding f = race(), w = wrong();
  ck_assert_uint_eq(wf_finding_id(&f), 0x2c34f49f0f0e19a9u);
  ck_assert_uint_eq(wf_finding_id(&w), 0x7a4ee47c5929f568u);
}
END_TEST

/* ---- JSON ---- */

static json_t *parsed(const WfFinding *f, const char *case_path) {
  char *line = wf_finding_json(f, case_path);
  ck_assert_ptr_nonnull(line);
  ck_assert_ptr_eq(strchr(line, '\n'), line + strlen(line) - 1);
  json_error_t err;
  json_t *j = json_loads(line, JSON_REJECT_DUPLICATES, &err);
  ck_assert_msg(j != NULL, "%s: %s", err.text, line);
  free(line);
  return j;
}

static const char *text_of(const json_t *j, const char *key) { return json_string_value(json_object_get(j, key)); }
static json_int_t int_of(const json_t *j, const char *key) { return json_integer_value(json_object_get(j, key)); }

START_TEST(test_json_race) {
  WfFinding f = race();
  json_t *j = parsed(&f, "out/a.case");
  ck_assert_str_eq(text_of(j, "severity"), "error");
  ck_assert_str_eq(text_of(j, "class"), "race-shared");
  ck_assert_str_eq(text_of(j, "op"), "softmax");
  ck_assert_str_eq(text_of(j, "variant"), "block_shuffle.published");
  ck_assert_str_eq(text_of(j, "flavor"), "precise");
  ck_assert_str_eq(text_of(j, "dtype"), "f32");
  ck_assert_str_eq(text_of(j, "kernel"), "softmax_kernel");
  ck_assert_str_eq(text_of(j, "file"), "kernels/k.cu");
  ck_assert_int_eq(int_of(j, "line"), 17);
  ck_assert_int_eq(int_of(j, "column"), 18);
  ck_assert_str_eq(text_of(j, "function"), "block_reduce");
  ck_assert_str_eq(text_of(j, "access"), "write");
  ck_assert_int_eq(int_of(j, "other_line"), 21);
  ck_assert_str_eq(text_of(j, "other_access"), "read");
  ck_assert_int_eq(json_integer_value(json_array_get(json_object_get(j, "other_thread"), 0)), 95);
  ck_assert_int_eq(int_of(j, "epoch"), 3);
  json_t *caller = json_array_get(json_object_get(j, "call_path"), 0);
  ck_assert_str_eq(text_of(caller, "function"), "softmax_kernel");
  ck_assert_int_eq(int_of(caller, "line"), 44);
  ck_assert_uint_eq(json_array_size(json_object_get(j, "call_path")), 1);
  ck_assert_int_eq(int_of(j, "size_bytes"), 4);
  ck_assert(json_is_null(json_object_get(j, "got")));
  ck_assert_int_eq(int_of(j, "count"), 12);
  ck_assert_str_eq(text_of(j, "case_key"), "000000001234abcd");
  ck_assert_str_eq(text_of(j, "case"), "out/a.case");
  ck_assert_str_eq(text_of(j, "replay"), "warpfuzz replay out/a.case --variant softmax/block_shuffle.published");
  ck_assert_str_eq(text_of(j, "emit"), "warpfuzz emit out/a.case --variant softmax/block_shuffle.published -o repro.cu");
  ck_assert(json_is_null(json_object_get(j, "launch_grid")));
  ck_assert_uint_eq(json_array_size(json_object_get(j, "map")), 0);
  json_decref(j);
}
END_TEST

START_TEST(test_json_has_every_key) {
  static const char *const keys[] = {
      "id", "severity", "class", "op", "variant", "flavor", "dtype", "program", "tool", "kernel", "file", "line", "column", "function", "call_path", "access",
      "thread", "block", "epoch", "other_file", "other_line", "other_column", "other_function", "other_call_path",
      "other_access", "other_thread", "other_block", "other_epoch", "object", "offset_bytes", "size_bytes", "index",
      "expected", "got", "bound", "ulp", "n_bad", "n_elems", "count", "rule", "message", "reason", "outside",
      "rtol", "atol", "case_key", "case", "element", "backend", "device", "build",
      "writer_file", "writer_line", "writer_column", "writer_function", "writer_call_path", "writer_access",
      "writer_thread", "writer_block", "writer_epoch", "launch_grid", "launch_block", "launch_shared_bytes", "scalars", "map", "replay", "emit",
      "launch_kernel", "launch_number", "launch_file", "launch_line", "launch_column", "launch_function", "other_launch_kernel",
      "other_launch_number", "other_launch_file", "other_launch_line", "other_launch_column", "other_launch_function", "writer_launch_kernel",
      "writer_launch_number", "writer_launch_file", "writer_launch_line", "writer_launch_column", "writer_launch_function"};
  const size_t n = sizeof keys / sizeof *keys;
  WfFinding empty = {0}, all[3] = {race(), wrong(), empty};
  for (int i = 0; i < 3; i++) {
    json_t *j = parsed(&all[i], NULL);
    for (size_t k = 0; k < n; k++)
      ck_assert_msg(json_object_get(j, keys[k]) != NULL, "%s", keys[k]);
    ck_assert_uint_eq(json_object_size(j), n);
    json_decref(j);
  }
}
END_TEST

START_TEST(test_json_numbers) {
  WfFinding f = wrong();
  json_t *j = parsed(&f, NULL);
  ck_assert(json_real_value(json_object_get(j, "expected")) == 0.375);
  ck_assert(json_real_value(json_object_get(j, "bound")) == 0x1p-20);
  ck_assert_int_eq(int_of(j, "index"), 17);
  ck_assert_str_eq(json_string_value(json_array_get(json_object_get(j, "map"), 0)), "....##");
  ck_assert_uint_eq(json_array_size(json_object_get(j, "map")), 2);
  ck_assert(json_is_null(json_object_get(j, "case")));
  ck_assert(json_is_null(json_object_get(j, "line")));
  json_decref(j);
  f.got = NAN;
  f.expected = -INFINITY;
  f.bound = INFINITY;
  f.ulp = NAN;
  f.index = INT64_MAX;
  j = parsed(&f, NULL);
  ck_assert_str_eq(text_of(j, "got"), "nan");
  ck_assert_str_eq(text_of(j, "expected"), "-inf");
  ck_assert_str_eq(text_of(j, "bound"), "inf");
  ck_assert_str_eq(text_of(j, "ulp"), "nan");
  ck_assert(int_of(j, "index") == INT64_MAX);
  json_decref(j);
}
END_TEST

START_TEST(test_json_strings) {
  static const struct {
    const char *in, *out;
  } rows[] = {
      {"a\"b\\c", "a\"b\\c"},
      {"tab\tnewline\nbell\a\x1b[0m\x7f", "tab\tnewline\nbell\a\x1b[0m\x7f"},
      {"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80", "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80"},
      {"bad\xff.cu", "bad\xef\xbf\xbd.cu"},
      {"cut\xe2\x82", "cut\xef\xbf\xbd\xef\xbf\xbd"},
      {"over\xc0\xaf", "over\xef\xbf\xbd\xef\xbf\xbd"},
      {"surrogate\xed\xa0\x80", "surrogate\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
      {"", ""},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    SimtSite site = {rows[i].in, "f", NULL, 1, 1, 0, 0};
    WfFinding f = race();
    f.simt.here.site = &site;
    json_t *j = parsed(&f, rows[i].in);
    ck_assert_str_eq(text_of(j, "file"), rows[i].out);
    ck_assert_str_eq(text_of(j, "case"), rows[i].out);
    json_decref(j);
  }
}
END_TEST

/* Of a tool's finding: what it does not know is null, and not in the text. */
START_TEST(test_a_tool_s_finding) {
  static const SimtSite call = {"k.cu", "k", NULL, 9, 0, 0, 0}, place = {"k.cu", "f", &call, 7, 0, 0, 0}, nowhere = {NULL, "g", NULL, 0, 0, 0, 0};
  WfFinding f = race();
  f.tool = "compute-sanitizer racecheck";
  f.simt.here = (SimtWhere){&place, {1, 2, 3}, {4, 5, 6}, WF_NOT_KNOWN, "write", 0, {0}};
  f.simt.other = (SimtWhere){&nowhere, {WF_NOT_KNOWN, 0, 0}, {WF_NOT_KNOWN, 0, 0}, WF_NOT_KNOWN, "read", 0, {0}};
  f.simt.offset_bytes = WF_NO_OFFSET;
  json_t *j = parsed(&f, NULL);
  static const char *const unknown[] = {"column", "epoch", "other_file", "other_line", "other_column", "other_thread", "other_block",
                                        "other_epoch", "offset_bytes"};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
    ck_assert_msg(json_is_null(json_object_get(j, unknown[i])), "%s", unknown[i]);
  ck_assert_str_eq(text_of(j, "tool"), "compute-sanitizer racecheck");
  ck_assert_int_eq(int_of(j, "line"), 7);
  ck_assert_int_eq(json_integer_value(json_array_get(json_object_get(j, "thread"), 2)), 6);
  json_t *caller = json_array_get(json_object_get(j, "call_path"), 0);
  ck_assert_int_eq(int_of(caller, "line"), 9);
  ck_assert(json_is_null(json_object_get(caller, "column")));
  json_decref(j);
  char *text = wf_finding_text(&f, "a.case");
  static const char *const lines[] = {"  seen by    compute-sanitizer racecheck\n",
                                      "\n  write of 4 bytes by thread (4,5,6) of block (1,2,3)\n    k.cu:7 in f\n      called from k at k.cu:9\n",
                                      "\n  other side: read of 1 byte\n    ? in g\n",
                                      "  object     shared array 'shared'\n",
                                      "  replay     warpfuzz sanitize a.case --variant softmax/block_shuffle.published --tools racecheck\n",
                                      ": k.cu:7 in f and ? in g\n"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) ck_assert_msg(strstr(text, lines[i]) != NULL, "'%s' is missing in:\n%s", lines[i], text);
  free(text);
}
END_TEST

/* ---- text ---- */

typedef struct Folder {
  char path[64];
} Folder;

static Folder make_folder(void) {
  Folder d = {"/tmp/test_finding.XXXXXX"};
  ck_assert_ptr_nonnull(mkdtemp(d.path));
  return d;
}

static void put_file(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  ck_assert_int_ge(fputs(text, f), 0);
  ck_assert_int_eq(fclose(f), 0);
}

static void check_text(const WfFinding *f, const char *case_path, const char *want) {
  char *got = wf_finding_text(f, case_path);
  ck_assert_ptr_nonnull(got);
  ck_assert_str_eq(got, want);
  free(got);
}

START_TEST(test_text_race) {
  WfFinding f = race();
  check_text(&f, "out/a.case",
             "softmax/block_shuffle.published: error: race-shared\n"
             "  two threads of different warps touch the same word without a barrier between\n"
             "  case       000000001234abcd  out/a.case\n"
             "  kernel     softmax_kernel\n"
             "\n"
             "  write of 4 bytes by thread (32,0,0) of block (0,0,0), epoch 3 (block barriers passed)\n"
             "    kernels/k.cu:17:18 in block_reduce\n"
             "      called from softmax_kernel at kernels/k.cu:44:11\n"
             "\n"
             "  other side: read of 4 bytes by thread (95,0,0) of block (0,0,0), epoch 3 (block barriers passed)\n"
             "    kernels/k.cu:21:10 in block_reduce\n"
             "      called from softmax_kernel at kernels/k.cu:40:11\n"
             "\n"
             "  object     shared array 'shared', 4 bytes at byte offset 0\n"
             "  seen       12 times in this run\n"
             "  rule       PTX 8.10.1: conflicting accesses without order\n"
             "  replay     warpfuzz replay out/a.case --variant softmax/block_shuffle.published\n"
             "SUMMARY: warpfuzz: error: race-shared in softmax/block_shuffle.published: kernels/k.cu:17:18 in "
             "block_reduce and kernels/k.cu:21:10 in block_reduce\n");
}
END_TEST

/* Of a whole program: no op, variant and case. */
START_TEST(test_whole_program) {
  WfFinding f = race();
  f.op = NULL;
  f.variant = NULL;
  f.whole = "./prog";
  f.command = "WARPFUZZ_SCHEDULE=0x7 ./prog 'a b'";
  char *text = wf_finding_text(&f, NULL);
  ck_assert_int_eq(strncmp(text, "./prog: error: race-shared\n", 27), 0);
  ck_assert_ptr_nonnull(strstr(text, "\n  run        WARPFUZZ_SCHEDULE=0x7 ./prog 'a b'\nSUMMARY: warpfuzz: error: race-shared in ./prog: "));
  static const char *const gone[] = {"\n  case ", "\n  replay ", "\n  seen "};
  for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
    ck_assert_msg(strstr(text, gone[i]) == NULL, "%s", gone[i]);
  free(text);
  json_t *j = parsed(&f, NULL);
  ck_assert_str_eq(text_of(j, "program"), "./prog");
  ck_assert(json_is_null(json_object_get(j, "case_key")) && json_is_null(json_object_get(j, "op")));
  json_decref(j);
  f.simt.severity = SIMT_MEANT;
  f.simt.reason = "no harm";
  text = wf_finding_meant(&f);
  ck_assert_int_eq(strncmp(text, "meant: race-shared in ./prog: ", 30), 0);
  free(text);
}
END_TEST

START_TEST(test_text_values) {
  WfFinding f = wrong();
  check_text(&f, "it's new.case",
             "softmax/block_shuffle: error: wrong-result\n"
             "  y[0,17] is off by 0.125\n"
             "  case       0000000000000007  it's new.case\n"
             "  kernel     k\n"
             "  index      17 of 60 (first bad element, row-major, from 0)\n"
             "  reference  0.375  0x1.8p-2\n"
             "  result     0.5  0x1p-1\n"
             "  bound      9.5367431640625e-07  0x1p-20\n"
             "  ULP        4194304\n"
             "  bad        2 of 60 elements\n"
             "  seen       1 time in this run\n"
             "  map        ....##   (# bad, . good)\n"
             "             ......\n"
             "  replay     warpfuzz replay 'it'\\''s new.case' --variant softmax/block_shuffle\n"
             "SUMMARY: warpfuzz: error: wrong-result in softmax/block_shuffle\n");
}
END_TEST

START_TEST(test_text_writer_and_element) {
  WfFinding f = wrong(), r = race();
  f.writer = (SimtWhere){&write_site, {1, 0, 0}, {7, 0, 0}, 2, "write", 0, {0}};
  char *text = wf_finding_text(&f, NULL);
  ck_assert_ptr_nonnull(strstr(text, "\n  last write of 4 bytes by thread (7,0,0) of block (1,0,0), epoch 2 (block barriers passed)\n"
                                     "    kernels/k.cu:17:18 in block_reduce\n"));
  ck_assert_ptr_null(strstr(strstr(text, "SUMMARY"), "k.cu"));
  free(text);
  json_t *j = parsed(&f, NULL);
  ck_assert_int_eq(int_of(j, "writer_line"), 17);
  ck_assert(json_is_null(json_object_get(j, "line")));
  json_decref(j);
  strcpy(r.simt.element, "[3][17]");
  r.simt.offset_bytes = -4;
  text = wf_finding_text(&r, NULL);
  ck_assert_ptr_nonnull(strstr(text, "  object     shared array 'shared', element [3][17], 4 bytes at byte offset -4\n"));
  free(text);
  j = parsed(&r, NULL);
  ck_assert_str_eq(text_of(j, "element"), "[3][17]");
  ck_assert_int_eq(int_of(j, "offset_bytes"), -4);
  json_decref(j);
  r.simt.cls = SIMT_OOB_LOCAL;
  text = wf_finding_text(&r, NULL);
  ck_assert_ptr_nonnull(strstr(text, "  object     local array 'shared', element"));
  free(text);
}
END_TEST

START_TEST(test_text_outside_and_tolerance) {
  WfFinding f = wrong();
  strcpy(f.outside, "block.x is 33, and the contract wants 32");
  f.rtol = 1e-4;
  char *text = wf_finding_text(&f, "a.case");
  ck_assert_ptr_nonnull(strstr(text, "softmax/block_shuffle: error: wrong-result (outside the contract)\n"));
  ck_assert_ptr_nonnull(strstr(text, "\n  outside    block.x is 33, and the contract wants 32\n"));
  ck_assert_ptr_nonnull(strstr(text, " with --rtol 0.0001\n"));
  ck_assert_ptr_nonnull(strstr(text, " replay a.case --variant softmax/block_shuffle --outside --rtol 0.0001\n"));
  free(text);
  f.outside[0] = '\0';
  f.atol = 0.5;
  text = wf_finding_text(&f, "a.case");
  ck_assert_ptr_null(strstr(text, "outside"));
  ck_assert_ptr_nonnull(strstr(text, " --variant softmax/block_shuffle --rtol 0.0001 --atol 0.5\n"));
  free(text);
}
END_TEST

START_TEST(test_json_outside_and_tolerance) {
  WfFinding f = wrong();
  json_t *j = parsed(&f, NULL);
  ck_assert(json_is_null(json_object_get(j, "outside")) && json_is_null(json_object_get(j, "rtol")));
  json_decref(j);
  strcpy(f.outside, "a \"reason\"");
  f.rtol = 0.25;
  j = parsed(&f, NULL);
  ck_assert_str_eq(text_of(j, "outside"), "a \"reason\"");
  ck_assert(json_real_value(json_object_get(j, "rtol")) == 0.25 && json_is_null(json_object_get(j, "atol")));
  json_decref(j);
}
END_TEST

START_TEST(test_meant) {
  WfFinding f = race();
  f.simt.severity = SIMT_MEANT;
  f.simt.reason = "old or new will do\x1b";
  char *line = wf_finding_meant(&f);
  ck_assert_str_eq(line, "meant: race-shared in softmax/block_shuffle.published: kernels/k.cu:17:18 in block_reduce and "
                         "kernels/k.cu:21:10 in block_reduce: old or new will do?");
  free(line);
  json_t *j = parsed(&f, NULL);
  ck_assert_str_eq(text_of(j, "severity"), "meant");
  ck_assert_str_eq(text_of(j, "reason"), "old or new will do\x1b");
  json_decref(j);
}
END_TEST

START_TEST(test_text_special_values) {
  WfFinding f = wrong();
  f.got = NAN;
  f.expected = -INFINITY;
  f.ulp = NAN;
  char *text = wf_finding_text(&f, NULL);
  ck_assert_ptr_nonnull(strstr(text, "  reference  -inf  -inf\n  result     nan  nan\n"));
  ck_assert_ptr_null(strstr(text, "ULP"));
  ck_assert_ptr_nonnull(strstr(text, "warpfuzz replay CASE --variant"));
  free(text);
}
END_TEST

/* Another flavor than the usual one is said. */
START_TEST(test_flavor) {
  const WfVariant fast = {.name = "block_shuffle.fastmath", .flavor = WF_FASTMATH};
  WfFinding f = wrong();
  f.variant = &fast;
  char *text = wf_finding_text(&f, NULL);
  ck_assert_ptr_nonnull(strstr(text, "softmax/block_shuffle.fastmath: error: wrong-result\n"));
  ck_assert_ptr_nonnull(strstr(text, "  kernel     k\n  flavor     fastmath\n"));
  free(text);
  json_t *j = parsed(&f, NULL);
  ck_assert_str_eq(text_of(j, "flavor"), "fastmath");
  json_decref(j);
}
END_TEST

/* Source line: marked at its column behind tabs and multi-byte text; cut when long; absent when there is none. */
START_TEST(test_text_source_line) {
  static const struct {
    const char *source;
    unsigned line, column;
    const char *want;
  } rows[] = {
      {"a\nb[i] = c;\r\n", 2, 3, "         2 | b[i] = c;\n           |   ^\n"},
      {"\tx = y;", 1, 6, "         1 | \tx = y;\n           | \t    ^\n"},
      {"/* \xc3\xa9 */ x", 1, 10, "         1 | /* \xc3\xa9 */ x\n           |         ^\n"},
      {"\x1b[31m x \xff", 1, 7, "         1 | ?[31m x ?\n           |       ^\n"},
      {"short", 1, 40, "         1 | short\n"},
      {"short", 2, 1, NULL},
      {"", 1, 1, NULL},
  };
  Folder d = make_folder();
  char path[100];
  snprintf(path, sizeof path, "%s/k.cu", d.path);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    put_file(path, rows[i].source);
    SimtSite site = {path, "f", NULL, rows[i].line, (uint16_t)rows[i].column, 2, 2};
    WfFinding f = race();
    f.simt.here.site = &site;
    char *text = wf_finding_text(&f, NULL);
    if (rows[i].want)
      ck_assert_msg(strstr(text, rows[i].want) != NULL, "row %zu:\n%s", i, text);
    else
      ck_assert_ptr_null(strstr(text, " | "));
    free(text);
  }
  unlink(path);
  rmdir(d.path);
}
END_TEST

START_TEST(test_text_long_source_line) {
  Folder d = make_folder();
  char path[100], source[1001];
  snprintf(path, sizeof path, "%s/k.cu", d.path);
  memset(source, 'a', 1000);
  source[1000] = '\0';
  source[500] = 'X';
  put_file(path, source);
  SimtSite site = {path, "f", NULL, 1, 501, 2, 2};
  WfFinding f = race();
  f.simt.here.site = &site;
  char *text = wf_finding_text(&f, NULL), *x = strstr(text, "aX"), *mark = strstr(text, "^\n");
  ck_assert(x && mark);
  char *x_line = memrchr(text, '\n', (size_t)(x - text)), *mark_line = memrchr(text, '\n', (size_t)(mark - text));
  ck_assert_int_eq(x + 1 - x_line, mark - mark_line);
  ck_assert_ptr_nonnull(strstr(x, "a...\n"));
  free(text);
  unlink(path);
  rmdir(d.path);
}
END_TEST

/* A pipe of the file's name is not waited for. */
START_TEST(test_text_pipe) {
  Folder d = make_folder();
  char path[100];
  snprintf(path, sizeof path, "%s/k.cu", d.path);
  ck_assert_int_eq(mkfifo(path, 0600), 0);
  SimtSite site = {path, "f", NULL, 1, 1, 2, 2};
  WfFinding f = race();
  f.simt.here.site = &site;
  char *text = wf_finding_text(&f, NULL);
  ck_assert_ptr_null(strstr(text, " | "));
  free(text);
  unlink(path);
  rmdir(d.path);
}
END_TEST

START_TEST(test_text_hostile_names) {
  WfFinding f = race();
  SimtSite site = {"a\x1b[2J\nb\xc2\x9b\xff.cu", "f", NULL, 1, 1, 2, 2};
  f.simt.here.site = &site;
  strcpy(f.simt.detail, "line\nbreak");
  char *text = wf_finding_text(&f, "a\nb");
  ck_assert_ptr_nonnull(strstr(text, "    a?[2J?b??.cu:1:1 in f\n"));
  ck_assert_ptr_nonnull(strstr(text, "  line?break\n"));
  ck_assert_ptr_nonnull(strstr(text, " replay 'a'$'\\x0a''b' --variant"));
  char *summary = strstr(text, "\nSUMMARY: ");
  ck_assert_ptr_nonnull(summary);
  ck_assert_ptr_eq(strchr(summary + 1, '\n'), text + strlen(text) - 1);
  free(text);
}
END_TEST

static TCase *writers(void) {
  TCase *tc = tcase_create("writers");
  tcase_add_test(tc, test_class_names);
  tcase_add_test(tc, test_same_is_by_content);
  tcase_add_test(tc, test_differences);
  tcase_add_test(tc, test_id_is_stable);
  tcase_add_test(tc, test_json_race);
  tcase_add_test(tc, test_json_has_every_key);
  tcase_add_test(tc, test_json_numbers);
  tcase_add_test(tc, test_json_strings);
  tcase_add_test(tc, test_a_tool_s_finding);
  tcase_add_test(tc, test_text_race);
  tcase_add_test(tc, test_whole_program);
  tcase_add_test(tc, test_text_values);
  tcase_add_test(tc, test_text_special_values);
  tcase_add_test(tc, test_flavor);
  tcase_add_test(tc, test_text_writer_and_element);
  tcase_add_test(tc, test_text_outside_and_tolerance);
  tcase_add_test(tc, test_json_outside_and_tolerance);
  tcase_add_test(tc, test_meant);
  tcase_add_test(tc, test_text_source_line);
  tcase_add_test(tc, test_text_long_source_line);
  tcase_add_test(tc, test_text_pipe);
  tcase_add_test(tc, test_text_hostile_names);
  return tc;
}

int main(void) {
  Suite *s = suite_create("finding");
  suite_add_tcase(s, writers());
  return suite_run(s);
}
