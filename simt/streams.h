/* streams.h - which of the host's operations (launches, cudaMemset) happened before which: by streams, events, and what the host
 * has waited for; and the accesses of those that are not over. Internal to the engine.
 *
 * Operations run one after the other, as they are issued. Within a launch, everything issued before is history (races.h). Whether it
 * is history by right, or concurrent, is judged behind it: footprint.c. */
#ifndef SIMT_STREAMS_H
#define SIMT_STREAMS_H
#include "races.h"

enum { SIMT_MAX_STREAMS = 64 };

/* By stream: so many of its operations happened before. */
typedef struct SimtClock { uint32_t over[SIMT_MAX_STREAMS]; } SimtClock;

/* Some bytes that operations have touched: a granule, or a byte of it. Words are the last ones of each kind. */
enum { TOUCH_READ = 0, TOUCH_WRITE = 1, TOUCH_STRONG = 2, TOUCH_KINDS = 4 }; /* strong: atomic or volatile */
typedef struct SimtTouch {
  uintptr_t at;                /* of the granule */
  uint64_t word[TOUCH_KINDS];  /* 0: none */
  uint32_t value;              /* left there, if it has been written */
  uint8_t part;                /* 0: all of the granule; else 1 + byte */
} SimtTouch;
typedef struct SimtFootprint {
  SimtTouch *touch; /* by granule, then part; each once */
  size_t n, room;
} SimtFootprint;

typedef struct SimtOperation {
  uint32_t first_chunk; /* of its segments; they end where the next one's begin */
  uint32_t stream, number; /* of its stream's operations, from 1 */
  uint64_t launches;    /* of the run, itself included */
  Launch launch;        /* kernel NULL: it was a cudaMemset */
} SimtOperation;

typedef struct SimtStream {
  uint64_t serial;      /* 0: destroyed, or the default stream */
  int blocking;         /* is ordered with the default stream */
  uint32_t n_ops;
  SimtClock clock;      /* what is over when its next operation begins */
  SimtFootprint record; /* of its operations so far, as far as it is known */
} SimtStream;

typedef struct SimtEvent {
  uint64_t serial;      /* 0: destroyed */
  int recorded;
  SimtClock clock;
} SimtEvent;

/* Addresses at which a launch has published what it did, by a fence and a strong write. */
typedef struct SimtRelease {
  uintptr_t *address; /* ascending */
  size_t n;
  SimtClock clock;    /* what is over for those who have learnt of it */
} SimtRelease;

/* From this chunk on, all that the operation issued last does is behind these others. */
typedef struct SimtAcquire { uint32_t chunk; SimtClock clock; } SimtAcquire;
enum { SIMT_MAX_ACQUIRES = 64 };

struct SimtStreams {
  SimtStream stream[SIMT_MAX_STREAMS]; /* [0]: the default stream */
  unsigned n_streams;
  uint64_t serial;      /* streams and events so far, of all runs */
  uint64_t first_of_run; /* the same when this run began */
  SimtClock host;       /* what the host has waited for */
  SimtEvent *event;
  size_t n_events, event_room;
  SimtOperation *op;    /* those of which somebody may ask, oldest first; the last one runs, or ran last */
  size_t n_ops, op_room;
  SimtRelease *release; /* of operations that are not over */
  size_t n_releases, release_room;
  SimtClock seen;       /* of releases, by the operation issued last; no fence has followed */
  SimtAcquire acquire[SIMT_MAX_ACQUIRES]; /* of the operation issued last, oldest first */
  unsigned n_acquires;
  uint32_t pending;     /* chunk: accesses of operations from here on are in the shadow words only */
};

/* streams.c. For code that does not wait in the right order, a stream is an index. */
int simt_streams_create(Simt *s); /* 0; -1: no memory */
void simt_streams_destroy(Simt *s);
void simt_streams_begin(Simt *s); /* of a run */
int simt_stream_index(Simt *s, const void *handle); /* -1: there is no such stream */
void simt_stream_issue(Simt *s, unsigned stream);   /* an operation begins */
void simt_stream_done(Simt *s, const Launch *l);    /* the operation issued last has run; l: NULL, or the launch that it is */
int simt_stream_is_many(const Simt *s, unsigned stream); /* may an operation of this stream be concurrent with others? */
int simt_stream_waited(const Simt *s, const SimtOperation *old); /* has the host waited for it? old: NULL, or an operation */
void simt_stream_wait_for(Simt *s, const SimtOperation *op); /* the host has learnt that it is over */
void simt_streams_forget(Simt *s);                  /* waits for all; numbers of segments begin anew */
void simt_stream_enter(Simt *s, unsigned stream, SimtClock *outside); /* host code in a stream, and back */
void simt_stream_leave(Simt *s, const SimtClock *outside);
int simt_event_recorded(void *event);
int simt_event_is_over(void *event); /* has the host waited for what came before it was recorded? */
/* Did `old` happen before what the operation issued last did in this segment? */
int simt_stream_ordered(const Simt *s, const SimtOperation *old, uint32_t seg);
const SimtOperation *simt_operation_of(const Simt *s, uint32_t seg); /* NULL: not known any more, and over */

/* Host side of streams and events, by handles that are CUDA's to the host; those of streams may be CUDA's default ones. They
 * live until they are destroyed. Those that return int: 0, or -1 where a handle is of nothing, or no run is going on. */
void *simt_stream_create(int blocking); /* NULL: there are too many already */
int simt_stream_destroy(void *stream);
int simt_stream_synchronize(void *stream);
int simt_stream_wait(void *stream, void *event);
int simt_device_synchronize(void);
void *simt_event_create(void); /* NULL: no memory */
int simt_event_destroy(void *event);
int simt_event_record(void *event, void *stream);
int simt_event_synchronize(void *event);

/* footprint.c. Accesses in chunks from `from` on, as the shadow words have them. Without memory, or when there are too many, some are
 * left out. */
void simt_footprint_take(Simt *s, uint32_t from, SimtFootprint *out);
void simt_footprint_add(SimtFootprint *to, const SimtFootprint *later); /* `to` happened before `later` */
void simt_footprint_drop(SimtFootprint *f);
/* Reports what in `mine`, of the operation issued last, conflicts with what is not ordered before it in `old`. */
void simt_footprint_judge(Simt *s, const SimtFootprint *mine, const SimtFootprint *old);

#endif
