/* clock.h - time that passes. */
#ifndef WF_CLOCK_H
#define WF_CLOCK_H
#include <stdint.h>

uint64_t wf_clock_ns(void); /* CLOCK_MONOTONIC */

#endif
