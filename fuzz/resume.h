/* resume.h - what an earlier campaign in the same directory has found. */
#ifndef WF_RESUME_H
#define WF_RESUME_H
#include "collect.h"

/* Reads findings.jsonl of the plan's output directory and keeps what is about the plan's targets: with its smallest case, where that is still
 * there. What was printed then is printed no second time if is_news is 0. *ids, malloc'ed, and *n are the ids of all of it, for the plan. No such
 * file: nothing. 0; -1 with a message: it cannot be read, or no memory. */
int wf_collect_resume(WfCollector *c, int is_news, uint64_t **ids, size_t *n, char *err, size_t err_size);

/* Makes the list of what there was, for the plan; what was found on the engine and has its case is to be replayed: *n_cases of *n. It is the
 * collector's, which keeps it up to date. 0; -1: no memory. */
int wf_collect_replays(WfCollector *c, size_t *n, size_t *n_cases);

#endif
