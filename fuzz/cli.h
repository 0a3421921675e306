/* cli.h - the commands. Each takes parsed options and returns the exit status; only main() exits. */
#ifndef WF_CLI_H
#define WF_CLI_H
#include "options.h"

enum { /* exit status, the same for every command */
  WF_EXIT_CLEAN = 0,
  WF_EXIT_FINDINGS = 1,
  WF_EXIT_USAGE = 2,
  WF_EXIT_NOTHING = 77,
  WF_EXIT_HARNESS = 99
};

int wf_cmd_list(const WfOptions *o);
int wf_cmd_fuzz(const WfOptions *o);
int wf_cmd_replay(const WfOptions *o);
int wf_cmd_shrink(const WfOptions *o);
int wf_cmd_show(const WfOptions *o);

/* The worse of two statuses: harness failure, then unreadable input, findings, nothing to run, clean. */
int wf_exit_worse(int a, int b);

/* Prints one line to stderr, without control characters whatever its arguments hold. */
void wf_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says on stderr why the chosen backend cannot run here and returns WF_EXIT_NOTHING; WF_EXIT_CLEAN when it can. */
int wf_backend_check(const WfOptions *o);

#endif
