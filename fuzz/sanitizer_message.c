/* sanitizer_message.c - what the lines of compute-sanitizer say. Forms that changed with versions stand side by side. */
#include "sanitizer_message.h"
#include <string.h>

#define NO_CLASS SIMT_CLASS_COUNT

/* First lines that need nothing but a look into a table. part: 1 if the text may stand anywhere in the line. */
static const struct {
  const char *text;
  int part;
  WfMessageKind kind;
  SimtClass cls;
  const char *access;
} heads[] = {
    {"Stack overflow", 0, WF_MESSAGE_POINT, SIMT_STACK_OVERFLOW, NULL},
    {"Barrier error detected. Invalid arguments", 0, WF_MESSAGE_POINT, SIMT_SHUFFLE_MASK, "warp operation"},
    {"Barrier error detected", 0, WF_MESSAGE_POINT, SIMT_BARRIER_DIVERGENCE, "barrier"},
    {"Uninitialized __global__", 0, WF_MESSAGE_ACCESS, SIMT_UNINIT_GLOBAL, "read"},
    {"Uninitialized __shared__", 0, WF_MESSAGE_ACCESS, SIMT_UNINIT_SHARED, "read"},
    {"Host API memory access error", 0, WF_MESSAGE_HOST, NO_CLASS, NULL},
    {"Program hit ", 0, WF_MESSAGE_API, NO_CLASS, NULL},
    {"Deadlock detected", 0, WF_MESSAGE_POINT, SIMT_HANG, NULL},
    {"Unused ", 0, WF_MESSAGE_NOTE, NO_CLASS, NULL},
    {"Target application returned an error", 0, WF_MESSAGE_QUIET, NO_CLASS, NULL},
    {"process didn't terminate successfully", 0, WF_MESSAGE_QUIET, NO_CLASS, NULL},
    {"Target application terminated before first", 0, WF_MESSAGE_FAILURE, NO_CLASS, NULL},
    {"Internal ", 0, WF_MESSAGE_FAILURE, NO_CLASS, NULL},
    /* The hardware's own exceptions, as the debugger calls them. */
    {"tack overflow", 1, WF_MESSAGE_POINT, SIMT_STACK_OVERFLOW, NULL},
    {"Out-of-range Shared or Local", 1, WF_MESSAGE_POINT, SIMT_OOB_SHARED, NULL},
    {"Out-of-range", 1, WF_MESSAGE_POINT, SIMT_OOB_GLOBAL, NULL},
    {"Illegal Address", 1, WF_MESSAGE_POINT, SIMT_OOB_GLOBAL, NULL},
    {"Misaligned", 1, WF_MESSAGE_POINT, SIMT_MISALIGNED, NULL},
    {"Illegal Instruction", 1, WF_MESSAGE_POINT, SIMT_TRAP, NULL},
    {"Assert", 1, WF_MESSAGE_POINT, SIMT_TRAP, "assert"},
    {"assert", 1, WF_MESSAGE_POINT, SIMT_TRAP, "assert"},
    {"breakpoint trap", 1, WF_MESSAGE_POINT, SIMT_TRAP, "trap"},
};

static const struct {
  const char *text;
  SimtSeverity severity;
  int is_error;
} labels[] = {
    {"Error: ", SIMT_ERROR, 1},     {"ERROR: ", SIMT_ERROR, 1},     {"ERROR:", SIMT_ERROR, 1},     {"Warning: ", SIMT_WARNING, 0},
    {"WARNING: ", SIMT_WARNING, 0}, {"WARN: ", SIMT_WARNING, 0},    {"WARN:", SIMT_WARNING, 0},    {"Info: ", SIMT_MEANT, 0},
    {"INFO: ", SIMT_MEANT, 0},      {"INFO:", SIMT_MEANT, 0},
};

/* "Write access at k+0xb0 in k.cu:20", and perhaps " [1024 hazards]". */
static void race_side(WfMessage *m, int side, WfSpan t) {
  static const char *const words[][2] = {{"Write", "write"}, {"Read", "read"}, {"Atomic", "atomic"}};
  m->site_access[side] = "access";
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (wf_span_starts(t, words[i][0])) m->site_access[side] = words[i][1];
  WfSpan hazards = t;
  m->count = 1;
  if (wf_span_past(&hazards, " [") && wf_span_count(&hazards, &m->count) && wf_span_starts(hazards, " hazard"))
    for (t.n--; t.s[t.n] != '['; t.n--) continue;
  else
    m->count = 1;
  if (!wf_span_past(&t, "access at ")) wf_span_past(&t, " at ");
  wf_place_parse(t, &m->site[side]);
}

/* "Race reported between " is gone. */
static void begin_race(WfMessage *m, WfSpan t) {
  m->kind = WF_MESSAGE_RACE;
  m->cls = SIMT_RACE_SHARED;
  race_side(m, 0, t);
  m->n_sites = 1;
}

/* "Potential WAW hazard detected at __shared__ 0x0 in block (0,0,0) :" */
static void begin_hazard(WfMessage *m) {
  WfSpan t = m->head;
  m->kind = WF_MESSAGE_HAZARD;
  m->cls = SIMT_RACE_SHARED;
  if (m->head.n && m->head.s[m->head.n - 1] == ':') m->head = wf_span_trim((WfSpan){m->head.s, m->head.n - 1});
  if (wf_span_past(&t, "in block ")) wf_span_triple(&t, m->block);
}

/* "Invalid __global__ write of size 4 bytes", "Invalid __shared__ ? of size 2048 bytes". */
static void begin_access(WfMessage *m, WfSpan t) {
  uint64_t size = 0;
  m->kind = WF_MESSAGE_ACCESS;
  m->cls = wf_span_starts(t, "__shared__") ? SIMT_OOB_SHARED : wf_span_starts(t, "__local__") ? SIMT_OOB_LOCAL : SIMT_OOB_GLOBAL;
  m->access = wf_span_has(t, " atomic") ? "atomic" : wf_span_has(t, " write") ? "write" : wf_span_has(t, " read") ? "read" : "access";
  if (wf_span_past(&t, "of size ") && wf_span_count(&t, &size) && size <= UINT32_MAX) m->size_bytes = (uint32_t)size;
}

static void begin_by_table(WfMessage *m, WfSpan t) {
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
    if (!(heads[i].part ? wf_span_has(t, heads[i].text) : wf_span_starts(t, heads[i].text))) continue;
    m->kind = heads[i].kind;
    m->cls = heads[i].cls;
    m->access = heads[i].access;
    uint64_t size;
    if (m->kind == WF_MESSAGE_ACCESS && wf_span_past(&t, "of size ") && wf_span_count(&t, &size) && size <= UINT32_MAX)
      m->size_bytes = (uint32_t)size;
    return;
  }
}

void wf_message_begin(WfMessage *m, WfSpan line) {
  *m = (WfMessage){.kind = WF_MESSAGE_UNKNOWN, .cls = NO_CLASS, .severity = SIMT_ERROR, .count = 1};
  m->thread[0][0] = m->thread[1][0] = m->block[0] = WF_NOT_KNOWN;
  WfSpan t = line;
  int labelled = 0, is_error = 0;
  for (size_t i = 0; i < sizeof labels / sizeof *labels && !labelled; i++) {
    if (!wf_span_skip(&t, labels[i].text)) continue;
    m->severity = labels[i].severity;
    is_error = labels[i].is_error;
    labelled = 1;
  }
  wf_span_skip(&t, "(Warp Level Programming) ");
  m->head = t = wf_span_trim(t);
  WfSpan rest = t;
  if (wf_span_skip(&rest, "Race reported between "))
    begin_race(m, rest);
  else if (wf_span_starts(t, "Potential ") && wf_span_has(t, " hazard detected at "))
    begin_hazard(m);
  else if (wf_span_starts(t, "Invalid __") || wf_span_starts(t, "Potential invalid __"))
    begin_access(m, (wf_span_past(&rest, "nvalid "), rest));
  else
    begin_by_table(m, t);
  if (m->kind == WF_MESSAGE_UNKNOWN && labelled) m->kind = is_error ? WF_MESSAGE_FAILURE : WF_MESSAGE_NOTE;
  if (m->severity == SIMT_MEANT) m->kind = WF_MESSAGE_NOTE; /* hazards "that have no impact on program execution" */
}

/* ---- further lines ---- */

static void take_frame(WfMessage *m, WfSpan t) {
  WfPlace p;
  wf_place_parse(t, &p);
  if (m->n_frames < WF_LOG_FRAMES) m->frame[m->n_frames++] = p;
}

/* "Write Thread (0,0,0) at k+0x2f0 in k.cu:20", the earlier one first. 1; 0: another line. */
static int take_hazard_thread(WfMessage *m, WfSpan t) {
  int is_write = wf_span_skip(&t, "Write Thread ");
  if ((!is_write && !wf_span_skip(&t, "Read Thread ")) || m->n_sites > 1) return 0;
  int side = m->n_sites++;
  wf_span_triple(&t, m->thread[side]);
  m->site_access[side] = is_write ? "write" : "read";
  wf_span_past(&t, "at ");
  wf_place_parse(t, &m->site[side]);
  return m->n_sites;
}

static void take_address(WfMessage *m, WfSpan t) {
  m->why[0] = t;
  if (wf_span_has(t, "is misaligned") && m->kind == WF_MESSAGE_ACCESS) m->cls = SIMT_MISALIGNED;
  m->has_address = wf_span_past(&t, " 0x") && (t.s -= 2, t.n += 2, wf_span_hex(&t, &m->address));
}

/* "and is 1 bytes after the nearest allocation at 0x7f00 of size 4,096 bytes" */
static void take_nearest(WfMessage *m, WfSpan t) {
  m->why[1] = t;
  m->has_base = wf_span_past(&t, " allocation at ") && wf_span_hex(&t, &m->base) && wf_span_past(&t, "of size ") &&
                wf_span_count(&t, &m->extent_bytes);
}

int wf_message_continue(WfMessage *m, WfSpan t) {
  static const char *const passed[] = {"Saved host backtrace", "Host Frame:", "in ", "Current Value :", "Barrier is located at"};
  WfSpan rest = t;
  if (m->kind == WF_MESSAGE_NONE) return 0;
  if (m->kind == WF_MESSAGE_RACE && wf_span_skip(&rest, "and ")) {
    race_side(m, 1, rest);
    m->n_sites = 2;
    return 2;
  }
  if (m->kind == WF_MESSAGE_HAZARD && (wf_span_starts(t, "Write Thread") || wf_span_starts(t, "Read Thread")))
    return take_hazard_thread(m, t);
  if (m->n_sites == 0 && wf_span_skip(&rest, "at ")) {
    wf_place_parse(rest, &m->site[0]);
    m->site_access[0] = m->access;
    m->n_sites = 1;
    return 1;
  }
  if (wf_span_skip(&rest, "by thread ")) {
    wf_span_triple(&rest, m->thread[0]);
    if (wf_span_past(&rest, "in block ")) wf_span_triple(&rest, m->block);
    return 1;
  }
  if (wf_span_skip(&rest, "Device Frame:")) {
    take_frame(m, rest);
    return 1;
  }
  int is_address = wf_span_starts(t, "Address ") || wf_span_starts(t, "Access ") || wf_span_starts(t, "Uninitialized access ");
  if (is_address) take_address(m, t);
  int is_nearest = !is_address && wf_span_starts(t, "and is ");
  if (is_nearest) take_nearest(m, t);
  /* What is copied back to the host is outputs, and inputs, which the host wrote. */
  if (m->kind == WF_MESSAGE_HOST && is_address && wf_span_has(t, "Uninitialized") && wf_span_has(t, " source")) m->cls = SIMT_UNWRITTEN_OUTPUT;
  for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
    if (wf_span_starts(t, passed[i])) return 1;
  return is_address || is_nearest;
}

/* "Program hit cudaErrorInvalidValue (error 1) due to "invalid argument" on CUDA API call to cudaLaunchKernel." */
int wf_message_api(WfSpan head, uint64_t *code, WfSpan *function) {
  WfSpan t = head;
  if (!wf_span_past(&t, "(error ") || !wf_span_count(&t, code) || !wf_span_past(&t, "API call to ")) return 0;
  t = wf_span_trim(t);
  if (t.n && t.s[t.n - 1] == '.') t.n--;
  *function = t;
  return 1;
}
