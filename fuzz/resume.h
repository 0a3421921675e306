/* resume.h - what an earlier campaign in the same directory has found. */
#ifndef WF_RESUME_H
#define WF_RESUME_H
#include "collect.h"

/* Reads findings.jsonl of the plan's output directory and keeps what is about the plan's targets, as if this campaign had
 * found it: with its smallest case, where that is still there. *ids, malloc'ed, and *n are the ids of all of it, for the
 * plan. No such file: nothing. 0; -1 with a message: it cannot be read, or no memory. */
int wf_collect_resume(WfCollector *c, uint64_t **ids, size_t *n, char *err, size_t err_size);

#endif
