/* clock.h - time that only goes forward, and the date. */
#ifndef WF_CLOCK_H
#define WF_CLOCK_H
#include <stdint.h>

uint64_t wf_clock_ns(void); /* CLOCK_MONOTONIC */

enum { WF_UTC_MAX = 24 };

/* "2026-11-30T18:43:00Z": now, in UTC (RFC 3339). */
void wf_clock_utc(char out[WF_UTC_MAX]);

#endif
