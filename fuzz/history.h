/* history.h - what becomes of a finding over runs: the members that a line of findings.jsonl has beyond those of the finding itself
 * (finding.h). They come last: first_seen, last_seen (UTC, RFC 3339), first_run, last_run (ids of runs), count (executions that found it, over
 * all runs), state, site_id (id by the sites as they are now; the line's id is the first that it had). The finding's own count, of places in
 * its case, is called in_case. */
#ifndef WF_HISTORY_H
#define WF_HISTORY_H
#include "clock.h"

struct json_t;

typedef enum WfState {
  WF_STATE_IS_NEW,    /* "new": first seen in the latest run that fuzzed its variant */
  WF_STATE_IS_OPEN,   /* "open": seen before and again */
  WF_STATE_IS_KNOWN,  /* "known": on the list of known findings, which has the reason */
  WF_STATE_IS_GONE,   /* "gone": its case was replayed in that run, and does not show it any more */
  WF_STATE_IS_MISSED, /* "missed": not seen in that run, and not replayed */
  WF_STATES
} WfState;

enum { WF_RUN_ID_MAX = 32 };

typedef struct WfHistory {
  char first_seen[WF_UTC_MAX], last_seen[WF_UTC_MAX];
  char first_run[WF_RUN_ID_MAX], last_run[WF_RUN_ID_MAX];
  uint64_t count;
  uint64_t site_id; /* 0: the line's id */
} WfHistory;

const char *wf_state_name(WfState s);

/* The members of a parsed line; what is not there, in lines of earlier versions, is "" or 0. */
void wf_history_read(WfHistory *out, const struct json_t *line);

/* A line without these members, as wf_finding_json() made it; malloc'ed, NULL: no memory. */
char *wf_history_bare(const char *line);

/* Such a line with them. reason: of WF_STATE_IS_KNOWN, takes the place of a null one. malloc'ed, with its newline; NULL: no memory. */
char *wf_history_line(const char *bare, const WfHistory *h, WfState state, const char *reason);

#endif
