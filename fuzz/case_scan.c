/* case_scan.c - see case_scan.h. */
#include "case_scan.h"
#include "number.h"
#include <inttypes.h>
#include <string.h>

static int is_blank(char c) { return c == ' ' || c == '\t'; }

int wf_scan_line(Scan *s) {
  if (s->next == s->eof)
    return 0;
  const char *newline = memchr(s->next, '\n', (size_t)(s->eof - s->next));
  s->line++;
  s->at = s->next;
  s->end = newline ? newline : s->eof;
  s->next = newline ? newline + 1 : s->eof;
  if (newline && s->end > s->at && s->end[-1] == '\r')
    s->end--;
  const char *comment = memchr(s->at, '#', (size_t)(s->end - s->at));
  if (comment)
    s->end = comment;
  return 1;
}

static void skip_blanks(Scan *s) {
  while (s->at < s->end && is_blank(*s->at))
    s->at++;
}

Token wf_scan_token(Scan *s, const char *stops) {
  skip_blanks(s);
  Token t = {s->at, 0};
  while (s->at < s->end && !is_blank(*s->at) && !(*s->at && strchr(stops, *s->at)))
    s->at++;
  t.n = (size_t)(s->at - t.s);
  return t;
}

int wf_scan_take(Scan *s, char c) {
  skip_blanks(s);
  if (s->at == s->end || *s->at != c)
    return 0;
  s->at++;
  return 1;
}

int wf_scan_is(Token t, const char *word) { return strlen(word) == t.n && memcmp(t.s, word, t.n) == 0; }

int wf_scan_fail(Scan *s, const char *message, Token t) {
  char shown[44];
  size_t n = t.n > 40 ? 40 : t.n;
  for (size_t i = 0; i < n; i++)
    shown[i] = t.s[i] < ' ' || t.s[i] > '~' ? '?' : t.s[i];
  shown[n] = 0;
  const char *quote = t.n ? "'" : "";
  snprintf(s->err, s->err_size, "%s:%u: %s %s%s%s%s", s->name, s->line, message, quote, t.n ? shown : "<end of line>",
           t.n > 40 ? "..." : "", quote);
  return -1;
}

int wf_scan_u64(Scan *s, Token t, uint64_t max, uint64_t *out) {
  char message[96];
  uint64_t v = 0;
  int r = wf_number_u64(t.s, t.n, &v);
  if (r == WF_NUMBER_SYNTAX)
    return wf_scan_fail(s, "expected a number, found", t);
  if (r == WF_NUMBER_RANGE || v > max) {
    snprintf(message, sizeof message, "too large, at most %" PRIu64 " is allowed:", max);
    return wf_scan_fail(s, message, t);
  }
  *out = v;
  return 0;
}

int wf_scan_rest_empty(Scan *s) {
  Token t = wf_scan_token(s, "");
  return t.n ? wf_scan_fail(s, "unexpected", t) : 0;
}
