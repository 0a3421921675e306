/* out_file.h - the file behind --output. A file, there or not, is replaced as a whole, behind links too; what is neither a file nor a
 * directory, such as a pipe or /dev/null, must stay as it is and is written to. */
#ifndef WF_OUT_FILE_H
#define WF_OUT_FILE_H

#include <stddef.h>

/* Can the path be written to? 0, or an errno that says why not; nothing is made or changed. */
int wf_out_file_check(const char *path);

/* Writes the text, synced. A named pipe that nobody reads is an error. 0, or -1 with a message that begins with the path. */
int wf_out_file_write(const char *path, const char *text, char *err, size_t err_size);

#endif
