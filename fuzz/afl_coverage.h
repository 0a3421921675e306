/* afl_coverage.h - what kernels count, for AFL++, which knows nothing of libFuzzer's extra counters. */
#ifndef WF_AFL_COVERAGE_H
#define WF_AFL_COVERAGE_H

/* Adds the counts of the input just run to AFL's map, and clears them. Does nothing in a program without AFL's runtime. */
void wf_afl_coverage_take(void);

#endif
