/* live.h - some lines at the bottom of a terminal that are drawn again and again. Only "up" and "erase" are used, so that there is nothing to put right
 * when the program ends, however it does. */
#ifndef WF_LIVE_H
#define WF_LIVE_H
#include <stdio.h>

enum { WF_LIVE_MAX = 32 };

typedef struct WfLive { /* starts as zero bytes */
  int n;                  /* lines that are on the terminal, the cursor behind the last */
  int length[WF_LIVE_MAX]; /* characters of each: a terminal that became narrower shows them in several rows */
} WfLive;

/* Can lines be drawn there? A terminal that knows its escapes. */
int wf_live_is_possible(FILE *f);

/* Columns and rows of the terminal; 80 and 24 where it does not say. */
void wf_live_size(FILE *f, int *columns, int *rows);

/* Erases what was drawn. */
void wf_live_clear(WfLive *l, FILE *f);

/* Draws the text in its place: lines with their ends, each cut to the width, as many as there is room for. Bytes are taken for characters. */
void wf_live_draw(WfLive *l, FILE *f, const char *text);

#endif
