/* program.h - warpfuzz as a user runs it, for tests: the built program in a process of its own, in a directory of its own. */
#ifndef WF_TESTS_PROGRAM_H
#define WF_TESTS_PROGRAM_H
#include "work_dir.h"
#include <check.h>
#include <sys/types.h>

enum { TEXT_BYTES = 1 << 20 };

extern char dir[WORK_DIR_MAX];                  /* the program's working directory */
extern char out[TEXT_BYTES], err[TEXT_BYTES];   /* what it has written */
extern const char *program_name; /* below the build directory; "warpfuzz" unless a test chooses another */
extern int interrupted; /* 1: SIGINT is pending, and blocked, when the program starts */

/* A test case whose tests each have a new directory. */
TCase *new_tcase(Suite *s, const char *name);

/* Files in it. */
void path_in_dir(const char *name, char path[256]);
void read_file(const char *name, char *text); /* room for TEXT_BYTES; "": it is not there */
void write_file(const char *name, const char *text);

/* Starts "warpfuzz LINE" (words separated by one blank) with its streams in the files out and err. */
pid_t start(const char *line);
int finish(pid_t pid);           /* waits for it and fills out and err; its exit status */
int warpfuzz(const char *line);  /* both */
void expect(const char *line, int status);
void says(const char *text, const char *wanted); /* the text has it somewhere */

/* Softmax cases. faulty: the fifth column is neither read nor written; outside: warp_row_float4 with one block for two rows, of
 * the four that the contract wants; shrunk_race: what the race of block_shuffle.published comes to. */
extern const char good_case[], faulty_case[], lossy_case[], outside_case[], shrunk_race[];

#endif
