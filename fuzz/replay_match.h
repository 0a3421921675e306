/* replay_match.h - which finding of a verdict is the one that an earlier run has told of, when the lines of its source may have moved. */
#ifndef WF_REPLAY_MATCH_H
#define WF_REPLAY_MATCH_H
#include "worker.h"

struct json_t;

typedef struct WfMatching {
  WfReplay *r;                 /* n of them; what was seen is noted here: where the findings are now are places of theirs, and nobody else's */
  struct json_t *const *line;  /* their lines in findings.jsonl, parsed */
  size_t n;
} WfMatching;

/* Looks for finding i in a verdict of its case: at its places or, where no other finding is known to be there, at the nearest ones between the
 * same functions. *at: where it is, if it is there. WF_REPLAYED_LATER: it may be there, or what is may be another finding that was not looked for
 * yet; is_last: no one is waited for. WF_REPLAYED_UNKNOWN: what is there is where another finding was, of which nothing could be said. */
WfReplayed wf_replay_match(const WfMatching *m, size_t i, const WfVerdict *v, int is_last, const WfFinding **at);

#endif
