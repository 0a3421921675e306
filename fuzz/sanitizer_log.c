/* sanitizer_log.c - a log of compute-sanitizer, line by line, to findings. What a message says is sanitizer_message.c's; here is what
 * becomes of it: one finding per class and pair of places, echoes of a fault left out, the rest kept as it is. */
#define _GNU_SOURCE
#include "sanitizer_message.h"
#include "textbuf.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 1 << 16, KEPT_BYTES = 300 /* of a line that is kept */ };

typedef struct Parser {
  WfSanitizerLog *log;
  const char *tool;
  WfMessage m;
  int no_memory;
  int faulted;         /* an error on the device came before: what fails later fails because of it */
  int refused;         /* a launch was refused before: cudaGetLastError says so again */
  uint64_t n_messages, n_told; /* errors and hazards that were read; those that the summary counts */
} Parser;

/* ---- memory of the log ---- */

static void *own(Parser *p, void *q) {
  WfSanitizerLog *l = p->log;
  if (q && l->n_owned == l->max_owned) {
    size_t max = l->max_owned ? 2 * l->max_owned : 64;
    void **more = realloc(l->owned, max * sizeof *more);
    if (!more) {
      free(q);
      q = NULL;
    } else {
      l->owned = more;
      l->max_owned = max;
    }
  }
  if (!q) p->no_memory = 1;
  if (q) l->owned[l->n_owned++] = q;
  return q;
}

/* A text of its own; NULL: t is empty, or no memory. */
static char *text_of(Parser *p, WfSpan t) {
  if (!t.n) return NULL;
  if (t.n > LINE_BYTES) t.n = LINE_BYTES;
  char *s = own(p, malloc(t.n + 1));
  if (!s) return NULL;
  for (size_t i = 0; i < t.n; i++) s[i] = t.s[i] ? t.s[i] : '?';
  s[t.n] = '\0';
  wf_text_plain(s);
  return s;
}

/* Each text once. */
static void keep_line(Parser *p, WfSpan line) {
  WfSanitizerLog *l = p->log;
  l->n_unread++;
  if (l->n_kept == WF_LOG_UNREAD) return;
  if (line.n > KEPT_BYTES) line.n = KEPT_BYTES;
  char *s = text_of(p, line);
  for (size_t i = 0; s && i < l->n_kept; i++)
    if (strcmp(l->unread[i], s) == 0) return;
  if (s) l->unread[l->n_kept++] = s;
}

/* ---- places ---- */

static int same_text(const char *s, WfSpan t) { return t.n == 0 ? !s : s && strlen(s) == t.n && memcmp(s, t.s, t.n) == 0; }

static int same_spans(WfSpan a, WfSpan b) { return a.n == b.n && (a.n == 0 || memcmp(a.s, b.s, a.n) == 0); }

/* Functions tell places apart only where no lines do: instances of a template share their source. */
static int is_place(const SimtSite *s, const WfPlace *p) {
  return s->line == p->line && same_text(s->file, p->file) && (p->line || same_text(s->func, p->function));
}

static int same_places(const WfPlace *a, const WfPlace *b) {
  return a->line == b->line && same_spans(a->file, b->file) && same_spans(a->function, b->function);
}

/* CUDA's own headers, in which shuffles, votes and atomics are functions that call the instruction: the place is where these were
 * called. */
static int is_cuda_header(WfSpan file) {
  static const char *const begins[] = {"sm_", "cuda_fp16", "cuda_bf16", "cuda_fp8", "device_", "cooperative_groups", "vector_functions"};
  const char *slash = file.n ? memrchr(file.s, '/', file.n) : NULL;
  WfSpan name = slash ? (WfSpan){slash + 1, file.n - (size_t)(slash + 1 - file.s)} : file;
  if (!wf_span_has(name, ".h")) return 0;
  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
    if (wf_span_starts(name, begins[i])) return 1;
  return 0;
}

static void leave_headers(WfMessage *m) {
  while (m->n_sites == 1 && m->n_frames && is_cuda_header(m->site[0].file)) {
    m->intrinsic = m->site[0].function;
    m->site[0] = m->frame[0];
    memmove(m->frame, m->frame + 1, (size_t)--m->n_frames * sizeof *m->frame);
  }
}

/* Frames of a recursion that come one after the other are one. */
static void fold_frames(WfMessage *m) {
  int n = 0;
  for (int i = 0; i < m->n_frames; i++) {
    const WfPlace *before = n ? &m->frame[n - 1] : &m->site[0];
    if (!same_places(before, &m->frame[i])) m->frame[n++] = m->frame[i];
  }
  m->n_frames = n;
}

static int is_chain(const SimtSite *s, const WfPlace *p, const WfPlace *frame, int n_frames) {
  if (!s || !is_place(s, p)) return 0;
  for (int i = 0; i < n_frames; i++) {
    s = s->caller;
    if (!s || !is_place(s, &frame[i])) return 0;
  }
  return s->caller == NULL;
}

static const SimtSite *new_site(Parser *p, const WfPlace *place, const SimtSite *caller) {
  SimtSite *s = own(p, aligned_alloc(_Alignof(SimtSite), sizeof *s));
  if (s) *s = (SimtSite){.file = text_of(p, place->file), .func = text_of(p, place->function), .caller = caller, .line = place->line};
  return s;
}

static const SimtSite *new_chain(Parser *p, const WfPlace *place, const WfPlace *frame, int n_frames) {
  const SimtSite *caller = NULL;
  for (int i = n_frames; i-- > 0;) caller = new_site(p, &frame[i], caller);
  return new_site(p, place, caller);
}

/* ---- findings ---- */

/* Races: frames are not told. The later of two accesses completes a hazard, and stands second. */
static int here_of(const WfMessage *m) { return m->kind == WF_MESSAGE_HAZARD && m->n_sites == 2; }

static int is_finding(const WfFinding *f, const WfMessage *m) {
  const WfPlace *here = &m->site[here_of(m)], *other = &m->site[!here_of(m)];
  const SimtSite *a = f->simt.here.site, *b = f->simt.other.site;
  if (f->simt.cls != m->cls) return 0;
  if (m->n_sites < 2) return !b && (m->n_sites ? is_chain(a, here, m->frame, m->n_frames) : !a);
  return a && b && ((is_place(a, here) && is_place(b, other)) || (is_place(a, other) && is_place(b, here)));
}

static WfFinding *find_finding(const WfSanitizerLog *l, const WfMessage *m) {
  for (size_t i = 0; i < l->n; i++)
    if (is_finding(&l->finding[i], m)) return &l->finding[i];
  return NULL;
}

/* One sentence: what the tool says of the address, or else its first line. */
static void set_detail(char *out, size_t size, const WfMessage *m) {
  int by_address = m->kind == WF_MESSAGE_HOST || wf_span_has(m->why[0], " is ");
  WfSpan a = by_address && m->why[0].n ? m->why[0] : m->head, b = m->why[1];
  if (m->kind == WF_MESSAGE_RACE)
    snprintf(out, size, "a %s and a %s of shared memory race, in %" PRIu64 " hazard%s", m->site_access[0],
             m->n_sites > 1 ? m->site_access[1] : "further access", m->count, m->count == 1 ? "" : "s");
  else
    snprintf(out, size, "%.*s%s%.*s%s%.*s", (int)a.n, a.s, b.n ? " " : "", (int)b.n, b.n ? b.s : "",
             m->intrinsic.n && !b.n ? " In " : "", b.n ? 0 : (int)m->intrinsic.n, m->intrinsic.n ? m->intrinsic.s : "");
  wf_text_plain(out);
}

static void set_where(SimtWhere *w, const WfMessage *m, int side, const SimtSite *site) {
  *w = (SimtWhere){.site = site, .access = m->site_access[side], .epoch = WF_NOT_KNOWN};
  memcpy(w->thread, m->thread[side], sizeof w->thread);
  memcpy(w->block, m->block, sizeof w->block);
}

/* The outermost frame. Racecheck tells no frames, and its function may be one that was inlined; a failed assert() tells no kernel. */
static WfSpan kernel_of(const WfMessage *m) {
  if (m->kind == WF_MESSAGE_RACE || m->kind == WF_MESSAGE_HAZARD) return (WfSpan){"", 0};
  WfSpan name = m->n_frames              ? m->frame[m->n_frames - 1].function
                : m->site[0].kernel.n    ? m->site[0].kernel
                                         : m->site[0].function;
  return wf_span_starts(name, "__assertfail") ? (WfSpan){"", 0} : name;
}

static void set_object(Parser *p, WfFinding *f, const WfMessage *m) {
  char text[64];
  f->simt.size_bytes = m->size_bytes;
  f->simt.offset_bytes = m->has_base && m->has_address ? (int64_t)(m->address - m->base) : WF_NO_OFFSET;
  snprintf(text, sizeof text, "allocation of %" PRIu64 " bytes", m->extent_bytes);
  f->simt.object = m->has_base ? text_of(p, (WfSpan){text, strlen(text)}) : "";
}

static void add_finding(Parser *p, const WfMessage *m) {
  WfSanitizerLog *l = p->log;
  int here = here_of(m);
  if (l->n == WF_LOG_FINDINGS) {
    l->n_dropped++;
    return;
  }
  if (!l->finding) l->finding = own(p, calloc(WF_LOG_FINDINGS, sizeof *l->finding));
  if (!l->finding) return;
  WfFinding *f = &l->finding[l->n++];
  *f = (WfFinding){.tool = p->tool};
  f->simt.cls = m->cls;
  f->simt.severity = m->severity;
  f->simt.count = m->count;
  if (m->n_sites) {
    f->simt.kernel = text_of(p, kernel_of(m));
    set_where(&f->simt.here, m, here, new_chain(p, &m->site[here], m->frame, m->n_sites == 1 ? m->n_frames : 0));
  }
  if (m->n_sites == 2) set_where(&f->simt.other, m, !here, new_chain(p, &m->site[!here], NULL, 0));
  set_object(p, f, m);
  set_detail(f->simt.detail, sizeof f->simt.detail, m);
}

/* Does the tool, or the device, end the kernel and all that would follow it? */
static int is_fatal(const WfMessage *m) {
  uint32_t survived = 1u << SIMT_UNINIT_GLOBAL | 1u << SIMT_UNINIT_SHARED | 1u << SIMT_LAUNCH_ERROR | 1u << SIMT_RACE_SHARED;
  return m->severity == SIMT_ERROR && !(survived >> m->cls & 1);
}

static void take_finding(Parser *p, WfMessage *m) {
  WfSanitizerLog *l = p->log;
  leave_headers(m);
  fold_frames(m);
  WfFinding *f = find_finding(l, m);
  *(m->severity == SIMT_ERROR ? &l->errors : &l->warnings) |= 1u << m->cls;
  if (is_fatal(m)) p->faulted = 1;
  if (!f) {
    add_finding(p, m);
    return;
  }
  f->simt.count += m->count;
  if (m->severity > f->simt.severity) f->simt.severity = m->severity;
}

static void take_other(Parser *p, const WfMessage *m) {
  if (m->severity == SIMT_ERROR) p->log->n_other++;
  keep_line(p, m->head);
}

/* ---- failed CUDA calls ---- */

/* What a fault of a kernel leaves behind: every later call fails with it. */
static int is_fault(uint64_t code, SimtClass *cls) {
  static const struct {
    uint64_t code;
    SimtClass cls;
  } faults[] = {{700, SIMT_OOB_GLOBAL}, {702, SIMT_HANG},        {710, SIMT_TRAP},        {714, SIMT_CLASS_COUNT}, {715, SIMT_TRAP},
                {716, SIMT_MISALIGNED}, {717, SIMT_CLASS_COUNT}, {718, SIMT_CLASS_COUNT}, {719, SIMT_CLASS_COUNT}};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    if (faults[i].code != code) continue;
    *cls = faults[i].cls;
    return 1;
  }
  return 0;
}

static int is_launch(WfSpan function) {
  static const char *const names[] = {"cudaLaunch", "cuLaunch", "cudaFuncSetAttribute", "cuFuncSetAttribute"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (wf_span_starts(function, names[i])) return 1;
  return 0;
}

/* A fault that the tool has reported is told again by every call that meets it. One that it has not is told once. */
static void take_api(Parser *p, WfMessage *m) {
  uint64_t code;
  WfSpan function;
  if (!wf_message_api(m->head, &code, &function)) {
    keep_line(p, m->head);
  } else if (is_fault(code, &m->cls)) {
    if (!p->faulted && m->cls == SIMT_CLASS_COUNT) take_other(p, m);
    if (!p->faulted && m->cls != SIMT_CLASS_COUNT) take_finding(p, m);
    p->faulted = 1;
  } else if (is_launch(function)) {
    m->cls = SIMT_LAUNCH_ERROR;
    take_finding(p, m);
    p->refused = 1;
  } else if (!p->refused || !(wf_span_starts(function, "cudaGetLastError") || wf_span_starts(function, "cudaPeekAtLastError"))) {
    keep_line(p, m->head); /* of the program that launches, not of the kernel */
  }
}

/* ---- messages ---- */

static void close_message(Parser *p) {
  WfMessage *m = &p->m;
  switch (m->kind) {
  case WF_MESSAGE_NONE:
  case WF_MESSAGE_QUIET:
  case WF_MESSAGE_NOTE:
  case WF_MESSAGE_FAILURE:
    break;
  case WF_MESSAGE_ACCESS:
  case WF_MESSAGE_POINT:
    take_finding(p, m);
    break;
  case WF_MESSAGE_RACE:
  case WF_MESSAGE_HAZARD: /* with both sides it was taken when the second came */
    if (m->n_sites < 2) take_finding(p, m);
    break;
  case WF_MESSAGE_API:
    take_api(p, m);
    break;
  case WF_MESSAGE_HOST:
    if (m->cls == SIMT_CLASS_COUNT)
      take_other(p, m);
    else
      take_finding(p, m);
    break;
  case WF_MESSAGE_UNKNOWN: /* with a place on the device it is an error, whatever it says */
    if (m->n_sites || m->n_frames || m->thread[0][0] != WF_NOT_KNOWN) {
      take_other(p, m);
      p->n_messages++;
      p->faulted = 1;
    } else {
      keep_line(p, m->head);
    }
    break;
  }
  m->kind = WF_MESSAGE_NONE;
}

static void begin_message(Parser *p, WfSpan line) {
  close_message(p);
  wf_message_begin(&p->m, line);
  WfMessage *m = &p->m;
  if (m->kind == WF_MESSAGE_NOTE) keep_line(p, line);
  if (m->kind == WF_MESSAGE_FAILURE && !p->log->failure) p->log->failure = text_of(p, m->head);
  p->n_messages += m->kind != WF_MESSAGE_NOTE && m->kind != WF_MESSAGE_QUIET && m->kind != WF_MESSAGE_UNKNOWN;
}

/* "ERROR SUMMARY: 3 errors", "RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)"; and "ERROR SUMMARY: 31 errors were
 * not printed. Use --print-limit ...". 1; 0: another line. */
static int take_summary(Parser *p, WfSpan t) {
  WfSanitizerLog *l = p->log;
  uint64_t n, warnings = 0;
  int is_race = wf_span_skip(&t, "RACECHECK SUMMARY: ");
  if (!is_race && !wf_span_skip(&t, "ERROR SUMMARY: ")) return wf_span_starts(t, "LEAK SUMMARY: ");
  close_message(p);
  if (!wf_span_count(&t, &n)) return 0;
  if (wf_span_has(t, "not printed")) {
    p->n_messages += n;
    l->n_not_printed += n;
    return 1;
  }
  p->n_told += n;
  if (is_race && wf_span_past(&t, "(")) wf_span_count(&t, &n);
  if (is_race && wf_span_past(&t, ", ")) wf_span_count(&t, &warnings);
  l->has_summary = 1;
  l->told_errors += n;
  l->told_warnings += warnings;
  return 1;
}

static void take_line(Parser *p, WfSpan line) {
  if (line.n > LINE_BYTES) line.n = LINE_BYTES;
  if (!wf_span_skip(&line, "=========")) return;
  WfSpan t = wf_span_trim(line);
  if (!t.n) {
    close_message(p);
    return;
  }
  if (wf_span_starts(t, "COMPUTE-SANITIZER") || wf_span_starts(t, "CUDA-MEMCHECK") || take_summary(p, t)) return;
  switch (wf_message_continue(&p->m, t)) {
  case 0: /* further lines stand 5 blanks in or more, first lines 1 */
    if (p->m.kind != WF_MESSAGE_NONE && wf_span_starts(line, "  "))
      keep_line(p, t);
    else
      begin_message(p, t);
    break;
  case 2:
    take_finding(p, &p->m);
    p->n_messages++;
    break;
  }
}

int wf_sanitizer_log_parse(WfSanitizerLog *out, const char *text, size_t len, const char *tool) {
  Parser p = {.log = out, .tool = tool};
  *out = (WfSanitizerLog){0};
  for (size_t at = 0; at < len && !p.no_memory;) {
    const char *end = memchr(text + at, '\n', len - at);
    size_t n = end ? (size_t)(end - text) - at : len - at;
    take_line(&p, (WfSpan){text + at, n});
    at += n + 1;
  }
  close_message(&p);
  /* The tool counts errors that its log does not show, or shows in words that are not known here. */
  if (p.n_told > p.n_messages) out->n_other += p.n_told - p.n_messages;
  return p.no_memory ? -1 : 0;
}

void wf_sanitizer_log_free(WfSanitizerLog *log) {
  for (size_t i = 0; i < log->n_owned; i++) free(log->owned[i]);
  free(log->owned);
  *log = (WfSanitizerLog){0};
}
