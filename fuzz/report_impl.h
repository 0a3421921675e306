/* report_impl.h - shared by the parts of the reader. */
#ifndef WF_REPORT_IMPL_H
#define WF_REPORT_IMPL_H
#include "report.h"
#include <jansson.h>

/* What is read stays for as long as the report: JSON values, whose strings it points to, and blocks of memory. */
typedef struct WfReportStore {
  json_t *values; /* an array */
  void **blocks;
  size_t n_blocks, max_blocks;
} WfReportStore;

/* Zeroed memory that is freed with the report; NULL: none. */
void *wf_report_alloc(WfReport *r, size_t n, size_t elem_bytes);
/* An array of the report's with room for one element more, whose memory it owns until the end; NULL: no memory. The old one stays valid. */
void *wf_report_grow(WfReport *r, void *array, size_t n, size_t elem_bytes);

/* Members of an object; NULL, 0 or NAN where there is no such value of that kind. */
const char *wf_json_text(const json_t *j, const char *prefix, const char *key);
int wf_json_int(const json_t *j, const char *prefix, const char *key, int64_t *out); /* 1: it is there; 0: *out is 0 */
double wf_json_double(const json_t *j, const char *key); /* strings "nan", "inf", "-inf" too */
int wf_json_triple(const json_t *j, const char *prefix, const char *key, uint32_t out[3]); /* 1: it is there */

/* Calls take(r, object) for each line of the file that is a whole JSON object; others count in n_bad_lines (json_lines.h). 0, also where there is no such
 * file; -1: it cannot be read, with errno; -2: no memory. take: 0, or -2. */
int wf_report_lines(WfReport *r, const char *path, int (*take)(WfReport *r, json_t *line));

int wf_report_take_finding(WfReport *r, json_t *line);
int wf_report_take_run(WfReport *r, json_t *line);
int wf_report_take_point(WfReport *r, json_t *line);
int wf_report_take_tried(WfReport *r, json_t *line);
int wf_report_take_cover(WfReport *r, json_t *line);

/* What runs.jsonl says about the variants of the latest run, in its last line. 0; -2: no memory. */
int wf_report_take_latest_counts(WfReport *r);

/* The variant of that name, made if it is new; NULL: no memory. */
WfReportVariant *wf_report_variant(WfReport *r, const char *op, const char *variant);

/* What is no text of UTF-8 becomes '?', in place and byte for byte, so that columns stay. */
void wf_report_plain(char *s, size_t len);

/* Once everything is read: cases, states, verdicts, orders. 0; -1: the directory cannot be read, with errno; -2: no memory. */
int wf_report_conclude(WfReport *r, int strict);

#endif
