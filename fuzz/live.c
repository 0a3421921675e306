/* live.c - see live.h. */
#define _DEFAULT_SOURCE
#include "live.h"
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int wf_live_is_possible(FILE *f) {
  const char *term = getenv("TERM");
  return isatty(fileno(f)) && term && *term && strcmp(term, "dumb") != 0;
}

void wf_live_size(FILE *f, int *columns, int *rows) {
  struct winsize w;
  int known = ioctl(fileno(f), TIOCGWINSZ, &w) == 0 && w.ws_col > 0 && w.ws_row > 0;
  *columns = known ? w.ws_col : 80;
  *rows = known ? w.ws_row : 24;
}

/* The terminal may have another width by now: a line that was cut to the old one may take several rows. */
void wf_live_clear(WfLive *l, FILE *f) {
  int columns, rows, up = -1;
  if (l->n == 0) return;
  wf_live_size(f, &columns, &rows);
  for (int i = 0; i < l->n; i++) up += 1 + (l->length[i] > 0 ? (l->length[i] - 1) / columns : 0);
  if (up > rows - 1) up = rows - 1;
  if (up > 0) fprintf(f, "\r\033[%dA\033[J", up);
  else fputs("\r\033[J", f);
  l->n = 0;
}

void wf_live_draw(WfLive *l, FILE *f, const char *text) {
  int columns, rows;
  wf_live_clear(l, f);
  wf_live_size(f, &columns, &rows);
  while (*text && l->n < WF_LIVE_MAX && l->n < rows - 1) {
    int len = (int)strcspn(text, "\n"), shown = len < columns - 1 ? len : columns - 1; /* in the last column, cursors differ */
    fprintf(f, "%s%.*s", l->n ? "\n" : "", shown, text);
    l->length[l->n++] = shown;
    text += len + (text[len] == '\n');
  }
  fflush(f);
}
