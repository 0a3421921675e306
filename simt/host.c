/* host.c - host code that launches: what would end the process there is a finding, and the process goes on.
 *
 * Launchers are compiled like kernels, so integer division and accesses are announced in them too, and such a death has a
 * line. Signals see to the rest: calls of the C library, abort(), a stack that is used up. They are taken on a stack of our own,
 * and only while host code runs: whatever fails in the engine or in a kernel is left to whoever handled it before. */
#define _DEFAULT_SOURCE
#include "heap.h"
#include "streams.h"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIGNAL_STACK_BYTES = 64 << 10 };
static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { N_FAULTS = sizeof faults / sizeof faults[0] };

struct SimtHostCall {
  sigjmp_buf out;
  char death[120]; /* of what, as the end of a sentence */
  const SimtSite *site;
  stack_t stack_before;
  _Alignas(16) char stack[SIGNAL_STACK_BYTES];
};

/* Handlers are the process's. Contexts of several threads may be in host code at the same time: the first one sets them. */
static struct {
  pthread_mutex_t lock;
  unsigned users;
  struct sigaction before[N_FAULTS];
} handlers = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void die(Simt *s, const SimtSite *site) __attribute__((noreturn));
static void die(Simt *s, const SimtSite *site) {
  s->call->site = site;
  siglongjmp(s->call->out, 1);
}

/* The context whose host code runs, and may die; NULL: none. */
static Simt *in_host_code(void) {
  Simt *s = simt_active;
  return s && s->call && !s->in_engine && !simt_current ? s : NULL;
}

static const char *name_of(int sig) {
  switch (sig) {
  case SIGSEGV: return "a segmentation fault";
  case SIGBUS: return "a bus error";
  case SIGFPE: return "an arithmetic fault";
  case SIGILL: return "an illegal instruction";
  }
  return "abort()";
}

/* As if we had never been there: the instruction faults again, or the signal is sent again. */
static void pass_on(int sig, const siginfo_t *info) {
  for (int i = 0; i < N_FAULTS; i++)
    if (faults[i] == sig) sigaction(sig, &handlers.before[i], NULL);
  if (info->si_code <= 0) raise(sig);
}

static void on_fault(int sig, siginfo_t *info, void *unused) {
  Simt *s = in_host_code();
  (void)unused;
  if (!s || (info->si_code <= 0 && sig != SIGABRT)) { /* sent by somebody: nothing has failed */
    pass_on(sig, info);
    return;
  }
  const char *name = name_of(sig);
  memcpy(s->call->death, name, strlen(name) + 1);
  uintptr_t at = (uintptr_t)info->si_addr, from = (uintptr_t)s->host_access;
  int is_announced = (sig == SIGSEGV || sig == SIGBUS) && at - from < SIMT_CHUNK_BYTES;
  die(s, is_announced ? s->host_site : NULL);
}

/* Not blocked in its handler, which is left by a jump. */
static void take_signals(struct SimtHostCall *c) {
  const stack_t own = {.ss_sp = c->stack, .ss_size = sizeof c->stack};
  struct sigaction a = {.sa_sigaction = on_fault, .sa_flags = SA_ONSTACK | SA_SIGINFO | SA_NODEFER};
  sigemptyset(&a.sa_mask);
  sigaltstack(&own, &c->stack_before);
  pthread_mutex_lock(&handlers.lock);
  if (!handlers.users++)
    for (int i = 0; i < N_FAULTS; i++) sigaction(faults[i], &a, &handlers.before[i]);
  pthread_mutex_unlock(&handlers.lock);
}

static void give_signals_back(const struct SimtHostCall *c) {
  pthread_mutex_lock(&handlers.lock);
  if (!--handlers.users)
    for (int i = 0; i < N_FAULTS; i++) sigaction(faults[i], &handlers.before[i], NULL);
  pthread_mutex_unlock(&handlers.lock);
  sigaltstack(&c->stack_before, NULL);
}

SimtFinding *simt_report_host(Simt *s, const SimtSite *site) {
  SimtFinding *f = simt_report_of(s, NULL, SIMT_LAUNCH_ERROR, SIMT_ERROR, site, NULL);
  if (f && site) f->here = (SimtWhere){.site = site, .access = "host code", .is_host = 1};
  return f;
}

static void report_death(Simt *s) {
  /* By a check of errors, mostly, behind a call that the engine does not have. */
  SimtFinding *f = s->stats.unsupported ? NULL : simt_report_host(s, s->call->site);
  s->aborted = s->stats.abandoned = 1;
  s->configured = 0;
  if (!f) return;
  f->rule = "host code that dies takes the program along (POSIX.1-2017, <signal.h>, abort(), exit())";
  if (s->stats.launches)
    simt_detail(f, "the host code that launches died of %s, after the launch of %s", s->call->death, s->launch.kernel->name);
  else
    simt_detail(f, "the host code that launches died of %s, before its first launch", s->call->death);
  simt_add_failed(s, f);
}

/* Where the jump lands nothing is read that has changed since. */
static int survives(struct SimtHostCall *c, void (*host)(void *), void *arg) {
  if (sigsetjmp(c->out, 0)) return 0;
  host(arg);
  return 1;
}

int simt_call(Simt *s, void (*host)(void *arg), void *arg) {
  if (!s->host_call) s->host_call = malloc(sizeof *s->host_call);
  if (!s->host_call) {
    s->aborted = s->stats.abandoned = 1;
    return -1;
  }
  s->host_access = NULL;
  s->host_site = NULL;
  s->call = s->host_call;
  take_signals(s->call);
  int is_alive = survives(s->call, host, arg);
  give_signals_back(s->call);
  if (!is_alive) report_death(s);
  s->call = NULL;
  return is_alive ? 0 : -1;
}

/* ---- what host code tells of itself ---- */

void simt_host_dies(const SimtSite *site, const char *fmt, ...) {
  Simt *s = in_host_code();
  va_list ap;
  if (!s) return;
  va_start(ap, fmt);
  vsnprintf(s->call->death, sizeof s->call->death, fmt, ap);
  va_end(ap);
  die(s, site);
}

SimtWhere simt_host_where(const SimtSite *site, const char *access) {
  return (SimtWhere){.site = site, .access = access, .is_host = 1};
}

static const char rule_device_memory[] =
    "host code cannot access device memory, it copies it (CUDA C++ Programming Guide, Device Memory; only pinned, mapped and managed memory is for both)";
static const char rule_waiting[] =
    "what the host issues is over when the host has waited for it: until then its memory is in use (CUDA C++ Programming Guide, Asynchronous Concurrent Execution)";

/* Host code of a whole program at an address of the device's alone: on a machine it dies. Here it goes on, as there may be more to find. */
static void report_device_memory(Simt *s, const void *p, uint64_t bytes, int is_write, const SimtSite *site) {
  char what[200];
  SimtFinding *f = simt_report_of(s, NULL, SIMT_OOB_GLOBAL, SIMT_ERROR, site, NULL);
  if (!f) return;
  f->here = simt_host_where(site, is_write ? "write" : "read");
  f->rule = rule_device_memory;
  f->size_bytes = (uint32_t)bytes;
  simt_describe_address(s, p, what, sizeof what);
  simt_detail(f, "host code %s %s", is_write ? "writes to" : "reads", what);
}

/* A flag that a kernel raises and the host polls, both by volatile or atomic accesses: no race. From then on the host is behind all that the
 * kernel has done, which is more than it need be, so that nothing in order is told. */
static int passes_flag(Simt *s, const SimtOperation *op, uint64_t word, unsigned how, const SimtSite *site) {
  int host_strong = how & SIMT_HOST_STRONG || (site && site->align_log2 & SIMT_SITE_VOLATILE);
  if (!host_strong || !(word & (WORD_STRONG | WORD_VOLATILE))) return 0;
  if (!(how & SIMT_HOST_WRITES)) simt_stream_wait_for(s, op);
  return 1;
}

/* Of one granule, or a byte of it: an access that is in the way of host code's. */
static void against(Simt *s, Slot *o, uint64_t off, uint64_t word, int writes, unsigned how, const SimtSite *site) {
  const SimtOperation *op = word_site(word) || word_seg(word) ? simt_operation_of(s, word_seg(word)) : NULL;
  int is_write = how & SIMT_HOST_WRITES;
  if (simt_stream_waited(s, op) || word_seg(word) < s->run_seg || passes_flag(s, op, word, how, site)) return;
  const SimtSite *used = simt_call_of(&op->launch, word_site(word));
  const char *reason = simt_meant_reason(site, used);
  SimtFinding *f = simt_report_of(s, op->launch.kernel, SIMT_RACE_GLOBAL, reason ? SIMT_MEANT : SIMT_ERROR, site, used);
  if (!f) return;
  f->reason = reason;
  f->rule = rule_waiting;
  f->here = simt_host_where(site, is_write ? "write" : "read");
  simt_word_where(s, &op->launch, &f->other, word, writes);
  f->other.launch = simt_issued(&op->launch);
  simt_object(s, f, o, off);
  simt_detail(f, "host code %s %s, and nothing has waited for %s that %s it", is_write ? "writes" : "reads", f->object,
              op->launch.kernel ? "the kernel" : f->other.access, writes ? "writes" : "reads");
}

static void against_cell(Simt *s, Slot *o, uint64_t off, Cell c, unsigned how, const SimtSite *site) {
  uint64_t r = *c.read;
  against(s, o, off, *c.write, 1, how, site);
  if (!(how & SIMT_HOST_WRITES)) return;
  against(s, o, off, r, 0, how, site);
  if (!(r & WORD_MORE)) return;
  against(s, o, off, *c.far, !!(*c.far & WORD_COVERED), how, site);
  against(s, o, off, *c.near, 0, how, site);
}

/* Memory for both: is something under way there that the host has not waited for? */
static void check_shared(Simt *s, Slot *o, uint64_t off, uint64_t bytes, unsigned how, const SimtSite *site) {
  const SimtShadow *sh = &o->shadow;
  for (uint64_t at = off; at < off + bytes;) {
    uint64_t g = at / 4, in_parts = sh->write[g] & WORD_BYTES;
    against_cell(s, o, at, in_parts ? byte_cell(sh, at) : granule_cell(sh, g), how, site);
    at = in_parts ? at + 1 : (g + 1) * 4;
  }
}

static int is_for_host(Simt *s, const Slot *o, uintptr_t p, uint64_t bytes) {
  if ((o->flags & (SLOT_HOST | SLOT_HEAP)) == SLOT_HOST) return p - o->base < o->size && o->size - (p - o->base) >= bytes; /* a variable */
  const Allocation *a = o->flags & SLOT_HOST ? simt_heap_find(s, p) : NULL;
  return a && a->kind != HEAP_DEVICE && a->bytes - (p - a->base) >= bytes;
}

void simt_host_access(void *p, uint64_t bytes, unsigned how, const SimtSite *site) {
  Simt *s = simt_host_context();
  if (!s || s->in_engine || !(s->program || s->call)) return;
  Slot *o = simt_slot_of(s, (uintptr_t)p);
  if (o && is_for_host(s, o, (uintptr_t)p, bytes)) {
    if (!s->streams->n_ops || !(s->run.detect & SIMT_DETECT_RACE)) return;
    simt_program_lock();
    check_shared(s, o, (uintptr_t)p - o->base, bytes, how, site);
    simt_program_tell(s);
    simt_program_unlock();
  } else if (o && s->program) {
    simt_program_lock();
    report_device_memory(s, p, bytes, how & SIMT_HOST_WRITES, site);
    simt_program_tell(s);
    simt_program_unlock();
  } else if (o)
    simt_host_dies(site, "a segmentation fault: %s is an address of device memory", o->base && o->size ? o->name : "it");
  s->host_access = p;
  s->host_site = site;
}

void simt_host_divides(const SimtSite *site, const char *what) {
  simt_host_dies(site, "an arithmetic fault: %s", what);
  raise(SIGFPE); /* nobody watches: as on a machine */
}

void simt_op_exit(int status) {
  Simt *s = in_host_code();
  if (s) simt_host_dies(simt_place(), "exit(%d), by which it ended itself", status); /* announced as calls of the runtime are */
  exit(status);
}
