/* cc_build.h - what `warpfuzz cc` does with its files. */
#ifndef WF_CC_BUILD_H
#define WF_CC_BUILD_H
#include "cc_options.h"

/* Compiles, links and, with -run, runs as the options say. Messages, the tools' too, are on stderr. An exit status: clean, usage (a file that
 * does not compile or link), harness; with -run the program's own. */
int wf_cc_build(const WfCcOptions *o, const WfToolchain *t);

#endif
