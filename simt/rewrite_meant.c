/* rewrite_meant.c - comments that say why a race is meant: "warpfuzz: race-ok: REASON". */
#include "rewrite_lex.h"
#include <string.h>

static int is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\0'; }

static size_t skip_word(const char *t, size_t p, size_t end, const char *word) {
  size_t n = strlen(word);
  return end - p >= n && memcmp(t + p, word, n) == 0 ? p + n : 0;
}

static size_t skip_spaces(const char *t, size_t p, size_t end) {
  while (p < end && is_space(t[p]))
    p++;
  return p;
}

int simt_meant_read(const char *t, size_t p, size_t end, SimtMeant *out) {
  size_t start = p, line_end = p; /* of its first line */
  while (line_end < end && t[line_end] != '\n')
    line_end++;
  if (line_end == end && t[p + 1] == '*')
    line_end -= 2;
  p = skip_word(t, skip_spaces(t, p + 2, line_end), line_end, "warpfuzz:");
  p = p ? skip_word(t, skip_spaces(t, p, line_end), line_end, "race-ok") : 0;
  if (!p)
    return 0;
  p = skip_spaces(t, p, line_end);
  out->reason = p < line_end && t[p] == ':' ? skip_spaces(t, p + 1, line_end) : line_end;
  while (line_end > out->reason && is_space(t[line_end - 1]))
    line_end--;
  out->reason_len = line_end - out->reason;
  out->at = start;
  return out->reason_len ? 1 : -1;
}
