/* json_lines.h - reads files of JSON objects, a line each (https://jsonlines.org). One rule for all of them: a line that is no whole object is
 * left out, and so is a last one without its newline, which is what a crash leaves of a line, whatever it looks like. */
#ifndef WF_JSON_LINES_H
#define WF_JSON_LINES_H
#include <stddef.h>

struct json_t;

/* Of one line: the object, which is the reader's, and its text with the newline, which holds no NUL. Not 0: no further line is read. */
typedef int WfTakeLine(void *arg, struct json_t *line, const char *text, size_t len);

enum { WF_LINES_UNREADABLE = -1000 }; /* errno says why; what a WfTakeLine returns is another number */

/* Calls take for each line of the file, in order. *n_bad, unless it is NULL, grows by the lines that were left out; blank ones are not counted. A file
 * that does not exist has no lines; a folder, a device or a pipe is unreadable. 0; what take returned, if that was not 0; WF_LINES_UNREADABLE. */
int wf_json_lines(const char *path, WfTakeLine *take, void *arg, size_t *n_bad);

#endif
