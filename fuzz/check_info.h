/* check_info.h - what a program that `warpfuzz check` has made knows about itself. Such a program is warpfuzz with one op and one variant,
 * the user's; it has an object of its own in place of check_info.c. */
#ifndef WF_CHECK_INFO_H
#define WF_CHECK_INFO_H
#include "../simt/simt.h"

/* A finding that the user knows and does not want: told as a race that is meant is. */
typedef struct WfSuppression {
  SimtClass cls;
  const char *where;  /* kernel, or FILE:LINE of either side */
  const char *reason;
} WfSuppression;

typedef struct WfCheckInfo {
  const char *command; /* what was typed, quoted for a shell */
  const char *source;  /* the user's file, as a path that is absolute */
  const char *compile; /* the compiler's options among it: " -I include -DN=4", or "" */
  int own_geometry;    /* 1: the statement decides on grid and block; those of a case mean nothing */
  const char *contract; /* lines, each with its end: what was assumed of the kernel */
  const WfSuppression *suppressions;
  size_t n_suppressions;
} WfCheckInfo;

extern const WfCheckInfo *const wf_check_info; /* NULL: this is no such program */

#endif
