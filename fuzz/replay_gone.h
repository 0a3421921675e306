/* replay_gone.h - what a campaign's findings.jsonl says that the case files beside it show, and a replay does not see any more. */
#ifndef WF_REPLAY_GONE_H
#define WF_REPLAY_GONE_H
#include "run.h"
#include "select.h"

struct json_t;

/* Is the finding between the same functions of the same files as that of a line of findings.jsonl? Then it is likely the same one, of which the lines
 * have moved. */
int wf_is_between_same(const struct json_t *line, const WfFinding *f);

typedef struct WfExpectation {
  char *name, *variant; /* of the case file, without its directory; "op/variant" */
  SimtClass cls;
  uint64_t site_id; /* history.h */
  struct json_t *line;
} WfExpectation;

typedef struct WfGone { /* starts as zero bytes */
  WfExpectation *expected;
  size_t n;
  char **line; /* what is gone, a line each, without its end */
  size_t n_lines;
} WfGone;

/* Reads DIR/findings.jsonl, if there is one: findings on the engine, within their contracts or outside. Of what is no directory there is none. 0; -1: no
 * memory; -2 with a message: it cannot be read, so that nothing could be said to be gone. */
int wf_gone_load(WfGone *g, const char *dir, char *err, size_t err_size);

/* Notes which findings of the case file a run did not show, at their lines or others of the same functions. 0; -1: no memory. */
int wf_gone_note(WfGone *g, const char *path, const WfTarget *t, const WfVerdict *v);

void wf_gone_free(WfGone *g);

#endif
