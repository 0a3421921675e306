/* manual.c - wf-manual: prints the manual page of a command, or the completion for a shell. Run by the build. */
#include "manual.h"
#include <string.h>

/* "fuzz" or "" for the program. 0; -1: there is no such command. */
static int find_command(const char *name, WfCommand *out) {
  *out = WF_COMMAND_NONE;
  if (!*name) return 0;
  for (int i = 0; i < (int)WF_COMMAND_NONE; i++)
    if (strcmp(wf_manual_commands[i].name, name) == 0) *out = (WfCommand)i;
  return *out == WF_COMMAND_NONE ? -1 : 0;
}

static int print(const char *what, const char *command) {
  WfCommand c;
  if (find_command(command, &c) != 0) return -1;
  if (strcmp(what, "page") == 0) wf_manual_page(c, stdout);
  else if (strcmp(what, "bash") == 0) wf_manual_bash(stdout);
  else if (strcmp(what, "zsh") == 0) wf_manual_zsh(stdout);
  else if (strcmp(what, "fish") == 0) wf_manual_fish(stdout);
  else return -1;
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3 || print(argv[1], argc > 2 ? argv[2] : "") != 0) {
    fputs("wf-manual: page [COMMAND], bash, zsh or fish\n", stderr);
    return 2;
  }
  return fflush(stdout) != 0 || ferror(stdout) ? 99 : 0;
}
