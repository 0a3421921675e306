/* launch_text.h - what a launch statement says about its geometry, read from its text: enough for the usual ones. */
#ifndef WF_LAUNCH_TEXT_H
#define WF_LAUNCH_TEXT_H
#include <stddef.h>

enum { WF_LAUNCH_TEXT = 256 };

/* Expressions are pieces of the text, "" where there is none: an axis that is not named, or an expression that takes more than text to
 * understand. */
typedef struct WfLaunchText {
  char name[WF_LAUNCH_TEXT]; /* of the kernel, or of the function that is called; without what stands in < > */
  int n_launches;            /* <<< in it; 0: a call */
  int n_config;              /* arguments in the <<< >>> of the first */
  char grid[3][WF_LAUNCH_TEXT], block[3][WF_LAUNCH_TEXT]; /* "(n + 255) / 256"; of dim3(a, b) a and b. "block" itself: [0] */
  int uses_grid, uses_block, uses_shared; /* the names grid, block, shared stand in it */
} WfLaunchText;

/* 1: the name stands in the text, and not as a member of something. */
int wf_launch_text_has(const char *text, const char *name);

void wf_launch_text_read(WfLaunchText *out, const char *statement);

#endif
