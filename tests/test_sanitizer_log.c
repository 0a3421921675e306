/* test_sanitizer_log.c - logs of compute-sanitizer: those in tests/sanitizer say what they say, and no bytes whatever do harm. */
#define _GNU_SOURCE
#include "../fuzz/sanitizer_log.h"
#include "suite.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char tool[] = "compute-sanitizer memcheck";

/* ---- logs and what is to be read out of them ---- */

static const char *const logs[] = {
    "failed-inside",        "failed-no-call",          "failed-no-process",     "initcheck-copied",       "initcheck-global",
    "initcheck-shared",     "memcheck-assert",         "memcheck-atomic",       "memcheck-clean",         "memcheck-cluster",
    "memcheck-died",        "memcheck-driver-noise",   "memcheck-exceptions",   "memcheck-fault-nameless", "memcheck-fault-unseen",
    "memcheck-freed",       "memcheck-grid",           "memcheck-launch",       "memcheck-misaligned",    "memcheck-not-shown",
    "memcheck-null",        "memcheck-oob-after",      "memcheck-oob-before",   "memcheck-oob-local",     "memcheck-oob-shared",
    "memcheck-separators",  "memcheck-shared-limit",   "memcheck-stack",        "memcheck-status-1",      "memcheck-trap",
    "memcheck-unknown-words", "old-memcheck-places",   "old-racecheck-hazards", "old-racecheck-sites",    "old-synccheck-block",
    "racecheck-clean",      "racecheck-deadlock",      "racecheck-one-line",    "racecheck-three-sites",  "racecheck-warp",
    "racecheck-warp-all",   "racecheck-waw",           "racecheck-waw-all",     "synccheck-clean",        "synccheck-diverged-warp",
    "synccheck-mbarrier",   "synccheck-shuffle",       "synccheck-syncwarp",
};
enum { N_LOGS = sizeof logs / sizeof *logs };

/* malloc'ed, with a NUL behind it. */
static char *read_data(const char *name, const char *ending, size_t *len) {
  char path[1024];
  const char *dir = getenv("WF_SRCDIR");
  snprintf(path, sizeof path, "%s/tests/sanitizer/%s%s", dir ? dir : ".", name, ending);
  FILE *f = fopen(path, "r");
  ck_assert_msg(f != NULL, "%s: not there", path);
  char *text = malloc(1 << 20);
  *len = fread(text, 1, (1 << 20) - 1, f);
  text[*len] = '\0';
  fclose(f);
  return text;
}

static int is_empty(json_t *v) { return json_is_null(v) || (json_is_array(v) && json_array_size(v) == 0); }

/* A finding without what the log says nothing of. */
static json_t *shown_finding(const WfFinding *f) {
  static const char *const left_out[] = {"id", "op", "variant", "flavor", "dtype", "case_key", "case", "replay",
                                         "emit", "tool", "backend"};
  char *line = wf_finding_json(f, NULL);
  json_t *j = json_loads(line, 0, NULL), *out = json_object(), *v;
  const char *key;
  ck_assert_msg(j != NULL, "no JSON: %s", line);
  ck_assert_str_eq(json_string_value(json_object_get(j, "tool")), tool);
  ck_assert_str_eq(json_string_value(json_object_get(j, "backend")), "gpu");
  for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++) json_object_del(j, left_out[i]);
  json_object_foreach(j, key, v) {
    if (!is_empty(v)) json_object_set(out, key, v);
  }
  json_decref(j);
  free(line);
  return out;
}

static json_t *shown_log(const WfSanitizerLog *l) {
  json_t *lines = json_array();
  for (size_t i = 0; i < l->n_kept; i++) json_array_append_new(lines, json_string(l->unread[i]));
  return json_pack("{si,si,so,si,ss?,sb}", "other", (int)l->n_other, "not_printed", (int)l->n_not_printed, "lines", lines, "n_lines", (int)l->n_unread, "failure", l->failure,
                   "complete", l->has_summary);
}

/* One line of JSON for each finding, and one for the log; malloc'ed. */
static char *shown(const WfSanitizerLog *l) {
  char *text = NULL;
  size_t len;
  FILE *f = open_memstream(&text, &len);
  for (size_t i = 0; i <= l->n; i++) {
    json_t *j = i < l->n ? shown_finding(&l->finding[i]) : shown_log(l);
    char *line = json_dumps(j, 0);
    fprintf(f, "%s\n", line);
    free(line);
    json_decref(j);
  }
  fclose(f);
  return text;
}

START_TEST(a_log_says_what_it_says) {
  size_t len, expected_len;
  WfSanitizerLog l;
  char *text = read_data(logs[_i], ".log", &len), *expected = read_data(logs[_i], ".jsonl", &expected_len);
  ck_assert_int_eq(wf_sanitizer_log_parse(&l, text, len, tool), 0);
  char *got = shown(&l);
  ck_assert_msg(strcmp(got, expected) == 0, "%s:\n%s\nis expected, this was read:\n%s", logs[_i], expected, got);
  uint32_t errors = 0, warnings = 0;
  for (size_t i = 0; i < l.n; i++) *(l.finding[i].simt.severity == SIMT_ERROR ? &errors : &warnings) |= 1u << l.finding[i].simt.cls;
  ck_assert_uint_eq(l.errors, errors);
  ck_assert_uint_eq(l.warnings, warnings);
  free(got);
  free(text);
  free(expected);
  wf_sanitizer_log_free(&l);
}
END_TEST

/* ---- hostile logs ---- */

/* Whatever was read can be written, too. */
static void check_sane(const WfSanitizerLog *l) {
  ck_assert_uint_le(l->n, WF_LOG_FINDINGS);
  ck_assert_uint_le(l->n_kept, WF_LOG_UNREAD);
  for (size_t i = 0; i < l->n; i++) {
    json_t *j = shown_finding(&l->finding[i]);
    json_decref(j);
    char *text = wf_finding_text(&l->finding[i], "a.case");
    ck_assert_ptr_nonnull(text);
    for (const char *c = text; *c; c++) ck_assert_msg((unsigned char)*c >= 0x20 || *c == '\n' || *c == '\t', "control character in:\n%s", text);
    free(text);
  }
}

static void parse_sane(WfSanitizerLog *l, const char *text, size_t len) {
  char *copy = malloc(len ? len : 1); /* no byte behind it may be read */
  memcpy(copy, text, len);
  ck_assert_int_eq(wf_sanitizer_log_parse(l, copy, len, tool), 0);
  free(copy);
  check_sane(l);
}

/* A log that ends anywhere: until its summary is there, it is not complete. */
START_TEST(truncated_logs) {
  size_t len;
  char *text = read_data(logs[_i], ".log", &len);
  const char *summary = strstr(text, "SUMMARY: ");
  for (size_t n = 0; n <= len; n += 1 + n % 3) {
    WfSanitizerLog l;
    parse_sane(&l, text, n);
    if (!summary || n <= (size_t)(summary - text)) ck_assert_int_eq(l.has_summary, 0);
    wf_sanitizer_log_free(&l);
  }
  free(text);
}
END_TEST

/* Bytes changed, in a fixed sequence of random places. */
START_TEST(damaged_logs) {
  size_t len;
  char *text = read_data(logs[_i], ".log", &len);
  uint64_t state = 88172645463325252u + (uint64_t)_i;
  for (int round = 0; round < 200; round++) {
    WfSanitizerLog l;
    for (int k = 0; k < 4; k++) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      text[state % len] = (char)(state >> 40);
    }
    parse_sane(&l, text, len);
    wf_sanitizer_log_free(&l);
  }
  free(text);
}
END_TEST

static void parse_text(WfSanitizerLog *l, const char *text) { parse_sane(l, text, strlen(text)); }

START_TEST(thousands_of_errors) {
  char *text = NULL;
  size_t len;
  WfSanitizerLog l;
  FILE *f = open_memstream(&text, &len);
  for (int i = 0; i < 5000; i++)
    fprintf(f, "========= Invalid __global__ write of size 4 bytes\n=========     at k(float *)+0x60 in k.cu:%d\n"
               "=========     by thread (%d,0,0) in block (0,0,0)\n=========     Access to 0x10 is out of bounds\n=========\n", 1 + i % 1000, i);
  fprintf(f, "========= ERROR SUMMARY: 5000 errors\n");
  fclose(f);
  parse_sane(&l, text, len);
  ck_assert_uint_eq(l.n, WF_LOG_FINDINGS);
  ck_assert_uint_eq(l.n_dropped, (1000 - WF_LOG_FINDINGS) * 5);
  ck_assert_uint_eq(l.n_other, 0);
  for (size_t i = 0; i < l.n; i++) ck_assert_uint_eq(l.finding[i].simt.count, 5);
  wf_sanitizer_log_free(&l);
  free(text);
}
END_TEST

/* Lines of 20 MB, of all kinds, one of which has no end. */
START_TEST(endless_lines) {
  static const char *const begins[] = {"", "========= ", "=========     at ", "========= Invalid __global__ ", "=========     at k(float *)+0x",
                                       "=========     by thread (", "========= Error: Race reported between Write access at k+0x10 in "};
  const size_t n = 20 << 20;
  char *text = malloc(2 * n);
  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
    WfSanitizerLog l;
    const char fill[] = "<(:+0x1";
    size_t at = strlen(begins[i]);
    memcpy(text, begins[i], at);
    for (size_t k = 0; at < n; k++) text[at++] = fill[k % (sizeof fill - 1)];
    const char tail[] = "\n========= ERROR SUMMARY: 0 errors\n=========     at ";
    memcpy(text + n, tail, sizeof tail - 1);
    parse_sane(&l, text, n + sizeof tail - 1);
    ck_assert_int_eq(l.has_summary, 1);
    wf_sanitizer_log_free(&l);
  }
  free(text);
}
END_TEST

START_TEST(bytes_of_all_kinds) {
  char text[4096];
  uint64_t state = 7;
  for (int round = 0; round < 2000; round++) {
    WfSanitizerLog l;
    for (size_t i = 0; i < sizeof text; i++) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      text[i] = (char)(state >> 56);
      if (i % 97 == 0 && i + 11 < sizeof text) memcpy(text + i, "\n========= ", 11), i += 10;
    }
    parse_sane(&l, text, sizeof text);
    ck_assert_int_eq(l.has_summary, 0);
    wf_sanitizer_log_free(&l);
  }
}
END_TEST

/* An escape sequence in a name reaches no terminal, a NUL hides nothing that follows it. */
START_TEST(control_characters) {
  static const char text[] = "========= Invalid __global__ read of size 4 bytes\n=========     at k\033[2J\0x(float *)+0x60 in k\033.cu:4\n"
                             "=========     by thread (0,0,0) in block (0,0,0)\n=========     Access to 0x10 is out of bounds\n"
                             "========= What is\033[1mthis?\n========= ERROR SUMMARY: 1 error\n";
  WfSanitizerLog l;
  parse_sane(&l, text, sizeof text - 1);
  ck_assert_uint_eq(l.n, 1);
  ck_assert_str_eq(l.finding[0].simt.here.site->file, "k?.cu");
  ck_assert_str_eq(l.finding[0].simt.here.site->func, "k?[2J?x");
  ck_assert_str_eq(l.unread[0], "What is?[1mthis?");
  wf_sanitizer_log_free(&l);
}
END_TEST

/* Numbers that do not fit are not read, and are no others. */
START_TEST(numbers_that_do_not_fit) {
  WfSanitizerLog l;
  parse_text(&l, "========= Invalid __global__ read of size 99999999999999999999 bytes\n=========     at k(float *)+0x60 in k.cu:99999999999\n"
                 "=========     by thread (4294967296,0,0) in block (0,0,0)\n=========     Access to 0x123456789abcdef01 is out of bounds\n"
                 "=========     and is 1 bytes after the nearest allocation at 0x10 of size 4 bytes\n========= ERROR SUMMARY: 1 error\n");
  ck_assert_uint_eq(l.n, 1);
  const WfFinding *f = &l.finding[0];
  ck_assert_uint_eq(f->simt.size_bytes, 0);
  ck_assert_ptr_null(f->simt.here.site->file);
  ck_assert_uint_eq(f->simt.here.thread[0], WF_NOT_KNOWN);
  ck_assert_int_eq(f->simt.offset_bytes, WF_NO_OFFSET);
  wf_sanitizer_log_free(&l);
}
END_TEST

/* An error after a warning at the same places makes the finding an error. */
START_TEST(the_graver_severity_stays) {
  WfSanitizerLog l;
  parse_text(&l, "========= Warning: Race reported between Write access at k+0x10 in k.cu:5\n=========     and Read access at k+0x20 in k.cu:6 [2 hazards]\n"
                 "=========\n========= Error: Race reported between Read access at k+0x20 in k.cu:6\n"
                 "=========     and Write access at k+0x10 in k.cu:5 [3 hazards]\n=========\n"
                 "========= RACECHECK SUMMARY: 2 hazards displayed (1 error, 1 warning)\n");
  ck_assert_uint_eq(l.n, 1);
  ck_assert_int_eq(l.finding[0].simt.severity, SIMT_ERROR);
  ck_assert_uint_eq(l.finding[0].simt.count, 5);
  ck_assert_uint_eq(l.told_errors, 1);
  ck_assert_uint_eq(l.told_warnings, 1);
  wf_sanitizer_log_free(&l);
}
END_TEST

/* ---- places ---- */

static const struct {
  const char *text, *kernel, *function, *file;
  uint32_t line;
} places[] = {
    {"k(float *)+0xb0 in k.cu:20", "", "k", "k.cu", 20},
    {"k+0xb0", "", "k", "", 0},
    {"void scan<(int)5, f<(bool)1>>(T1 *)+0xf0 in a b/s.cu:7", "", "scan<(int)5, f<(bool)1>>", "a b/s.cu", 7},
    {"[clone stack(float *)] rec(int, volatile int *)+0x100 in p.cu:17", "stack", "rec", "p.cu", 17},
    {"0x6360 in /home/u/w.cu:123:window(pixel const*, int)", "", "window", "/home/u/w.cu", 123},
    {"0xb0 in k(float *)", "", "k", "", 0},
    {"0x79d8", "", "", "", 0},
    {"k():0x160 in m.cu:6", "", "k", "m.cu", 6},
    {"(anonymous namespace)::k<float>(float *)+0x10 in k.cu:1", "", "(anonymous namespace)::k<float>", "k.cu", 1},
    {"f::operator()(int) const+0x10 in k.cu:1", "", "f::operator()", "k.cu", 1},
    {"unsigned int sum<(int)32>(unsigned int)+0x10 in C:\\k.cu:9", "", "sum<(int)32>", "C:\\k.cu", 9},
    {"NVIDIA Internal [0x520]", "", "NVIDIA Internal [0x520]", "", 0},
    {"k(float *)+0xb0 in k.cu:", "", "k", "", 0},
    {"", "", "", "", 0},
};

static void check_span(WfSpan got, const char *wanted) {
  ck_assert_msg(got.n == strlen(wanted) && memcmp(got.s, wanted, got.n) == 0, "'%.*s', not '%s'", (int)got.n, got.s, wanted);
}

START_TEST(places_of_all_versions) {
  WfPlace p;
  wf_place_parse((WfSpan){places[_i].text, strlen(places[_i].text)}, &p);
  check_span(p.kernel, places[_i].kernel);
  check_span(p.function, places[_i].function);
  check_span(p.file, places[_i].file);
  ck_assert_uint_eq(p.line, places[_i].line);
}
END_TEST

int main(void) {
  Suite *s = suite_create("sanitizer-log");
  TCase *t = tcase_create("logs");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 0);
  tcase_add_loop_test(t, a_log_says_what_it_says, 0, N_LOGS);
  tcase_add_loop_test(t, places_of_all_versions, 0, (int)(sizeof places / sizeof *places));
  tcase_add_test(t, the_graver_severity_stays);
  t = tcase_create("hostile");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 0);
  tcase_add_loop_test(t, truncated_logs, 0, N_LOGS);
  tcase_add_loop_test(t, damaged_logs, 0, N_LOGS);
  tcase_add_test(t, thousands_of_errors);
  tcase_add_test(t, endless_lines);
  tcase_add_test(t, bytes_of_all_kinds);
  tcase_add_test(t, control_characters);
  tcase_add_test(t, numbers_that_do_not_fit);
  return suite_run(s);
}
