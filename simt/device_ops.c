/* device_ops.c - built-in variables and the operations of single threads: fences, printf, assert, trap, clock. */
#include "engine.h"
#include "runtime_errors.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREAD_VALUE(name, value) \
  unsigned name(void) { return simt_current ? (value) : 0; }
THREAD_VALUE(simt_thread_idx_x, simt_current->idx[0])
THREAD_VALUE(simt_thread_idx_y, simt_current->idx[1])
THREAD_VALUE(simt_thread_idx_z, simt_current->idx[2])
THREAD_VALUE(simt_block_idx_x, simt_current->warp->block->idx[0])
THREAD_VALUE(simt_block_idx_y, simt_current->warp->block->idx[1])
THREAD_VALUE(simt_block_idx_z, simt_current->warp->block->idx[2])
THREAD_VALUE(simt_block_dim_x, simt_current->simt->launch.block[0])
THREAD_VALUE(simt_block_dim_y, simt_current->simt->launch.block[1])
THREAD_VALUE(simt_block_dim_z, simt_current->simt->launch.block[2])
THREAD_VALUE(simt_grid_dim_x, simt_current->simt->launch.grid[0])
THREAD_VALUE(simt_grid_dim_y, simt_current->simt->launch.grid[1])
THREAD_VALUE(simt_grid_dim_z, simt_current->simt->launch.grid[2])
THREAD_VALUE(simt_lane_id, simt_current->actor.index % SIMT_LANES)

char *simt_shared_static(const SimtModule *m) {
  (void)m; /* a launch runs code of one module */
  return simt_current ? (char *)simt_current->warp->block->shared->base : NULL;
}

char *simt_shared_window(void) { return simt_shared_static(NULL); }

char *simt_shared_dynamic(void) {
  Thread *t = simt_current;
  return t ? (char *)t->warp->block->shared->base + t->simt->launch.kernel->module->shared_bytes : NULL;
}

void simt_op_fence(int scope, const SimtSite *site) {
  Thread *t = simt_current;
  if (!t) return;
  if (scope != SIMT_SCOPE_BLOCK) simt_blocks_talk(t->simt);
  simt_spend(t, site);
  simt_observe_fence(t, scope);
}

static int count_arguments(const char *fmt) {
  int n = 0;
  for (; *fmt; fmt++)
    if (*fmt == '%') fmt[1] == '%' ? (void)fmt++ : (void)n++;
  return n;
}

/* Of a whole program. A device's line is of 1 KB or less too. */
static void print(const SimtProgramHow *how, const char *fmt, va_list ap) {
  char text[1024];
  if (!how->print) {
    vprintf(fmt, ap);
    return;
  }
  int k = vsnprintf(text, sizeof text, fmt, ap);
  if (k > 0) how->print(how->ctx, text, (size_t)k < sizeof text ? (size_t)k : sizeof text - 1);
}

int simt_op_printf(const char *fmt, ...) {
  Thread *t = simt_current;
  va_list ap;
  va_start(ap, fmt);
  int n;
  if (!t) {
    n = vprintf(fmt, ap);
  } else if (t->simt->program) {
    if (!t->simt->quiet) print(t->simt->program, fmt, ap);
    n = count_arguments(fmt);
  } else {
    Simt *s = t->simt;
    size_t room = sizeof s->stats.text - s->text_len;
    int k = room > 1 ? vsnprintf(s->stats.text + s->text_len, room, fmt, ap) : 0;
    s->text_len += k < 0 ? 0 : (size_t)k < room ? (size_t)k : room ? room - 1 : 0;
    n = count_arguments(fmt);
  }
  va_end(ap);
  return n;
}

static void trapped(Thread *t, const char *access, const char *what, int error, const SimtSite *site) __attribute__((noreturn));
SIMT_ON_FIBER static void trapped(Thread *t, const char *access, const char *what, int error, const SimtSite *site) {
  SimtFinding *f = simt_report(t->simt, SIMT_TRAP, SIMT_ERROR, site, NULL);
  if (f) {
    simt_where(&f->here, t, site, access);
    f->rule = "a trap ends the launch with an error (CUDA C++ Programming Guide, Assertion, Trap Function)";
    simt_detail(f, "%s", what);
  }
  simt_broke(t->simt, error);
  simt_abort_launch(t);
}

SIMT_ON_FIBER void simt_op_assert(const char *expr, const SimtSite *site) {
  Thread *t = simt_current;
  if (!t) {
    simt_host_dies(site, "a failed assertion: %s", expr);
    fprintf(stderr, "%s:%u: assertion failed: %s\n", site ? site->file : "?", site ? site->line : 0, expr);
    abort();
  }
  char what[120];
  snprintf(what, sizeof what, "assertion failed: %s", expr);
  trapped(t, "assert", what, CUDA_ASSERT, site);
}

SIMT_ON_FIBER void simt_op_trap(const SimtSite *site) {
  if (!simt_current) {
    simt_host_dies(site, "__trap()");
    abort();
  }
  trapped(simt_current, "trap", "__trap() executed", CUDA_LAUNCH_FAILURE, site);
}

SIMT_ON_FIBER void simt_op_refused(const char *what, const SimtSite *site) {
  if (!simt_current) {
    simt_host_dies(site, "%s", what);
    abort();
  }
  trapped(simt_current, "call", what, CUDA_LAUNCH_FAILURE, site);
}

int64_t simt_op_clock(const SimtSite *site) {
  Thread *t = simt_current;
  if (!t) return 0;
  Simt *s = t->simt;
  simt_probe_blind();
  simt_spend(t, site);
  return (int64_t)(s->launch_steps + s->slice) - simt_hot.fuel;
}

void simt_op_nanosleep(unsigned ns, const SimtSite *site) {
  Thread *t = simt_current;
  (void)ns;
  if (!t) return;
  Simt *s = t->simt; /* the rest of the slice is given up, not spent */
  if (simt_hot.fuel > 0) s->launch_steps -= (uint64_t)simt_hot.fuel < s->launch_steps ? (uint64_t)simt_hot.fuel : s->launch_steps;
  simt_hot.fuel = 0;
  simt_spend(t, site);
}
