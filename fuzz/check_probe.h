/* check_probe.h - a look at a user's kernel before a campaign (warpfuzz check). */
#ifndef WF_CHECK_PROBE_H
#define WF_CHECK_PROBE_H
#include "worker.h"

/* Runs a few cases of the plan. WF_EXIT_CLEAN; WF_EXIT_USAGE: its host code calls a function of CUDA's that the engine does not have, and a line says
 * which, and where. A look that takes more than 5 s of processor time, or a minute, is given up with a line: the campaign, whose workers are watched,
 * will show what is slow. */
int wf_check_probe(const WfPlan *p);

#endif
