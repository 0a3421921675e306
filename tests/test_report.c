/* test_report.c - reports: what is read back, what counts, and what the writers make of it, hostile texts included. */
#define _GNU_SOURCE
#include "../fuzz/report.h"
#include "suite.h"
#include "work_dir.h"
#include <jansson.h>
#include <math.h>
#include <unistd.h>

static char dir[WORK_DIR_MAX];

static void set_up(void) { work_dir_make(dir); }
static void tear_down(void) { work_dir_remove(dir); }

static void put(const char *name, const char *text) {
  char path[WORK_PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  ck_assert_int_ge(fputs(text, f), 0);
  ck_assert_int_eq(fclose(f), 0);
}

/* A race of two sides in k.cu, lines 3 and 5; `more` are further members, with a comma in front. */
static const char *race(const char *id, const char *variant, const char *severity, const char *state, const char *more) {
  static char line[2048];
  snprintf(line, sizeof line,
           "{\"id\":\"%s\",\"severity\":\"%s\",\"class\":\"race-shared\",\"op\":\"softmax\",\"variant\":\"%s\",\"kernel\":\"k\",\"file\":\"k.cu\",\"line\":3,"
           "\"column\":7,\"function\":\"f\",\"call_path\":[{\"function\":\"k\",\"file\":\"k.cu\",\"line\":9,\"column\":3}],\"access\":\"write\","
           "\"thread\":[32,0,0],\"block\":[0,0,0],\"epoch\":1,\"other_file\":\"k.cu\",\"other_line\":5,\"other_column\":2,\"other_function\":\"g\","
           "\"other_call_path\":[],\"other_access\":\"read\",\"other_thread\":[1,0,0],\"other_block\":[0,0,0],\"other_epoch\":1,\"launch_grid\":[4,1,1],"
           "\"launch_block\":[64,1,1],\"launch_shared_bytes\":128,\"scalars\":{\"eps\":0.25,\"scale\":\"inf\"},\"object\":\"s\",\"count\":3,\"message\":\"two threads\",\"state\":%s%s%s%s}\n",
           id, severity, variant, state ? "\"" : "", state ? state : "null", state ? "\"" : "", more);
  return line;
}

static void put_findings(const char *const *lines, size_t n) {
  char all[16384] = "";
  for (size_t i = 0; i < n; i++) strcat(all, lines[i]);
  put("findings.jsonl", all);
}

static void read_path(WfReport *r, const char *path, int strict) {
  char err[512] = "";
  const WfReportOptions opt = {.sources = dir, .strict = strict};
  ck_assert_msg(wf_report_read(r, &path, 1, &opt, err, sizeof err) == 0, "%s", err);
}

static void read_dir(WfReport *r, int strict) { read_path(r, dir, strict); }

static void put_one(const char *line) { put_findings(&line, 1); }

/* One finding of each state, a warning, one outside the contract and a race that is meant. */
static void put_all_states(void) {
  static const char *const states[] = {"new", "open", "known", "gone", "missed"};
  char *lines[8];
  for (int i = 0; i < 5; i++) {
    char id[20];
    snprintf(id, sizeof id, "%016d", i + 1);
    lines[i] = strdup(race(id, "a", "error", states[i], i == 2 ? ",\"reason\":\"because\"" : ""));
  }
  lines[5] = strdup(race("000000000000000a", "b", "warning", "open", ""));
  lines[6] = strdup(race("000000000000000b", "c", "error", "open", ",\"outside\":\"cols\""));
  lines[7] = strdup(race("000000000000000c", "d", "meant", NULL, ",\"reason\":\"meant so\""));
  put_findings((const char *const *)lines, 8);
  for (int i = 0; i < 8; i++) free(lines[i]);
}

/* ---- reading ---- */

START_TEST(test_a_finding) {
  WfReport r;
  put_one(race("0123456789abcdef", "v", "error", "new", ",\"index\":17,\"expected\":\"-inf\",\"got\":\"nan\",\"bound\":0.5,\"n_bad\":1,\"n_elems\":60"));
  read_dir(&r, 0);
  ck_assert_uint_eq(r.n_findings, 1);
  const WfReportFinding *f = r.findings;
  ck_assert_int_eq(f->cls, SIMT_RACE_SHARED);
  ck_assert_int_eq(f->state, WF_STATE_NEW);
  ck_assert_int_eq(f->here.line, 3);
  ck_assert_str_eq(f->here.frames[0].function, "k");
  ck_assert_int_eq(f->here.frames[0].line, 9);
  ck_assert_uint_eq(f->other.thread[0], 1);
  ck_assert_uint_eq(f->grid[0], 4);
  ck_assert(isinf(f->expected) && f->expected < 0 && isnan(f->got));
  ck_assert_int_eq(f->index, 17);
  ck_assert_int_eq(f->counts, 1);
  ck_assert_ptr_null(f->case_path);
  wf_report_free(&r);
}
END_TEST

START_TEST(test_what_counts) {
  for (int strict = 0; strict < 2; strict++) {
    WfReport r;
    put_all_states();
    read_dir(&r, strict);
    ck_assert_uint_eq(r.n_findings, 8);
    ck_assert_uint_eq(r.n_counting, strict ? 3 : 2); /* new, open; the warning */
    ck_assert_uint_eq(r.by_state[WF_STATE_OPEN], 2);
    ck_assert_uint_eq(r.n_outside, 1);
    ck_assert_uint_eq(r.n_meant, 1);
    ck_assert_str_eq(r.findings[0].id, "0000000000000001"); /* new first, what is meant last */
    ck_assert_str_eq(r.findings[7].id, "000000000000000c");
    ck_assert_uint_eq(r.n_variants, 4);
    ck_assert_int_eq(r.variants[0].verdict, WF_VERDICT_ERROR);
    ck_assert_int_eq(r.variants[1].verdict, WF_VERDICT_WARNING);
    ck_assert_int_eq(r.variants[2].verdict, WF_VERDICT_CLEAN);
    wf_report_free(&r);
  }
}
END_TEST

/* A directory without any of the newer files and members. */
START_TEST(test_older_directories) {
  WfReport r;
  put_one("{\"id\":\"01\",\"severity\":\"error\",\"class\":\"oob-global\",\"op\":\"add\",\"variant\":\"v\",\"case\":null}\n");
  read_dir(&r, 0);
  ck_assert_uint_eq(r.n_runs, 0);
  ck_assert_int_eq(r.findings[0].state, WF_STATE_FOUND);
  ck_assert_int_eq(r.findings[0].counts, 1);
  ck_assert_ptr_null(r.findings[0].here.function);
  char *html = wf_report_html(&r, "1"), *junit = wf_report_junit(&r);
  ck_assert_ptr_nonnull(strstr(html, "<h1>1 finding</h1>"));
  ck_assert_ptr_nonnull(strstr(junit, "<failure type=\"oob-global\""));
  free(html);
  free(junit);
  wf_report_free(&r);
}
END_TEST

START_TEST(test_nothing_found) {
  WfReport r;
  char err[512], path[WORK_PATH_MAX];
  const WfReportOptions opt = {0};
  ck_assert_int_eq(wf_report_read(&r, &(const char *){dir}, 1, &opt, err, sizeof err), -1);
  ck_assert_ptr_nonnull(strstr(err, "no output of warpfuzz"));
  snprintf(path, sizeof path, "%s/nowhere", dir);
  ck_assert_int_eq(wf_report_read(&r, &(const char *){path}, 1, &opt, err, sizeof err), -1);
  ck_assert_ptr_nonnull(strstr(err, "nowhere: No such file"));
  put("runs.jsonl", "{\"run\":\"r\",\"started\":\"2026-11-30T00:00:00Z\",\"ended\":\"2026-11-30T01:01:00Z\",\"executions\":5,\"variants\":["
                    "{\"op\":\"add\",\"variant\":\"mine\",\"executions\":5},{\"op\":\"add\",\"variant\":\"other\",\"executions\":0}]}\n");
  read_dir(&r, 0);
  ck_assert_uint_eq(r.n_findings, 0);
  ck_assert_int_eq(r.variants[0].verdict, WF_VERDICT_CLEAN);
  ck_assert_int_eq(r.variants[1].verdict, WF_VERDICT_NOT_RUN);
  ck_assert(r.runs[0].elapsed_s == 3660);
  char *html = wf_report_html(&r, "1");
  ck_assert_ptr_nonnull(strstr(html, "No findings that count"));
  ck_assert_ptr_nonnull(strstr(html, "5 executions in 1 h 1 min"));
  free(html);
  wf_report_free(&r);
}
END_TEST

/* Lines that a crash cut off, no JSON, no objects, or of another kind. */
START_TEST(test_broken_lines) {
  WfReport r;
  char all[8192];
  snprintf(all, sizeof all, "%s[1]\n\n{\"id\":5}\nnonsense\n{\"id\":\"1\",\"id\":\"2\"}\n{\"id\":\"02\",\"severity\":\"error\",\"class\":\"hang\",\"op\":\"softmax\",\"variant\":\"v\"}", race("01", "v", "error", "new", ""));
  put("findings.jsonl", all);
  put("progress.jsonl", "{\"t_s\":-1}\n{\"t_s\":1,\"workers\":7}\n{\"t_s\":\"x\"}\n");
  put("tried.jsonl", "{\"op\":\"softmax\",\"variant\":\"v\",\"maps\":[{\"x\":\"a\",\"y\":\"b\",\"cells\":[[0,0,1,0],[0,0,1],[99,0,1,0],[-2,0,1,0],[\"a\",0,1,0]]}],"
                     "\"ulp\":[{\"size_bin\":1,\"worst_ulp\":\"nan\"},{\"size_bin\":900,\"worst_ulp\":1}]}\n");
  put("coverage.jsonl", "{\"file\":\"k.cu\",\"lines\":[[1,1],[0,1],[\"2\",1],[3]]}\n");
  read_dir(&r, 0);
  ck_assert_uint_eq(r.n_findings, 1);
  ck_assert_uint_eq(r.n_bad_lines, 5 + 2);
  ck_assert_uint_eq(r.n_points, 1);
  ck_assert_uint_eq(r.variants[0].n_maps, 1);
  ck_assert_uint_eq(r.variants[0].maps[0].n_cells, 1);
  ck_assert_uint_eq(r.variants[0].n_ulp, 0);
  ck_assert_uint_eq(r.covers[0].n_lines, 1);
  free(wf_report_html(&r, "1"));
  wf_report_free(&r);
}
END_TEST

/* Of two lines with one id the later counts, but in a log they add up. */
START_TEST(test_a_log) {
  WfReport r;
  char path[WORK_PATH_MAX];
  static const char line[] = "{\"id\":\"01\",\"severity\":\"error\",\"class\":\"race-shared\",\"op\":null,\"variant\":null,\"program\":\"./prog\",\"kernel\":\"k\",\"count\":2}\n";
  char twice[sizeof line * 2];
  snprintf(twice, sizeof twice, "%s%s", line, line);
  put("found.jsonl", twice);
  snprintf(path, sizeof path, "%s/found.jsonl", dir);
  read_path(&r, path, 0);
  ck_assert_int_eq(r.is_log, 1);
  ck_assert_uint_eq(r.n_findings, 1);
  ck_assert_int_eq(r.findings[0].count, 4);
  ck_assert_str_eq(r.variants[0].op, "./prog");
  ck_assert_str_eq(r.variants[0].variant, "k");
  wf_report_free(&r);
  put("findings.jsonl", twice);
  read_dir(&r, 0);
  ck_assert_int_eq(r.findings[0].count, 2);
  wf_report_free(&r);
}
END_TEST

/* The directory was moved: its cases are found in it. A case at which the harness failed is an error of its variant. */
START_TEST(test_cases) {
  WfReport r;
  put_one(race("01", "v", "error", "new", ",\"case\":\"elsewhere/a.case\""));
  put("a.case", "warpfuzz case 1\nop softmax\nblock 64 2 1\n");
  put("harness-softmax-w-01.case", "warpfuzz case 1\nop softmax\nvariant w\nrows 1\n");
  read_dir(&r, 0);
  ck_assert_str_eq(r.findings[0].case_text, "warpfuzz case 1\nop softmax\nblock 64 2 1\n");
  ck_assert_uint_eq(r.n_failures, 1);
  ck_assert_str_eq(r.variants[1].variant, "w");
  ck_assert_int_eq(r.variants[1].verdict, WF_VERDICT_ERROR);
  char *junit = wf_report_junit(&r);
  ck_assert_ptr_nonnull(strstr(junit, "<error type=\"harness\" message=\"the harness failed at 1 case\"/>"));
  free(junit);
  wf_report_free(&r);
}
END_TEST

/* ---- fingerprints ---- */

static const char source[] = "__device__ void f(int *s) {\n\n  s[0] = 1;\n\n  s[1] = s[0];\n}\n\nvoid k() {\n  f();\n}\n";

START_TEST(test_fingerprints) {
  WfReport r;
  char here[17], moved[17], other[17];
  put("k.cu", source);
  put_one(race("01", "v", "error", "new", ""));
  read_dir(&r, 0);
  ck_assert_int_eq(wf_report_fingerprint(&r, r.findings, here), 0);
  wf_report_free(&r);
  char shifted[512]; /* two lines more above, other blanks; the sides the other way round */
  snprintf(shifted, sizeof shifted, "// one\n// two\n%s", source);
  put("k.cu", shifted);
  char *line = strdup(race("02", "v", "error", "new", ",\"x\":0"));
  put_one(line);
  free(line);
  read_dir(&r, 0);
  r.findings[0].here.line = 7;
  r.findings[0].other.line = 5;
  r.findings[0].here.function = "g";
  r.findings[0].other.function = "f";
  ck_assert_int_eq(wf_report_fingerprint(&r, r.findings, moved), 0);
  ck_assert_str_eq(here, moved);
  r.findings[0].variant = "w";
  ck_assert_int_eq(wf_report_fingerprint(&r, r.findings, other), 0);
  ck_assert_str_ne(here, other);
  r.findings[0].here.line = 700;
  ck_assert_int_eq(wf_report_fingerprint(&r, r.findings, other), -1);
  wf_report_free(&r);
}
END_TEST

/* ---- writers ---- */

static json_t *sarif_of(const WfReport *r) {
  char *text = wf_report_sarif(r, "1.2.3");
  ck_assert_ptr_nonnull(text);
  json_t *j = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  ck_assert_ptr_nonnull(j);
  free(text);
  return j;
}

static const json_t *result_of(const json_t *sarif, size_t i) {
  return json_array_get(json_object_get(json_array_get(json_object_get(sarif, "runs"), 0), "results"), i);
}

static const char *at(const json_t *j, const char *key) {
  const char *s = json_string_value(json_object_get(j, key));
  return s ? s : "";
}

static const json_t *place(const json_t *location) { return json_object_get(location, "physicalLocation"); }

START_TEST(test_sarif) {
  WfReport r;
  put("k.cu", source);
  put_all_states();
  read_dir(&r, 0);
  json_t *j = sarif_of(&r);
  const json_t *run = json_array_get(json_object_get(j, "runs"), 0), *driver = json_object_get(json_object_get(run, "tool"), "driver");
  ck_assert_str_eq(at(driver, "version"), "1.2.3");
  ck_assert_str_eq(at(json_array_get(json_object_get(driver, "rules"), 0), "id"), "race-shared");
  const json_t *first = result_of(j, 0), *location = json_array_get(json_object_get(first, "locations"), 0);
  ck_assert_str_eq(at(first, "level"), "error");
  ck_assert_str_eq(at(first, "baselineState"), "new");
  ck_assert_str_eq(at(json_object_get(place(location), "artifactLocation"), "uri"), "k.cu");
  ck_assert_str_eq(at(json_object_get(place(location), "artifactLocation"), "uriBaseId"), "SRCROOT");
  ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(place(location), "region"), "startLine")), 3);
  const json_t *related = json_array_get(json_object_get(first, "relatedLocations"), 0);
  ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(place(related), "region"), "startLine")), 5);
  const json_t *flows = json_object_get(json_array_get(json_object_get(first, "codeFlows"), 0), "threadFlows");
  ck_assert_uint_eq(json_array_size(flows), 2);
  ck_assert_uint_eq(json_array_size(json_object_get(json_array_get(flows, 0), "locations")), 2); /* the call, then the access */
  ck_assert_str_eq(at(json_object_get(first, "partialFingerprints"), "warpfuzz/id/v1"), "0000000000000001");
  ck_assert_uint_eq(strlen(at(json_object_get(first, "partialFingerprints"), "warpfuzz/source/v1")), 16);
  static const struct {
    const char *id, *baseline, *suppressed, *level;
  } rows[] = {{"0000000000000002", "unchanged", "", "error"}, {"0000000000000003", "unchanged", "external", "error"},
              {"0000000000000004", "absent", "", "error"},    {"0000000000000005", "unchanged", "", "error"},
              {"000000000000000a", "unchanged", "", "warning"}, {"000000000000000b", "unchanged", "", "note"},
              {"000000000000000c", "", "inSource", "note"}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    size_t i = 0;
    while (i < 8 && strcmp(at(json_object_get(result_of(j, i), "partialFingerprints"), "warpfuzz/id/v1"), rows[k].id) != 0) i++;
    const json_t *result = result_of(j, i);
    ck_assert_str_eq(at(result, "baselineState"), rows[k].baseline);
    ck_assert_str_eq(at(result, "level"), rows[k].level);
    ck_assert_str_eq(at(json_array_get(json_object_get(result, "suppressions"), 0), "kind"), rows[k].suppressed);
  }
  json_decref(j);
  wf_report_free(&r);
}
END_TEST

static size_t count_of(const char *text, const char *what) {
  size_t n = 0;
  for (const char *p = text; (p = strstr(p, what)); p++) n++;
  return n;
}

START_TEST(test_junit) {
  for (int strict = 0; strict < 2; strict++) {
    WfReport r;
    put_all_states();
    read_dir(&r, strict);
    char *text = wf_report_junit(&r);
    ck_assert_uint_eq(count_of(text, "<failure "), strict ? 3 : 2);
    ck_assert_uint_eq(count_of(text, "<testcase "), 4);
    ck_assert_ptr_nonnull(strstr(text, strict ? "tests=\"4\" failures=\"2\" errors=\"0\"" : "tests=\"4\" failures=\"1\" errors=\"0\""));
    ck_assert_ptr_nonnull(strstr(text, "error, known, race-shared"));
    ck_assert_ptr_nonnull(strstr(text, "error, gone, race-shared"));
    free(text);
    wf_report_free(&r);
  }
}
END_TEST

/* Markup, quotes, control characters and broken UTF-8, in every text there is and in the source itself. */
START_TEST(test_hostile_texts) {
  static const char evil[] = "</script><script data-foreign>alert(1)</script><img data-foreign src=x onerror=alert(1)>\\\"' ]]> &amp; \\u001b[31m\\u202e %s";
  char more[2048], line[8192];
  WfReport r;
  snprintf(more, sizeof more,
           ",\"rule\":\"%s\",\"reason\":\"%s\",\"element\":\"%s\",\"case\":\"%s\",\"replay\":\"%s\",\"emit\":\"%s\",\"first_seen\":\"%s\",\"device\":\"%s\",\"map\":[\"%s\"]", evil, evil,
           evil, evil, evil, evil, evil, evil, evil);
  snprintf(line, sizeof line, "{\"id\":\"%s\",\"severity\":\"error\",\"class\":\"%s\",\"op\":\"%s\",\"variant\":\"%s\",\"kernel\":\"%s\",\"file\":\"k.cu\",\"line\":1,"
                              "\"column\":2,\"function\":\"%s\",\"access\":\"%s\",\"other_file\":\"%s\",\"other_line\":2,\"other_function\":\"%s\",\"object\":\"%s\",\"message\":\"%s\"%s}\n",
           evil, evil, evil, evil, evil, evil, evil, evil, evil, evil, evil, more);
  put("findings.jsonl", line);
  put("k.cu", "x</pre><script data-foreign>alert(1)</script>\x1b[31m\xff\xfe\r\n\0");
  put("runs.jsonl", "{\"run\":\"</title><script data-foreign>\",\"started\":\"<b data-foreign>\",\"host\":\"<i data-foreign>\",\"arguments\":[\"<u data-foreign>\"],\"variants\":[]}\n");
  put("coverage.jsonl", "{\"file\":\"<s data-foreign>\",\"lines\":[[1,0]]}\n{\"file\":\"k.cu\",\"lines\":[[1,0]]}\n");
  put("tried.jsonl", "{\"op\":\"<q data-foreign>\",\"variant\":\"<q data-foreign>\",\"maps\":[{\"x\":\"<q data-foreign>\",\"y\":\"<q data-foreign>\",\"cells\":[[0,0,1,0]]}],"
                     "\"ulp\":[{\"size_bin\":1,\"worst_ulp\":1,\"worst_share_of_bound\":1,\"case_key\":\"<q data-foreign>\"}]}\n");
  read_dir(&r, 0);
  ck_assert_uint_eq(r.n_findings, 1);
  char *html = wf_report_html(&r, "<v data-foreign>"), *junit = wf_report_junit(&r), *text = wf_report_text(&r);
  static const char *const tags[] = {"<script data", "<img", "<b data", "<i data", "<u data", "<q ", "<s data", "<v data", "\x1b", "\xff", "\xe2\x80\xae"};
  for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) ck_assert_msg(!strstr(html, tags[i]), "%s in the page", tags[i]);
  ck_assert_uint_eq(count_of(html, "<script"), 1);
  ck_assert_uint_eq(count_of(html, "</script"), 1);
  ck_assert_ptr_null(strstr(junit, "<script"));
  ck_assert_ptr_null(strstr(junit, "\x1b"));
  ck_assert_ptr_null(strstr(text, "\x1b"));
  json_t *j = sarif_of(&r);
  ck_assert_ptr_nonnull(strstr(at(json_object_get(result_of(j, 0), "message"), "text"), "alert(1)"));
  json_decref(j);
  free(html);
  free(junit);
  free(text);
  wf_report_free(&r);
}
END_TEST

static int has(const char *text, const char *wanted) { return strstr(text, wanted) != NULL; }

START_TEST(test_page) {
  WfReport r;
  put("k.cu", source);
  put_one(race("01", "v", "error", "new", ",\"replay\":\"warpfuzz replay x.case\""));
  read_dir(&r, 0);
  char *html = wf_report_html(&r, "1");
  ck_assert(has(html, "<h1>1 new finding</h1>"));
  ck_assert(has(html, "Race in shared memory"));
  ck_assert(has(html, "<span class=\"hit\"><i>3</i>  s[0] = 1;</span><span class=\"caret\"><i></i>      ^</span>")); /* column 7 */
  ck_assert(has(html, "write by thread (32, 0, 0) of block (0, 0, 0), after 1 barrier"));
  ck_assert(has(html, "called from <code>k</code> at <code>k.cu:9:3</code>"));
  ck_assert(has(html, "Threads of the block: 64 &times; 1 &times; 1"));
  ck_assert(has(html, "Blocks of the grid: 4 &times; 1 &times; 1"));
  ck_assert(has(html, "grid (4, 1, 1), block (64, 1, 1), 128 bytes of shared memory"));
  ck_assert(has(html, "eps = 0.25, scale = inf"));
  ck_assert(has(html, "warpfuzz replay x.case"));
  ck_assert(!has(html, "http:") && !has(html, "https:") && !has(html, "url(") && !has(html, "@import"));
  free(html);
  unlink("k.cu");
  put("k.cu", "short\n");
  html = wf_report_html(&r, "1");
  ck_assert(has(html, "The file has no such line any more."));
  free(html);
  r.findings[0].here.file = "gone.cu";
  html = wf_report_html(&r, "1");
  ck_assert(has(html, "The source is not here."));
  free(html);
  wf_report_free(&r);
}
END_TEST

int main(void) {
  Suite *s = suite_create("report");
  TCase *t = tcase_create("report");
  tcase_add_checked_fixture(t, set_up, tear_down);
  tcase_add_test(t, test_a_finding);
  tcase_add_test(t, test_what_counts);
  tcase_add_test(t, test_older_directories);
  tcase_add_test(t, test_nothing_found);
  tcase_add_test(t, test_broken_lines);
  tcase_add_test(t, test_a_log);
  tcase_add_test(t, test_cases);
  tcase_add_test(t, test_fingerprints);
  tcase_add_test(t, test_sarif);
  tcase_add_test(t, test_junit);
  tcase_add_test(t, test_hostile_texts);
  tcase_add_test(t, test_page);
  suite_add_tcase(s, t);
  return suite_run(s);
}
