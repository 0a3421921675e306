/* sanitizer_place.c - the parts of a line of compute-sanitizer: numbers, threads, functions, places. */
#include "sanitizer_log.h"
#include <string.h>

static int is_digit(char c) { return c >= '0' && c <= '9'; }

int wf_span_starts(WfSpan t, const char *prefix) {
  size_t n = strlen(prefix);
  return t.n >= n && memcmp(t.s, prefix, n) == 0;
}

static WfSpan from(WfSpan t, size_t at) { return (WfSpan){t.s + at, t.n - at}; }

int wf_span_skip(WfSpan *t, const char *prefix) {
  if (!wf_span_starts(*t, prefix)) return 0;
  *t = from(*t, strlen(prefix));
  return 1;
}

/* Where the part is; t.n: nowhere. */
static size_t find(WfSpan t, const char *part) {
  size_t n = strlen(part);
  for (size_t at = 0; at + n <= t.n; at++) {
    const char *c = memchr(t.s + at, part[0], t.n - at - n + 1);
    if (!c) break;
    at = (size_t)(c - t.s);
    if (memcmp(c, part, n) == 0) return at;
  }
  return t.n;
}

int wf_span_has(WfSpan t, const char *part) { return find(t, part) < t.n; }

int wf_span_past(WfSpan *t, const char *part) {
  size_t at = find(*t, part);
  if (at == t->n) return 0;
  *t = from(*t, at + strlen(part));
  return 1;
}

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

WfSpan wf_span_trim(WfSpan t) {
  while (t.n && is_blank(t.s[t.n - 1])) t.n--;
  while (t.n && is_blank(t.s[0])) t = from(t, 1);
  return t;
}

static int hex_digit(char c) {
  return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int wf_span_hex(WfSpan *t, uint64_t *out) {
  WfSpan rest = *t;
  uint64_t v = 0;
  if (!wf_span_skip(&rest, "0x") || !rest.n || hex_digit(rest.s[0]) < 0) return 0;
  for (; rest.n && hex_digit(rest.s[0]) >= 0; rest = from(rest, 1)) {
    if (v >> 60) return 0;
    v = v << 4 | (uint64_t)hex_digit(rest.s[0]);
  }
  *t = rest;
  *out = v;
  return 1;
}

/* A separator stands between two digits: "1,536", "1.536", "1'536", or a blank of a few bytes that is no ASCII. */
static size_t separator(WfSpan t) {
  size_t n = 0;
  if (t.n && strchr(",.'", t.s[0]) && t.s[0]) n = 1;
  while (n < 3 && n < t.n && (unsigned char)t.s[n] >= 0x80) n++;
  return n && n < t.n && is_digit(t.s[n]) ? n : 0;
}

int wf_span_count(WfSpan *t, uint64_t *out) {
  WfSpan rest = *t;
  uint64_t v = 0;
  if (!rest.n || !is_digit(rest.s[0])) return 0;
  while (rest.n && is_digit(rest.s[0])) {
    if (v > (UINT64_MAX - 9) / 10) return 0;
    v = v * 10 + (uint64_t)(rest.s[0] - '0');
    rest = from(rest, 1);
    rest = from(rest, separator(rest));
  }
  *t = rest;
  *out = v;
  return 1;
}

/* No separators here: a comma parts two numbers. */
static int take_u32(WfSpan *t, uint32_t *out) {
  uint64_t v = 0;
  *t = wf_span_trim(*t);
  if (!t->n || !is_digit(t->s[0])) return 0;
  for (; t->n && is_digit(t->s[0]); *t = from(*t, 1)) {
    v = v * 10 + (uint64_t)(t->s[0] - '0');
    if (v >= UINT32_MAX) return 0; /* which stands for what is not known */
  }
  *out = (uint32_t)v;
  *t = wf_span_trim(*t);
  return 1;
}

int wf_span_triple(WfSpan *t, uint32_t out[3]) {
  WfSpan rest = wf_span_trim(*t);
  uint32_t v[3];
  for (int i = 0; i < 3; i++)
    if (!wf_span_skip(&rest, i == 0 ? "(" : ",") || !take_u32(&rest, &v[i])) return 0;
  if (!wf_span_skip(&rest, ")")) return 0;
  memcpy(out, v, sizeof v);
  *t = rest;
  return 1;
}

/* ---- functions ---- */

/* "void scan<(int)5>(float *)" is scan<(int)5>: parameters begin at the first parenthesis outside of template arguments that does
 * not belong to a name, and what is returned ends at the last blank in front of it. Without parameters nothing is returned. */
static WfSpan bare_function(WfSpan t) {
  static const char *const names[] = {"(anonymous namespace)", "(anonymous class)", "operator()"};
  size_t begin = 0, depth = 0, at = 0;
  while (at < t.n) {
    size_t named = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && !named; i++)
      if (wf_span_starts(from(t, at), names[i])) named = strlen(names[i]);
    if (named) {
      at += named;
      continue;
    }
    char c = t.s[at];
    if (c == '<') depth++;
    if (c == '>' && depth) depth--;
    if (c == '(' && depth == 0) break;
    if (c == ' ' && depth == 0) begin = at + 1;
    at++;
  }
  if (at == t.n || begin >= at) begin = 0;
  return wf_span_trim((WfSpan){t.s + begin, at - begin});
}

static void take_function(WfSpan t, WfPlace *out) {
  t = wf_span_trim(t);
  size_t end;
  if (wf_span_starts(t, "[clone ") && (end = find(t, "] ")) < t.n) {
    out->kernel = bare_function((WfSpan){t.s + 7, end - 7});
    t = from(t, end + 2);
  }
  out->function = bare_function(t);
}

/* ---- places ---- */

/* Takes ":20" off the end. 1; 0: it does not end so. */
static int take_line(WfSpan *t, uint32_t *line) {
  size_t at = t->n;
  while (at && is_digit(t->s[at - 1])) at--;
  if (at == t->n || at == 0 || t->s[at - 1] != ':') return 0;
  WfSpan digits = from(*t, at);
  if (!take_u32(&digits, line)) return 0;
  t->n = at - 1;
  return 1;
}

static void take_file(WfSpan t, WfPlace *out) {
  t = wf_span_trim(t);
  out->line = 0;
  if (take_line(&t, &out->line)) out->file = t;
}

/* The last "+0x" that digits follow, and what is behind them. */
static int find_offset(WfSpan t, const char *mark, size_t *at, WfSpan *behind) {
  int found = 0;
  for (size_t i = 0, step; i < t.n && (step = find(from(t, i), mark)) < t.n - i; i++) {
    uint64_t offset;
    WfSpan rest = from(t, i + step + strlen(mark) - 2);
    i += step;
    if (!wf_span_hex(&rest, &offset)) continue;
    *at = i;
    *behind = rest;
    found = 1;
  }
  return found;
}

/* "/d/k.cu:20:k(float*)": the first number between colons. 1; 0: there is none. */
static int file_first(WfSpan t, WfPlace *out) {
  for (size_t i = 0, step; i < t.n && (step = find(from(t, i), ":")) < t.n - i; i++) {
    i += step;
    size_t end = i + 1;
    while (end < t.n && is_digit(t.s[end])) end++;
    if (i == 0 || end == i + 1 || end >= t.n || t.s[end] != ':') continue;
    take_file((WfSpan){t.s, end}, out);
    take_function(from(t, end + 1), out);
    return 1;
  }
  return 0;
}

void wf_place_parse(WfSpan t, WfPlace *out) {
  WfSpan behind = {0};
  uint64_t pc;
  size_t at;
  *out = (WfPlace){{"", 0}, {"", 0}, {"", 0}, 0};
  t = wf_span_trim(t);
  if (find_offset(t, "+0x", &at, &behind) || find_offset(t, ":0x", &at, &behind)) {
    take_function((WfSpan){t.s, at}, out);
    if (wf_span_skip(&behind, " in ")) take_file(behind, out);
    return;
  }
  if (wf_span_hex(&t, &pc)) wf_span_skip(&t, " in ");
  if (!file_first(t, out)) take_function(t, out);
}
