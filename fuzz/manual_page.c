/* manual_page.c - manual pages, in the macros of man(7). */
#include "manual.h"
#include "cli.h"
#include <ctype.h>
#include <string.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif
#define DATE "2026-11-30" /* of the texts; a page must not depend on when it was built */

/* Text of the reader's: nothing of it is troff's. */
static void put(FILE *out, const char *text, size_t len) {
  for (size_t i = 0; i < len; i++) {
    if ((i == 0 || text[i - 1] == '\n') && strchr(".'", text[i])) fputs("\\&", out);
    switch (text[i]) {
    case '\\': fputs("\\e", out); break;
    case '-': fputs("\\-", out); break;
    case '\'': fputs("\\(aq", out); break;
    case '`': fputs("\\(ga", out); break;
    case '^': fputs("\\(ha", out); break;
    case '~': fputs("\\(ti", out); break;
    default: fputc(text[i], out);
    }
  }
}

static void put_all(FILE *out, const char *text) { put(out, text, strlen(text)); }

/* A sentence or several: a line each, as the macros want them; `text` may end without a full stop. */
static void put_sentences(FILE *out, const char *text) {
  size_t len = strlen(text);
  for (size_t from = 0, i = 0; i <= len; i++) {
    int is_end = i == len || (text[i] == ' ' && i && strchr(".:", text[i - 1]) && isupper((unsigned char)text[i + 1]));
    if (!is_end) continue;
    put(out, text + from, i - from);
    fputc('\n', out);
    from = i + 1;
  }
}

static void put_upper(FILE *out, const char *text) {
  for (; *text; text++) fputc(toupper((unsigned char)*text), out);
}

static void put_item(FILE *out, const char *name, const char *meaning) {
  fputs(".TP\n.B ", out);
  put_all(out, name);
  fputc('\n', out);
  put_sentences(out, meaning);
}

/* ---- parts ---- */

static void put_head(FILE *out, WfCommand command) {
  const WfManualCommand *c = command == WF_COMMAND_NONE ? NULL : &wf_manual_commands[command];
  fputs(".\\\" Made by wf\\-manual from fuzz/options.def and fuzz/manual.def.\n.TH WARPFUZZ", out);
  if (c) fputs("\\-", out), put_upper(out, c->name);
  fprintf(out, " 1 " DATE " \"warpfuzz " PACKAGE_VERSION "\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\nwarpfuzz%s%s \\- ", c ? "\\-" : "", c ? c->name : "");
  put_all(out, c ? c->summary : "fuzzes CUDA kernels on the CPU and tells whether they are right");
  fputs("\n.SH SYNOPSIS\n.nf\n", out);
  fprintf(out, "\\fBwarpfuzz%s%s\\fR ", c ? " " : "", c ? c->name : "");
  put_all(out, c ? c->operands : "COMMAND [operand | option]...");
  fputs(c && command != WF_COMMAND_CC ? " [option]...\n.fi\n" : "\n.fi\n", out);
}

static void put_option(FILE *out, const WfManualOption *o) {
  char words[WF_SOURCE_TEXT];
  const char *brief = wf_manual_brief(o->name);
  fputs(".TP\n", out);
  if (*brief) fputs("\\fB", out), put_all(out, brief), fputs("\\fR, ", out);
  fputs("\\fB\\-\\-", out);
  put_all(out, o->name);
  fputs("\\fR", out);
  if (o->argument) fputs(" \\fI", out), put_all(out, o->argument), fputs("\\fR", out);
  fputc('\n', out);
  put_all(out, o->help);
  fputs(".\n", out);
  if (wf_manual_value(o, words) != WF_SOURCE_WORDS || o->argument[1]) return; /* the help names them, unless all that is said is "B" */
  fputs("One of: ", out);
  put_all(out, words);
  fputs(".\n", out);
}

static void put_cc_options(FILE *out) {
  static const char *const heads[] = {[WF_CC_DONE] = "Taken", [WF_CC_NOTED] = "Ignored, and said so, since they are about GPU code alone",
                                      [WF_CC_IGNORED] = "Ignored", [WF_CC_REFUSED] = "Refused, since GPU code would be their result"};
  fputs("Options are nvcc\\(aqs, with one dash or two, their values behind a blank or \\(lq=\\(rq.\n", out);
  for (int kind = WF_CC_DONE; kind <= WF_CC_REFUSED; kind++) {
    fprintf(out, ".SS %s\n", heads[kind]);
    const char *lead = "";
    for (size_t i = 0; i < wf_manual_n_cc_options; i++) {
      const WfManualCcOption *o = &wf_manual_cc_options[i];
      if (o->kind != (WfManualCcKind)kind) continue;
      fprintf(out, "%s\\fB\\-", lead);
      put_all(out, o->brief);
      if (strcmp(o->name, o->brief) != 0) fputs("\\fR (\\fB\\-\\-", out), put_all(out, o->name), fputs("\\fR)", out);
      fprintf(out, "\\fR%s", o->takes_value ? " \\fIVALUE\\fR" : "");
      lead = ",\n";
    }
    fputs(".\n", out);
  }
}

static void put_commands(FILE *out) {
  fputs(".SH COMMANDS\n", out);
  for (int i = 0; i < (int)WF_COMMAND_NONE; i++) {
    fprintf(out, ".TP\n.BR warpfuzz\\-%s (1)\n", wf_manual_commands[i].name);
    put_all(out, wf_manual_commands[i].summary);
    fputs(".\n", out);
  }
}

static void put_options(FILE *out, WfCommand command) {
  fputs(".SH OPTIONS\n", out);
  if (command == WF_COMMAND_CC) put_cc_options(out);
  const WfManualOption *o;
  for (size_t at = 0; command != WF_COMMAND_NONE && (o = wf_manual_next(command, &at)) != NULL;) put_option(out, o);
  for (size_t i = 0; command == WF_COMMAND_NONE && i < wf_manual_n_options; i++)
    if (wf_manual_options[i].commands == ~0u) put_option(out, &wf_manual_options[i]);
}

static void put_status(FILE *out, WfCommand command) {
  fputs(".SH EXIT STATUS\n", out);
  char number[16];
#define WF_STATUS(status, meaning) snprintf(number, sizeof number, "%d", status), put_item(out, number, meaning);
#include "manual.def"
#undef WF_STATUS
  if (command == WF_COMMAND_CC) fputs(".PP\nOf a program that was built: 1 if anything was found, otherwise its own.\n", out);
}

/* Items of one section of one page; its heading comes with the first. */
static int put_heading(FILE *out, const char *heading, int *has_heading) {
  if (!*has_heading) fprintf(out, ".SH %s\n", heading);
  return *has_heading = 1;
}

static void put_surroundings(FILE *out, WfCommand command) {
  int has_variables = 0, has_files = 0, has_examples = 0;
#define WF_VARIABLE(id, name, meaning) \
  if (command == WF_COMMAND_##id && put_heading(out, "ENVIRONMENT", &has_variables)) put_item(out, name, meaning);
#include "manual.def"
#undef WF_VARIABLE
#define WF_FILE(id, path, meaning) \
  if (command == WF_COMMAND_##id && put_heading(out, "FILES", &has_files)) put_item(out, path, meaning);
#include "manual.def"
#undef WF_FILE
#define WF_EXAMPLE(id, line, meaning) \
  if (command == WF_COMMAND_##id && put_heading(out, "EXAMPLES", &has_examples)) put_item(out, line, meaning);
#include "manual.def"
#undef WF_EXAMPLE
}

static void put_see_also(FILE *out, WfCommand command) {
  fputs(".SH SEE ALSO\n", out);
  const char *lead = "";
  if (command != WF_COMMAND_NONE) fputs(".BR warpfuzz (1)", out), lead = ",\n";
  for (int i = 0; i < (int)WF_COMMAND_NONE; i++) {
    if (i == (int)command) continue;
    fprintf(out, "%s.BR warpfuzz\\-%s (1)", lead, wf_manual_commands[i].name);
    lead = ",\n";
  }
  fputs("\n.PP\ndoc/GUIDE.md, in the sources, begins with the first kernel and ends with what each class of findings means.\n", out);
}

void wf_manual_page(WfCommand command, FILE *out) {
  put_head(out, command);
  fputs(".SH DESCRIPTION\n", out);
  if (command == WF_COMMAND_NONE) {
    fputs("It compiles an ordinary .cu file for a deterministic engine on the CPU, runs it with random shapes, launch configurations and adversarial\n"
          "values, and compares every result with a reference in double precision.\nIt needs no GPU.\n", out);
    put_commands(out);
  } else {
    fputc(toupper((unsigned char)wf_manual_commands[command].summary[0]), out);
    put_all(out, wf_manual_commands[command].summary + 1);
    fputs(".\n", out);
    if (*wf_manual_commands[command].notes) put_all(out, wf_manual_commands[command].notes), fputc('\n', out);
  }
  put_options(out, command);
  put_status(out, command);
  put_surroundings(out, command);
  put_see_also(out, command);
}
