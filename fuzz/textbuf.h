/* textbuf.h - text that grows, for the writers: adding never fails, running out of memory shows at the end. */
#ifndef WF_TEXTBUF_H
#define WF_TEXTBUF_H
#include <stddef.h>

typedef struct WfText { /* starts as zero bytes */
  char *s;
  size_t len, cap;
  int failed;
} WfText;

void wf_text_put(WfText *t, const char *s, size_t len);
void wf_text_add(WfText *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* s as one word of a shell, on one line. */
void wf_text_add_quoted(WfText *t, const char *s);
/* s as a JSON string (RFC 8259), null for NULL. Bytes that are no UTF-8 (file names may hold any) become U+FFFD, one each. */
void wf_text_add_json(WfText *t, const char *s);
/* The string, malloc'ed (possibly ""), or NULL: no memory. t is empty afterwards. */
char *wf_text_take(WfText *t);

/* Bytes of the UTF-8 character at s (of at most n bytes): 1 to 4; 0: none is there (RFC 3629: no overlong forms, no
 * surrogates, nothing above U+10FFFF). */
size_t wf_utf8_len(const char *s, size_t n);

/* Replaces control characters by '?', in place: file names and arguments may hold any, and a message is one line. */
void wf_text_plain(char *s);

#endif
