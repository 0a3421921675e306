/* report_html.h - shared by the parts of the page. */
#ifndef WF_REPORT_HTML_H
#define WF_REPORT_HTML_H
#include "report.h"
#include "textbuf.h"

extern const char wf_html_style[], wf_html_script[];

/* s as text or as the value of an attribute in double quotes; what is no text becomes '?'. NULL adds nothing. */
void wf_html_add(WfText *t, const char *s);
/* At most n bytes of s, whole characters. */
void wf_html_add_n(WfText *t, const char *s, size_t n);
/* 1234567 as "1,234,567". */
void wf_html_count(WfText *t, int64_t n);
/* "8 h 3 min", "12 s". */
void wf_html_seconds(WfText *t, double seconds);
/* Title and aria label of a picture are its first child. */
void wf_html_svg(WfText *t, int width, int height, const char *label);
/* "2^10" as "1Ki", of a bin of powers of two: "0", "1", "512", "1Ki", "4Mi". */
void wf_html_power(WfText *t, int64_t bin);

enum { WF_HTML_FEW = 24 }; /* so many variants at most: ops are unfolded from the start */

/* An op's variants lie side by side: from variants[first], which is the op's first, up to the one before `end`. */
typedef struct WfHtmlOp {
  size_t end, by[WF_VERDICT_CAUGHT + 1];
  int is_loud; /* 1: one of them is */
} WfHtmlOp;
WfHtmlOp wf_html_op(const WfReport *r, size_t first);
/* What somebody has to look at. */
int wf_html_is_loud(const WfReportVariant *v);
void wf_html_verdict(WfText *t, WfReportVerdict v);

/* What a link to a finding names: "f-ID"; of several with one id, in logs, with a number behind it. */
void wf_html_anchor(WfText *t, const WfReport *r, const WfReportFinding *f);

void wf_html_finding(WfText *t, const WfReport *r, const WfReportFinding *f, int open);
void wf_html_threads(WfText *t, const WfReportFinding *f); /* who met, as a picture */
void wf_html_tried(WfText *t, const WfReport *r);
void wf_html_curves(WfText *t, const WfReport *r);
void wf_html_cover(WfText *t, const WfReport *r);

#endif
