/* class_text.h - what a class of findings means, in words. */
#ifndef WF_CLASS_TEXT_H
#define WF_CLASS_TEXT_H
#include "../simt/simt.h"

typedef struct WfClassText {
  const char *title;  /* a heading: "Race in shared memory" */
  const char *what;   /* what happened, one or two sentences */
  const char *repair; /* what usually repairs it */
} WfClassText;

/* cls may be SIMT_CLASS_COUNT: of a class that this build does not know. */
const WfClassText *wf_class_text(SimtClass cls);
/* Of a race between launches, copies or the host (WfReportFinding.is_between_operations). */
const WfClassText *wf_class_text_of_operations(void);

#endif
