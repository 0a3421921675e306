/* source_line.h - one line of a source file as text with a mark under a column, for reports. */
#ifndef WF_SOURCE_LINE_H
#define WF_SOURCE_LINE_H
#include "textbuf.h"
#include <stdint.h>

/* Adds the line and a line with '^' under the column (1-based, in bytes; 0: no mark), each begun with `margin` columns:
 *      71 | shared[warp] = v;
 *         |              ^
 * Long lines are cut around the column; what a terminal could take as a command becomes '?'. Adds nothing when the file
 * is not a regular one that can be read, or has no such line. */
void wf_source_line_add(WfText *t, const char *file, uint32_t line, uint32_t column);

/* Adds s with control characters and bytes that are no UTF-8 as '?'. NULL adds nothing. */
void wf_text_add_safe(WfText *t, const char *s);

#endif
