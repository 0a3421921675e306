/* streams.c - streams and events: the order of what the host issues.
 *
 * Each operation knows, stream by stream, how many operations of it happened before: a vector clock. An operation is behind those
 * issued to its stream, behind what the stream waits for by events, and behind what the host has waited for. The legacy default
 * stream waits for all blocking streams before each thing it does, and they for it (CUDA Runtime API, Stream Synchronization
 * Behavior). */
#include "ordered.h"
#include <stdlib.h>
#include <string.h>

/* Handles are no addresses of anything. 0, 1 and 2 are CUDA's: the default stream, the same, and the thread's own. Programs make streams and
 * events once and use them for good, so one of an earlier run is still good: as a stream to which nothing has been issued, of the kind that its
 * handle tells, or as an event that was never recorded. */
enum { HANDLE_SHIFT = 8, HANDLE_NON_BLOCKING = 0x40, HANDLE_EVENT = 0x80, HANDLE_PER_THREAD = 2 };

static void *handle_of(uint64_t serial, unsigned kind) { return (void *)(uintptr_t)(serial << HANDLE_SHIFT | kind); }

static uint64_t serial_of(const void *handle, unsigned kind) {
  uintptr_t h = (uintptr_t)handle;
  return (h & ((1u << HANDLE_SHIFT) - 1)) == kind ? h >> HANDLE_SHIFT : 0;
}

static uint64_t stream_serial(const void *handle) {
  return serial_of(handle, (uintptr_t)handle & HANDLE_NON_BLOCKING ? HANDLE_NON_BLOCKING : 0);
}

int simt_streams_create(Simt *s) {
  s->streams = calloc(1, sizeof *s->streams);
  return s->streams ? 0 : -1;
}

static void drop_releases(Simt *s) {
  struct SimtStreams *st = s->streams;
  for (size_t i = 0; i < st->n_releases; i++) free(st->release[i].address);
  st->n_releases = 0;
}

static void drop_records(Simt *s) {
  struct SimtStreams *st = s->streams;
  drop_releases(s);
  for (unsigned i = 0; i < st->n_streams; i++) simt_footprint_drop(&st->stream[i].record);
}

void simt_streams_destroy(Simt *s) {
  struct SimtStreams *st = s->streams;
  if (!st) return;
  drop_records(s);
  free(st->event);
  free(st->op);
  free(st->release);
  free(st);
}

void simt_streams_begin(Simt *s) {
  struct SimtStreams *st = s->streams;
  drop_records(s);
  memset(st->stream, 0, st->n_streams * sizeof st->stream[0]);
  memset(&st->host, 0, sizeof st->host);
  st->n_streams = 1;
  st->n_events = st->n_ops = 0;
  st->first_of_run = st->serial;
  simt_ordered_forget(s);
  st->pending = s->races.next_chunk;
}

/* ---- clocks ---- */

static void join(const struct SimtStreams *st, SimtClock *to, const SimtClock *from) {
  for (unsigned i = 0; i < st->n_streams; i++)
    if (from->over[i] > to->over[i]) to->over[i] = from->over[i];
}

/* All of the stream's own and what it has to wait for. */
static void join_stream(struct SimtStreams *st, unsigned stream, SimtClock *to) {
  SimtStream *k = &st->stream[stream];
  for (unsigned i = 1; !stream && i < st->n_streams; i++)
    if (st->stream[i].blocking) join(st, &k->clock, &st->stream[i].clock);
  if (stream && k->blocking) join(st, &k->clock, &st->stream[0].clock);
  join(st, to, &k->clock);
}

static int is_over(const struct SimtStreams *st, unsigned stream) { return st->host.over[stream] >= st->stream[stream].n_ops; }

/* What the host has waited for is behind nothing that comes, and need not be kept. */
static void forget_what_is_over(Simt *s) {
  struct SimtStreams *st = s->streams;
  unsigned n = 0;
  for (unsigned i = 0; i < st->n_streams; i++) {
    if (!is_over(st, i)) continue;
    n++;
    simt_footprint_drop(&st->stream[i].record);
  }
  if (n < st->n_streams) return;
  drop_releases(s);
  st->n_ops = 0;
  st->pending = s->races.next_chunk;
}

/* May an operation of this stream, or one to come, be concurrent with what was issued before? The default stream and one blocking stream
 * are one line; so is one stream of any kind alone. */
static int is_many(const struct SimtStreams *st, unsigned stream) {
  unsigned n = 0, non_blocking = 0;
  for (unsigned i = 1; i < st->n_streams; i++) {
    if (!st->stream[i].serial && is_over(st, i)) continue;
    n++;
    non_blocking += !st->stream[i].blocking;
  }
  return n > 1 || (non_blocking && (!stream || !is_over(st, 0)));
}

int simt_stream_is_many(const Simt *s, unsigned stream) { return is_many(s->streams, stream); }

/* ---- operations ---- */

static SimtOperation *new_operation(struct SimtStreams *st) {
  if (st->n_ops == st->op_room) {
    size_t room = st->op_room ? 2 * st->op_room : 16;
    SimtOperation *p = realloc(st->op, room * sizeof *p);
    if (!p) return NULL;
    st->op = p;
    st->op_room = room;
  }
  return &st->op[st->n_ops++];
}

const SimtOperation *simt_operation_of(const Simt *s, uint32_t seg) {
  const struct SimtStreams *st = s->streams;
  size_t lo = 0, hi = st->n_ops; /* the last that begins at or below seg */
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (st->op[mid].first_chunk <= seg >> 5) lo = mid + 1;
    else hi = mid;
  }
  return lo ? &st->op[lo - 1] : NULL;
}

/* ---- what passes between launches that run at the same time: by the release and acquire patterns of the PTX memory model. Coarse:
 * a launch that has learnt of another is behind all of it from then on, so that nothing is told that is in order. ---- */

static void forget_acquired(Simt *s, int many) {
  struct SimtStreams *st = s->streams;
  st->n_acquires = 0;
  s->races.released = many && st->n_releases;
  if (s->races.released) memset(&st->seen, 0, sizeof st->seen);
}

static int compare_addresses(const void *a, const void *b) {
  uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;
  return (x > y) - (x < y);
}

static SimtRelease *new_release(struct SimtStreams *st) {
  if (st->n_releases == st->release_room) {
    size_t room = st->release_room ? 2 * st->release_room : 8;
    SimtRelease *p = realloc(st->release, room * sizeof *p);
    if (!p) return NULL;
    st->release = p;
    st->release_room = room;
  }
  return &st->release[st->n_releases++];
}

/* Kept even if there is one stream as yet: another may be made that reads there. */
void simt_stream_released(Simt *s, uintptr_t *address, size_t n) {
  struct SimtStreams *st = s->streams;
  const SimtOperation *op = st->n_ops ? &st->op[st->n_ops - 1] : NULL;
  SimtRelease *r = op ? new_release(st) : NULL;
  if (!r) {
    free(address);
    return;
  }
  qsort(address, n, sizeof *address, compare_addresses);
  *r = (SimtRelease){address, n, st->stream[op->stream].clock};
  for (unsigned i = 0; i < st->n_acquires; i++) join(st, &r->clock, &st->acquire[i].clock);
}

void simt_stream_seen(Simt *s, uintptr_t address) {
  struct SimtStreams *st = s->streams;
  for (size_t i = 0; i < st->n_releases; i++) {
    const SimtRelease *r = &st->release[i];
    if (bsearch(&address, r->address, r->n, sizeof *r->address, compare_addresses)) join(st, &st->seen, &r->clock);
  }
}

/* When there is no room the first moment counts for all that is learnt later. */
void simt_stream_acquired(Simt *s) {
  struct SimtStreams *st = s->streams;
  SimtAcquire *last = st->n_acquires ? &st->acquire[st->n_acquires - 1] : NULL;
  SimtClock all = last ? last->clock : (SimtClock){{0}};
  join(st, &all, &st->seen);
  if (!memcmp(&all, last ? &last->clock : &(SimtClock){{0}}, sizeof all)) return;
  if (st->n_acquires == SIMT_MAX_ACQUIRES) last->clock = all;
  else st->acquire[st->n_acquires++] = (SimtAcquire){s->races.next_chunk, all};
}

int simt_stream_waited(const Simt *s, const SimtOperation *old) {
  return !old || s->streams->host.over[old->stream] >= old->number;
}

void simt_stream_wait_for(Simt *s, const SimtOperation *op) {
  SimtClock *host = &s->streams->host;
  if (host->over[op->stream] < op->number) host->over[op->stream] = op->number;
}

int simt_stream_ordered(const Simt *s, const SimtOperation *old, uint32_t seg) {
  const struct SimtStreams *st = s->streams;
  if (!old || st->stream[st->op[st->n_ops - 1].stream].clock.over[old->stream] >= old->number) return 1;
  for (unsigned i = 0; i < st->n_acquires && st->acquire[i].chunk <= seg >> 5; i++)
    if (st->acquire[i].clock.over[old->stream] >= old->number) return 1;
  return 0;
}

/* Up to here all was one line: of what lies on top of each other in the shadow words, the upper one tells enough. */
static void settle(Simt *s) {
  struct SimtStreams *st = s->streams;
  SimtFootprint f = {0};
  if (st->pending < s->races.next_chunk && st->n_ops) {
    simt_footprint_take(s, st->pending, &f);
    simt_footprint_add(&st->stream[st->op[st->n_ops - 1].stream].record, &f);
    simt_footprint_drop(&f);
  }
  st->pending = s->races.next_chunk;
}

void simt_stream_issue(Simt *s, unsigned stream) {
  struct SimtStreams *st = s->streams;
  SimtStream *k = &st->stream[stream];
  forget_what_is_over(s);
  join(st, &k->clock, &st->host);
  join_stream(st, stream, &k->clock);
  int many = is_many(st, stream);
  if (s->detect & SIMT_DETECT_RACE && many) settle(s);
  forget_acquired(s, many);
  SimtOperation *op = new_operation(st);
  if (!op) s->detect = 0; /* go on without detection rather than with false order */
  k->clock.over[stream] = ++k->n_ops;
  if (op) *op = (SimtOperation){.first_chunk = s->races.next_chunk, .stream = stream, .number = k->n_ops, .launches = s->stats.launches};
}

void simt_stream_done(Simt *s, const Launch *l) {
  struct SimtStreams *st = s->streams;
  if (!(s->detect & SIMT_DETECT_RACE) || !st->n_ops) return;
  SimtOperation *op = &st->op[st->n_ops - 1];
  if (l) op->launch = *l;
  if (!is_many(st, op->stream)) return;
  SimtFootprint f = {0};
  simt_footprint_take(s, op->first_chunk, &f);
  for (unsigned i = 0; i < st->n_streams; i++)
    if (i != op->stream) simt_footprint_judge(s, &f, &st->stream[i].record);
  simt_ordered_use(s, op->stream, &f);
  simt_footprint_add(&st->stream[op->stream].record, &f);
  simt_footprint_drop(&f);
  if (st->n_acquires) join(st, &st->stream[op->stream].clock, &st->acquire[st->n_acquires - 1].clock);
  st->pending = s->races.next_chunk;
}

void simt_streams_forget(Simt *s) {
  struct SimtStreams *st = s->streams;
  simt_device_synchronize();
  forget_what_is_over(s);
  st->pending = s->races.next_chunk;
}

/* ---- what host code calls ---- */

static int find(const struct SimtStreams *st, uint64_t serial) {
  for (unsigned i = 1; serial && i < st->n_streams; i++)
    if (st->stream[i].serial == serial) return (int)i;
  return -1;
}

/* Room for a stream: one that never was, or a destroyed one that is over; if need be one that is not, which is order that no device
 * promises. -1: none. */
static int free_stream(struct SimtStreams *st) {
  int other = -1;
  for (unsigned i = 1; i < st->n_streams; i++) {
    if (st->stream[i].serial) continue;
    if (is_over(st, i)) return (int)i;
    if (other < 0) other = (int)i;
  }
  return st->n_streams < SIMT_MAX_STREAMS ? (int)st->n_streams++ : other;
}

static int new_stream(struct SimtStreams *st, uint64_t serial, int blocking) {
  int i = free_stream(st);
  if (i < 0) return -1;
  SimtStream *k = &st->stream[i];
  if (is_over(st, (unsigned)i)) k->clock = st->host; /* what another stream of this number had waited for is not its business */
  else if (k->blocking) join(st, &st->stream[0].clock, &k->clock); /* the default stream still waits for that one */
  k->serial = serial;
  k->blocking = blocking;
  return i;
}

enum { SERIAL_PER_THREAD = 1, FIRST_SERIAL = 2 };

static int is_of_earlier_run(const struct SimtStreams *st, uint64_t serial) {
  return serial >= FIRST_SERIAL && serial - FIRST_SERIAL < st->first_of_run;
}

int simt_stream_index(Simt *s, const void *handle) {
  struct SimtStreams *st = s->streams;
  if ((uintptr_t)handle < HANDLE_PER_THREAD) return 0;
  uint64_t serial = (uintptr_t)handle == HANDLE_PER_THREAD ? SERIAL_PER_THREAD : stream_serial(handle);
  int i = find(st, serial);
  if (i >= 0 || (serial != SERIAL_PER_THREAD && !is_of_earlier_run(st, serial))) return i;
  return new_stream(st, serial, !((uintptr_t)handle & HANDLE_NON_BLOCKING));
}

static uint64_t next_serial(struct SimtStreams *st) { return FIRST_SERIAL + st->serial++; }

void *simt_stream_create(int blocking) {
  Simt *s = simt_host_context();
  if (!s) return NULL;
  uint64_t serial = next_serial(s->streams);
  return new_stream(s->streams, serial, blocking) < 0 ? NULL : handle_of(serial, blocking ? 0 : HANDLE_NON_BLOCKING);
}

int simt_stream_destroy(void *stream) {
  Simt *s = simt_host_context();
  int i = s ? find(s->streams, stream_serial(stream)) : -1;
  if (i < 0) return s && is_of_earlier_run(s->streams, stream_serial(stream)) ? 0 : -1;
  s->streams->stream[i].serial = 0; /* what was issued to it goes on */
  return 0;
}

int simt_stream_synchronize(void *stream) {
  Simt *s = simt_host_context();
  int i = s ? simt_stream_index(s, stream) : -1;
  if (i < 0) return -1;
  join_stream(s->streams, (unsigned)i, &s->streams->host);
  return 0;
}

int simt_device_synchronize(void) {
  Simt *s = simt_host_context();
  for (unsigned i = 0; s && i < s->streams->n_streams; i++) join(s->streams, &s->streams->host, &s->streams->stream[i].clock);
  return s ? 0 : -1;
}

static SimtEvent *free_event(struct SimtStreams *st) {
  for (size_t i = 0; i < st->n_events; i++)
    if (!st->event[i].serial) return &st->event[i];
  if (st->n_events == st->event_room) {
    size_t room = st->event_room ? 2 * st->event_room : 8;
    SimtEvent *p = realloc(st->event, room * sizeof *p);
    if (!p) return NULL;
    st->event = p;
    st->event_room = room;
  }
  return &st->event[st->n_events++];
}

static SimtEvent *find_event(Simt *s, const void *handle) {
  uint64_t serial = serial_of(handle, HANDLE_EVENT);
  for (size_t i = 0; s && serial && i < s->streams->n_events; i++)
    if (s->streams->event[i].serial == serial) return &s->streams->event[i];
  SimtEvent *e = s && is_of_earlier_run(s->streams, serial) ? free_event(s->streams) : NULL;
  if (e) *e = (SimtEvent){.serial = serial};
  return e;
}

void *simt_event_create(void) {
  Simt *s = simt_host_context();
  SimtEvent *e = s ? free_event(s->streams) : NULL;
  if (!e) return NULL;
  *e = (SimtEvent){.serial = next_serial(s->streams)};
  return handle_of(e->serial, HANDLE_EVENT);
}

int simt_event_destroy(void *event) {
  SimtEvent *e = find_event(simt_host_context(), event);
  if (!e) return -1;
  e->serial = 0;
  return 0;
}

int simt_event_record(void *event, void *stream) {
  Simt *s = simt_host_context();
  SimtEvent *e = find_event(s, event);
  int i = e ? simt_stream_index(s, stream) : -1;
  if (i < 0) return -1;
  e->clock = s->streams->host;
  e->recorded = 1;
  join_stream(s->streams, (unsigned)i, &e->clock);
  return 0;
}

int simt_event_synchronize(void *event) {
  Simt *s = simt_host_context();
  SimtEvent *e = find_event(s, event);
  if (!e) return -1;
  if (e->recorded) join(s->streams, &s->streams->host, &e->clock);
  return 0;
}

/* 1: it was recorded; 0: not yet; -1: there is no such event. */
int simt_event_recorded(void *event) {
  const SimtEvent *e = find_event(simt_host_context(), event);
  return e ? e->recorded : -1;
}

int simt_event_is_over(void *event) {
  const Simt *s = simt_host_context();
  const SimtEvent *e = find_event(simt_host_context(), event);
  for (unsigned i = 0; e && i < s->streams->n_streams; i++)
    if (e->clock.over[i] > s->streams->host.over[i]) return 0;
  return e != NULL;
}

/* What the host's code in a stream does is behind all that the stream has done, and nothing else. */
void simt_stream_enter(Simt *s, unsigned stream, SimtClock *outside) {
  *outside = s->streams->host;
  join_stream(s->streams, stream, &s->streams->host);
}

void simt_stream_leave(Simt *s, const SimtClock *outside) { s->streams->host = *outside; }

int simt_stream_wait(void *stream, void *event) {
  Simt *s = simt_host_context();
  SimtEvent *e = find_event(s, event);
  int i = e ? simt_stream_index(s, stream) : -1;
  if (i < 0) return -1;
  SimtClock unused = {{0}};
  join_stream(s->streams, (unsigned)i, &unused);
  if (e->recorded) join(s->streams, &s->streams->stream[i].clock, &e->clock); /* an event never recorded is complete */
  return 0;
}
