/* textbuf.c - growing text. */
#include "textbuf.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for `more` bytes and a NUL. */
static int reserve(WfText *t, size_t more) {
  if (!t->failed && t->len + more + 1 > t->cap) {
    size_t cap = (t->len + more + 1) * 2;
    char *s = realloc(t->s, cap);
    if (s) {
      t->s = s;
      t->cap = cap;
    } else {
      t->failed = 1;
    }
  }
  return t->failed ? -1 : 0;
}

void wf_text_put(WfText *t, const char *s, size_t len) {
  if (reserve(t, len))
    return;
  if (len)
    memcpy(t->s + t->len, s, len);
  t->len += len;
  t->s[t->len] = '\0';
}

void wf_text_add(WfText *t, const char *fmt, ...) {
  va_list args, again;
  va_start(args, fmt);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, fmt, args);
  if (n < 0)
    t->failed = 1;
  else if (!reserve(t, (size_t)n))
    t->len += (size_t)vsnprintf(t->s + t->len, (size_t)n + 1, fmt, again);
  va_end(again);
  va_end(args);
}

void wf_text_add_quoted(WfText *t, const char *s) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+,:@%=";
  if (*s && s[strspn(s, plain)] == '\0') {
    wf_text_add(t, "%s", s);
    return;
  }
  wf_text_add(t, "'");
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '\'')
      wf_text_add(t, "'\\''");
    else if (c < 0x20 || c == 0x7f)
      wf_text_add(t, "'$'\\x%02x''", c);
    else
      wf_text_put(t, s, 1);
  }
  wf_text_add(t, "'");
}

char *wf_text_take(WfText *t) {
  wf_text_put(t, "", 0);
  char *s = t->s;
  if (t->failed) {
    free(s);
    s = NULL;
  }
  *t = (WfText){0};
  return s;
}

size_t wf_utf8_len(const char *s, size_t n) {
  static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
  unsigned char lead = n ? (unsigned char)s[0] : 0x80;
  if (lead < 0x80)
    return 1;
  size_t len = lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf8 ? 4 : 0;
  if (len == 0 || len > n)
    return 0;
  uint32_t code = lead & (0x7fu >> len);
  for (size_t i = 1; i < len; i++) {
    if (((unsigned char)s[i] & 0xc0) != 0x80)
      return 0;
    code = code << 6 | ((unsigned char)s[i] & 0x3f);
  }
  return code < smallest[len] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : len;
}

void wf_text_plain(char *s) {
  for (; *s; s++)
    if ((unsigned char)*s < ' ' || *s == 0x7f) *s = '?';
}

void wf_text_add_json(WfText *t, const char *s) {
  if (!s) {
    wf_text_add(t, "null");
    return;
  }
  wf_text_put(t, "\"", 1);
  for (size_t left = strlen(s); left;) {
    size_t n = wf_utf8_len(s, left);
    unsigned char c = (unsigned char)*s;
    if (n == 0)
      wf_text_add(t, "\\ufffd");
    else if (c == '"' || c == '\\')
      wf_text_add(t, "\\%c", c);
    else if (c < 0x20 || c == 0x7f)
      wf_text_add(t, "\\u%04x", c);
    else
      wf_text_put(t, s, n);
    s += n ? n : 1;
    left -= n ? n : 1;
  }
  wf_text_put(t, "\"", 1);
}
