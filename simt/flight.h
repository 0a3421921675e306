/* flight.h - asynchronous copies that have begun and have not been waited for. Internal to the engine.
 *
 * Such a copy reads and writes at some time until the wait; here it is made when it begins. Till it lands, what it has written bears a
 * segment that nobody is ordered behind, its own thread neither: one a warp, from the upper end of the numbers. Landing makes that an
 * access of the thread that waits, in the segment in which it waits. What it has read must have the same last writers then. */
#ifndef SIMT_FLIGHT_H
#define SIMT_FLIGHT_H
#include "races.h"

enum {
  SIMT_CHUNK_LIMIT = 1 << 27,
  SIMT_FLIGHT_CHUNK = SIMT_CHUNK_LIMIT - SIMT_MAX_RESIDENT * SIMT_MAX_WARPS /* the first of them */
};
#define SIMT_FLIGHT_UID (1u << 31) /* flag of their chunks: the rest is the warp's uid */

static inline int simt_in_flight(uint32_t seg) { return seg >> 5 >= SIMT_FLIGHT_CHUNK; }

extern const char simt_rule_async[];

typedef struct SimtFlight {
  struct SimtFlight *next; /* of its thread, in the order in which they began; or spare */
  uintptr_t to, from;
  uint32_t to_bytes, from_bytes;
  uint32_t group;          /* commits of the thread before it */
  uint64_t seen;           /* hash of the words of the writes of what it has read */
  const void *barrier;     /* lands when a phase of it ends; NULL: when its thread waits */
  const SimtSite *site;
} SimtFlight;

void simt_flights_of_exit(Thread *t); /* t has left the kernel: what no barrier waits for has landed */
void simt_flights_drop(Block *b);     /* nobody of b will wait any more */
void simt_flights_free(Simt *s);

#endif
