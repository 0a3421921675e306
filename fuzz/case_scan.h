/* case_scan.h - the scanner below the case parser: one line at a time, tokens, errors with their place. Internal to
 * case_parse.c, case_scan.c and case_edit.c. */
#ifndef WF_CASE_SCAN_H
#define WF_CASE_SCAN_H
#include "case.h"

typedef struct Token { /* n = 0: the end of the line */
  const char *s;
  size_t n;
} Token;

typedef struct Scan {
  const char *at, *end;  /* rest of the current line, without comment and line ending */
  const char *next, *eof; /* text after it */
  unsigned line;
  const char *name;
  char *err;
  size_t err_size;
} Scan;

/* Steps to the next line; 0 at the end of the text. */
int wf_scan_line(Scan *s);
/* The next run of characters up to a blank; with stops, also up to any of those. */
Token wf_scan_token(Scan *s, const char *stops);
/* Takes one character, after blanks. 1, or 0: something else comes. */
int wf_scan_take(Scan *s, char c);
int wf_scan_is(Token t, const char *word);

/* Writes "NAME:LINE: message 'token'", the token cut and made printable, and returns -1. A token of length 0 is shown as
 * <end of line>. */
int wf_scan_fail(Scan *s, const char *message, Token t);

/* Read a token as a number of 0 .. max. 0, or -1 with the error written. */
int wf_scan_u64(Scan *s, Token t, uint64_t max, uint64_t *out);
int wf_scan_rest_empty(Scan *s); /* 0, or -1: something is left on the line */

/* An edit, from its '[' on, of the tensor with the index given. 0 or -1. */
int wf_scan_edit(Scan *s, WfCase *c, int tensor);

#endif
