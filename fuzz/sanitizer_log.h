/* sanitizer_log.h - what compute-sanitizer wrote, as findings. Knows the messages of memcheck, racecheck, synccheck and
 * initcheck from 2021 on; doc/SANITIZE.md has the table. Nothing is lost silently: lines that are not understood are kept, and
 * errors that no class of ours stands for are counted. */
#ifndef WF_SANITIZER_LOG_H
#define WF_SANITIZER_LOG_H
#include "finding.h"

enum { WF_LOG_FINDINGS = 256, WF_LOG_UNREAD = 20, WF_LOG_FRAMES = 32 /* of a call path */ };

typedef struct WfSanitizerLog {
  WfFinding *finding; /* in the order of the log; one per class and pair of places, counted. Op, variant and key are not set */
  size_t n;           /* at most WF_LOG_FINDINGS; messages of further ones are counted: */
  uint64_t n_dropped;
  uint32_t errors, warnings; /* sets of 1u << SimtClass */
  uint64_t n_not_printed; /* messages that the tool counted and left out: there may be further findings among them */
  uint64_t n_other;   /* errors that are none of our classes; their first lines are among the unread ones */
  char *unread[WF_LOG_UNREAD]; /* lines that were not understood, or say nothing of the kernel: the first ones, each text once */
  size_t n_kept;      /* of them */
  uint64_t n_unread;  /* all */
  const char *failure; /* why the tool could not do its work, as it says; NULL */
  int has_summary;    /* the log ends as it should */
  uint64_t told_errors, told_warnings; /* by its last line */
  void **owned;       /* what all this points to */
  size_t n_owned, max_owned;
} WfSanitizerLog;

/* Reads a log, of any bytes; `tool` is "compute-sanitizer memcheck" and must outlive it. Lines that do not begin with "=========" are
 * the watched program's and are passed over. 0; -1: no memory. Either way *out is to be freed. */
int wf_sanitizer_log_parse(WfSanitizerLog *out, const char *text, size_t len, const char *tool);
void wf_sanitizer_log_free(WfSanitizerLog *log);

/* ---- sanitizer_place.c: the parts of a line ---- */

typedef struct WfSpan { /* text without an end of its own */
  const char *s;
  size_t n;
} WfSpan;

int wf_span_starts(WfSpan t, const char *prefix);
int wf_span_has(WfSpan t, const char *part);       /* anywhere; letters as they are */
int wf_span_skip(WfSpan *t, const char *prefix);   /* takes it off. 1; 0: it is not there */
int wf_span_past(WfSpan *t, const char *part);     /* takes all off up to the end of its first occurrence. 1; 0: nothing */
WfSpan wf_span_trim(WfSpan t);                     /* without blanks around */
int wf_span_hex(WfSpan *t, uint64_t *out);         /* takes "0x7f00" off. 1; 0: something else, or above 64 bits */
int wf_span_count(WfSpan *t, uint64_t *out);       /* takes "4,096" or "4096" off; separators of any locale. 1; 0 */
int wf_span_triple(WfSpan *t, uint32_t out[3]);    /* takes "(1,2,3)" or "(1, 2, 3)" off. 1; 0 */

typedef struct WfPlace {
  WfSpan kernel;   /* of a clone: the kernel that it was made for; else empty */
  WfSpan function; /* without its parameters and what it returns; empty: none is named */
  WfSpan file;     /* empty: no line information */
  uint32_t line;
} WfPlace;

/* "k(float *)+0xb0 in k.cu:20", "0x6360 in /d/k.cu:20:k(float*)", "0xb0 in k(float *)", "k+0xb0". */
void wf_place_parse(WfSpan t, WfPlace *out);

#endif
