/* test_report_data.c - reports of several logs, of launches that run at the same time, and what runs.jsonl says of a run: seed, seconds, contract. */
#define _GNU_SOURCE
#include "../fuzz/report.h"
#include "suite.h"
#include "work_dir.h"
#include <check.h>
#include <jansson.h>
#include <stdlib.h>

static char dir[WORK_DIR_MAX], path[3][WORK_PATH_MAX];

static void set_up(void) { work_dir_make(dir); }
static void tear_down(void) { work_dir_remove(dir); }

static void put(const char *name, const char *text) {
  char at[WORK_PATH_MAX];
  snprintf(at, sizeof at, "%s/%s", dir, name);
  FILE *f = fopen(at, "w");
  ck_assert_ptr_nonnull(f);
  ck_assert_int_ge(fputs(text, f), 0);
  ck_assert_int_eq(fclose(f), 0);
}

static int has(const char *text, const char *what) { return strstr(text, what) != NULL; }

static char err[512];

static int read_paths(WfReport *r, size_t n) {
  const char *const paths[] = {path[0], path[1], path[2]};
  const WfReportOptions opt = {.sources = dir};
  *err = '\0';
  return wf_report_read(r, paths, n, &opt, err, sizeof err);
}

static void name_paths(const char *a, const char *b, const char *c) {
  const char *const names[] = {a, b, c};
  for (int i = 0; i < 3; i++) snprintf(path[i], sizeof path[i], "%s/%s", dir, names[i]);
}

/* ---- logs ---- */

#define FINDING(id, program, count) \
  "{\"id\":\"" id "\",\"severity\":\"error\",\"class\":\"oob-global\",\"program\":\"" program "\",\"kernel\":\"k\",\"count\":" count "}\n"

/* Of one program counts add up over logs; two programs may share a source, and so an id. */
START_TEST(test_logs) {
  WfReport r;
  put("a.jsonl", FINDING("01", "./one", "2"));
  put("b.jsonl", FINDING("01", "./one", "3") FINDING("01", "./two", "1") FINDING("02", "./two", "1"));
  put("c.jsonl", "");
  name_paths("a.jsonl", "b.jsonl", "c.jsonl");
  ck_assert_int_eq(read_paths(&r, 3), 0);
  ck_assert_uint_eq(r.n_findings, 3);
  ck_assert_uint_eq(r.n_variants, 2);
  ck_assert_int_eq(r.findings[0].count, 5);
  ck_assert_str_eq(r.findings[1].program, "./two");
  ck_assert(has(r.dir, "a.jsonl, ") && has(r.dir, "c.jsonl"));
  char *html = wf_report_html(&r, "1"), *junit = wf_report_junit(&r);
  ck_assert(has(html, "id=\"f-01\"") && has(html, "id=\"f-01-2\"") && has(html, "href=\"#f-01-2\""));
  ck_assert(has(junit, "<testsuite name=\"./one\"") && has(junit, "<testsuite name=\"./two\""));
  free(html);
  free(junit);
  wf_report_free(&r);
}
END_TEST

/* One that is none of ours is told, whatever the others hold; a directory stands alone. */
START_TEST(test_bad_logs) {
  WfReport r;
  put("a.jsonl", FINDING("01", "./one", "2"));
  put("b.jsonl", "a text\n{\"id\":3}\n");
  name_paths("a.jsonl", "b.jsonl", "nowhere");
  ck_assert_int_eq(read_paths(&r, 2), -1);
  ck_assert(has(err, "b.jsonl: no line of it is a finding"));
  name_paths("a.jsonl", "nowhere", "");
  ck_assert_int_eq(read_paths(&r, 2), -1);
  ck_assert(has(err, "nowhere: No such file"));
  name_paths("a.jsonl", ".", "");
  ck_assert_int_eq(read_paths(&r, 2), -1);
  ck_assert(has(err, "is a directory: a report is of one directory, or of logs"));
  put("b.jsonl", "a text\n" FINDING("02", "./one", "1")); /* a line that was cut off is left out */
  name_paths("a.jsonl", "b.jsonl", "");
  ck_assert_int_eq(read_paths(&r, 2), 0);
  ck_assert_uint_eq(r.n_findings, 2);
  ck_assert_uint_eq(r.n_bad_lines, 1);
  wf_report_free(&r);
}
END_TEST

/* ---- launches ---- */

/* A race of launches `number` and 1, which are in k.cu at lines 5 and 3 of main(). */
static void put_race(const char *number) {
  char line[2048];
  snprintf(line, sizeof line,
           "{\"id\":\"01\",\"severity\":\"error\",\"class\":\"race-global\",\"program\":\"./p\",\"kernel\":\"b\",\"file\":\"k.cu\",\"line\":2,\"function\":\"b\","
           "\"access\":\"write\",\"thread\":[0,0,0],\"block\":[0,0,0],\"launch_kernel\":\"b<int>\",\"launch_number\":%s,\"launch_file\":\"k.cu\",\"launch_line\":5,"
           "\"launch_column\":4,\"launch_function\":\"main\",\"other_file\":\"k.cu\",\"other_line\":1,\"other_function\":\"a\",\"other_access\":\"write\","
           "\"other_thread\":[0,0,0],\"other_block\":[0,0,0],\"other_launch_kernel\":\"a\",\"other_launch_number\":1,\"other_launch_file\":\"k.cu\","
           "\"other_launch_line\":3,\"other_launch_column\":2,\"other_launch_function\":\"main\",\"launch_grid\":[1,1,1],\"launch_block\":[32,1,1]}\n", number);
  put("log", line);
  put("k.cu", "void a();\nvoid b();\nfirst launch\n\nsecond launch\n");
  name_paths("log", "", "");
}

START_TEST(test_launches) {
  WfReport r;
  put_race("2");
  ck_assert_int_eq(read_paths(&r, 1), 0);
  ck_assert_str_eq(r.findings[0].here.launch, "launch 2, kernel b<int>, from main at k.cu:5:4");
  ck_assert_int_eq(r.findings[0].is_between_operations, 1);
  char *html = wf_report_html(&r, "1"), *junit = wf_report_junit(&r), *text = wf_report_text(&r), *sarif = wf_report_sarif(&r, "1");
  ck_assert(has(html, "in launch 2, kernel b&#60;int&#62;, from main at k.cu:5:4") && has(html, "in launch 1, kernel a, from main at k.cu:3:2"));
  ck_assert(has(html, "second launch") && has(html, "cudaStreamWaitEvent") && !has(html, "Give each thread elements of its own"));
  ck_assert(!has(html, "Threads of the block"));
  ck_assert(has(junit, "in launch 2, kernel b") && has(junit, "in launch 1, kernel a"));
  ck_assert(has(text, "(launch 2, kernel b<int>, from main at k.cu:5:4)"));
  json_t *j = json_loads(sarif, 0, NULL), *run = json_array_get(json_object_get(j, "runs"), 0);
  const json_t *result = json_array_get(json_object_get(run, "results"), 0), *related = json_object_get(result, "relatedLocations");
  ck_assert_uint_eq(json_array_size(related), 3); /* the other side, both launches */
  const json_t *launch = json_object_get(json_array_get(related, 1), "physicalLocation");
  ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(launch, "region"), "startLine")), 5);
  json_decref(j);
  free(html), free(junit), free(text), free(sarif);
  wf_report_free(&r);
}
END_TEST

/* Both sides in one launch: the threads are what matters. */
START_TEST(test_one_launch) {
  WfReport r;
  put_race("1");
  ck_assert_int_eq(read_paths(&r, 1), 0);
  ck_assert_int_eq(r.findings[0].is_between_operations, 0);
  char *html = wf_report_html(&r, "1");
  ck_assert(has(html, "Within a launch: give each thread elements of its own") && has(html, "Threads of the block"));
  free(html);
  wf_report_free(&r);
}
END_TEST

/* ---- runs ---- */

#define RUN(id, day, more, seconds) \
  "{\"run\":\"" id "\",\"started\":\"2026-11-" day "T00:00:00Z\"," more "\"executions\":5,\"variants\":[{\"op\":\"add\",\"variant\":\"mine\",\"executions\":5" seconds "}]}\n"

/* JUnit's time is that of the latest run, not what tried.jsonl has over all of them. */
START_TEST(test_seconds) {
  WfReport r;
  put("runs.jsonl", RUN("a", "01", "", ",\"seconds\":100.5") RUN("b", "02", "", ",\"seconds\":2.25"));
  put("tried.jsonl", "{\"op\":\"add\",\"variant\":\"mine\",\"seconds\":102.75,\"maps\":[],\"ulp\":[]}\n");
  name_paths("", "", "");
  ck_assert_int_eq(read_paths(&r, 1), 0);
  char *junit = wf_report_junit(&r), *sarif = wf_report_sarif(&r, "1"), id[WORK_PATH_MAX];
  ck_assert(has(junit, "<testcase name=\"mine\" classname=\"add\" time=\"2.250\">") && !has(junit, "102.750"));
  snprintf(id, sizeof id, "\"id\": \"warpfuzz%s/b\"", strrchr(dir, '/'));
  ck_assert(has(sarif, id));
  free(junit);
  free(sarif);
  wf_report_free(&r);
  put("runs.jsonl", RUN("a", "01", "", ",\"seconds\":100.5") RUN("b", "02", "", "")); /* an older one's, which does not say */
  ck_assert_int_eq(read_paths(&r, 1), 0);
  junit = wf_report_junit(&r);
  ck_assert(has(junit, "<testcase name=\"mine\" classname=\"add\">"));
  free(junit);
  wf_report_free(&r);
}
END_TEST

/* No double holds these; above 2^63 a seed is a string. */
START_TEST(test_seeds) {
  static const struct {
    const char *line, *shown;
  } rows[] = {{RUN("a", "01", "\"seed\":9007199254740993,", ""), "9007199254740993"},
              {RUN("a", "01", "\"seed\":9223372036854775807,", ""), "9223372036854775807"},
              {RUN("a", "01", "\"seed\":\"18446744073709551615\",", ""), "18446744073709551615"},
              {RUN("a", "01", "\"seed\":\"18446744073709551616\",", ""), NULL},
              {RUN("a", "01", "\"seed\":\"-1\",", ""), NULL}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    WfReport r;
    char want[96];
    put("runs.jsonl", rows[i].line);
    name_paths("", "", "");
    ck_assert_int_eq(read_paths(&r, 1), 0);
    char *html = wf_report_html(&r, "1"), *junit = wf_report_junit(&r), *sarif = wf_report_sarif(&r, "1");
    snprintf(want, sizeof want, "<dt>Seed</dt><dd>%s</dd>", rows[i].shown ? rows[i].shown : "");
    ck_assert_int_eq(has(html, rows[i].shown ? want : "<dt>Seed</dt>"), rows[i].shown != NULL);
    snprintf(want, sizeof want, "name=\"seed\" value=\"%s\"", rows[i].shown ? rows[i].shown : "");
    ck_assert_int_eq(has(junit, rows[i].shown ? want : "name=\"seed\""), rows[i].shown != NULL);
    ck_assert_int_eq(has(sarif, rows[i].shown ? rows[i].shown : "\"seed\""), rows[i].shown != NULL);
    free(html), free(junit), free(sarif);
    wf_report_free(&r);
  }
}
END_TEST

#define TRIED(op, variant) "{\"op\":\"" op "\",\"variant\":\"" variant "\",\"maps\":[{\"x\":\"a\",\"y\":\"b\",\"cells\":[[0,0,1,0]]}]}\n"

/* An op with something unexpected comes first, unfolded, and so does such a variant in its op; what has no sizes is named. */
START_TEST(test_tried_by_op) {
  WfReport r;
  put("tried.jsonl", TRIED("a", "x") TRIED("b", "x") TRIED("b", "y"));
  put("findings.jsonl", "{\"id\":\"01\",\"severity\":\"error\",\"class\":\"hang\",\"op\":\"b\",\"variant\":\"y\"}\n"
                        "{\"id\":\"02\",\"severity\":\"warning\",\"class\":\"hang\",\"op\":\"b\",\"variant\":\"z<\"}\n");
  name_paths("", "", "");
  ck_assert_int_eq(read_paths(&r, 1), 0);
  char *html = wf_report_html(&r, "1");
  const char *tried = strstr(html, "id=\"tried\"");
  ck_assert_ptr_nonnull(tried);
  const char *b = strstr(tried, "<details class=\"op\" open><summary>b<span class=\"soft small\">3 variants, 3 tried, worst: <span class=\"pill error\">error</span>");
  const char *a = strstr(tried, "<summary>a<span class=\"soft small\">1 variant, 1 tried, worst: <span class=\"pill clean\">clean</span>");
  const char *y = strstr(tried, "<details class=\"tried\" open><summary><code>y</code>"), *x = strstr(tried, "<details class=\"tried\"><summary><code>x</code>");
  const char *z = strstr(tried, "No sizes are recorded of <code>z&#60;</code></p>");
  ck_assert(b && y && x && z && a && b < y && y < x && x < z && z < a);
  free(html);
  wf_report_free(&r);
}
END_TEST

START_TEST(test_contract) {
  WfReport r;
  put("runs.jsonl", RUN("a", "01", "\"command\":\"warpfuzz check k.cu --op add\",\"contract\":[[\"block\",\"32..1024 <b>\"],[\"requires\",\"n % 4 == 0\"],[3],\"x\"],", ""));
  name_paths("", "", "");
  ck_assert_int_eq(read_paths(&r, 1), 0);
  ck_assert_uint_eq(r.runs[0].n_contract, 2);
  char *html = wf_report_html(&r, "1");
  const char *contract = strstr(html, "Contract: what callers were assumed to keep to"), *variant = strstr(html, "<details class=\"op\"");
  ck_assert(contract && variant && contract < variant);
  ck_assert(has(contract, "<dt>block</dt><dd><code>32..1024 &#60;b&#62;</code></dd><dt>requires</dt><dd><code>n % 4 == 0</code>"));
  ck_assert(has(contract, "warpfuzz check k.cu --op add"));
  free(html);
  wf_report_free(&r);
  put("runs.jsonl", RUN("a", "01", "", ""));
  ck_assert_int_eq(read_paths(&r, 1), 0);
  html = wf_report_html(&r, "1");
  ck_assert(!has(html, "Contract:"));
  free(html);
  wf_report_free(&r);
}
END_TEST

#define OF(id, variant, state) \
  "{\"id\":\"" id "\",\"severity\":\"error\",\"class\":\"race-shared\",\"op\":\"softmax\",\"variant\":\"" variant "\",\"state\":\"" state "\"}\n"

/* What nobody expects comes first, also where it is open, and what a faulty variant is known for is new. */
START_TEST(test_expected) {
  WfReport r;
  put("findings.jsonl", OF("01", "block_shuffle.published", "new") OF("02", "naive", "open"));
  name_paths("", "", "");
  ck_assert_int_eq(read_paths(&r, 1), 0);
  ck_assert_uint_eq(r.n_counting, 2);
  ck_assert_uint_eq(r.n_expected, 1);
  ck_assert_str_eq(r.findings[0].variant, "naive");
  char *html = wf_report_html(&r, "1");
  ck_assert(has(html, "Of the 2 that count, <b>1 is not expected</b>, 1 is in variants that are faulty on purpose."));
  const char *loud = strstr(html, "<code>naive</code>"), *quiet = strstr(html, "<code>block_shuffle.published</code>");
  ck_assert(loud && quiet && loud < quiet);
  ck_assert(strstr(html, "id=\"f-02\"") < strstr(html, "In variants that are faulty on purpose</h4>"));
  free(html);
  wf_report_free(&r);
}
END_TEST

int main(void) {
  Suite *s = suite_create("report_data");
  TCase *t = tcase_create("report_data");
  tcase_add_checked_fixture(t, set_up, tear_down);
  tcase_add_test(t, test_logs);
  tcase_add_test(t, test_bad_logs);
  tcase_add_test(t, test_launches);
  tcase_add_test(t, test_one_launch);
  tcase_add_test(t, test_seconds);
  tcase_add_test(t, test_seeds);
  tcase_add_test(t, test_tried_by_op);
  tcase_add_test(t, test_contract);
  tcase_add_test(t, test_expected);
  suite_add_tcase(s, t);
  return suite_run(s);
}
