/* suppress.h - files that say which findings are known and not wanted (doc/CHECK.md, "Suppressions"). A line each:
 *
 *   CLASS WHERE REASON       race-global histogram_kernel counts are approximate on purpose
 *
 * CLASS is a class of findings, `race` for all races or `*` for every class. WHERE is the name of a kernel, or FILE:LINE of one of the
 * places that a report names; FILE may be any end of the path. Lines that begin with # and empty ones say nothing. */
#ifndef WF_SUPPRESS_H
#define WF_SUPPRESS_H
#include "check_info.h"
#include "finding.h"

typedef struct WfSuppressions {
  WfSuppression *line; /* malloc'ed, with all texts; one for each class of a line */
  size_t n;
} WfSuppressions;

/* 0; -1 with a message that begins with "PATH" or "PATH:LINE". out is to be freed either way. */
int wf_suppressions_load(WfSuppressions *out, const char *path, char *err, size_t err_size);
void wf_suppressions_free(WfSuppressions *s);

/* "a/b/k.cu" ends with "b/k.cu" and "k.cu", not with "/k.cu" or "u". len: of end. */
int wf_path_ends(const char *path, const char *end, size_t len);

/* The reason of the first that the finding falls under; NULL: none. */
const char *wf_suppressed(const WfSuppression *list, size_t n, const WfFinding *f);

#endif
