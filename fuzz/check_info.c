/* check_info.c - of warpfuzz itself: no program for one kernel of a user's. Alone in its file, so that such a program can bring another. */
#include "check_info.h"

const WfCheckInfo *const wf_check_info = NULL;
