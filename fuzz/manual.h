/* manual.h - what wf-manual makes: manual pages, and completions for shells, of the tables that the parsers of the command line are made of. */
#ifndef WF_MANUAL_H
#define WF_MANUAL_H
#include "options.h"

/* Where the words come from that may stand in a place. */
typedef enum WfSource {
  WF_SOURCE_NONE,    /* a text or a number of the user's own */
  WF_SOURCE_WORDS,   /* a fixed set */
  WF_SOURCE_FILES,
  WF_SOURCE_DIRS,
  WF_SOURCE_OPS,     /* `warpfuzz list ops`, and files: *.op */
  WF_SOURCE_TARGETS  /* `warpfuzz list ops` and `warpfuzz list variants` */
} WfSource;

enum { WF_SOURCE_TEXT = 512 };

typedef struct WfManualCommand {
  const char *name, *operands, *summary, *notes;
} WfManualCommand;

typedef struct WfManualOption {
  unsigned commands;     /* bit WF_COMMAND_...: it is that command's */
  const char *name;
  const char *argument;  /* NULL: it takes none */
  int kind;              /* for wf_manual_value() */
  const char *help;      /* may hold several lines */
} WfManualOption;

/* An option of nvcc's that `warpfuzz cc` takes; names without the dash in front. */
typedef enum WfManualCcKind { WF_CC_DONE, WF_CC_NOTED, WF_CC_IGNORED, WF_CC_REFUSED } WfManualCcKind;
typedef struct WfManualCcOption {
  const char *name, *brief; /* equal where there is one alone */
  int takes_value;
  WfManualCcKind kind;
} WfManualCcOption;

extern const WfManualCommand wf_manual_commands[WF_COMMAND_NONE];
extern const WfManualOption wf_manual_options[];
extern const size_t wf_manual_n_options;
extern const WfManualCcOption wf_manual_cc_options[];
extern const size_t wf_manual_n_cc_options;

/* The command's options in the order of the table; NULL behind the last. *at begins as 0. cc has none: its options are nvcc's. */
const WfManualOption *wf_manual_next(WfCommand command, size_t *at);
/* "-h" for "help"; "": there is none. */
const char *wf_manual_brief(const char *name);
/* What an option's value, or a command's operands, may be; of WF_SOURCE_WORDS the words, with blanks between, in `words`. */
WfSource wf_manual_value(const WfManualOption *o, char words[WF_SOURCE_TEXT]);
/* Likewise of an option of cc's; *words is static. */
WfSource wf_manual_cc_value(const WfManualCcOption *o, const char **words);
WfSource wf_manual_operand(WfCommand command, char words[WF_SOURCE_TEXT]);

/* Each prints one file. WF_COMMAND_NONE: the page of the program. */
void wf_manual_page(WfCommand command, FILE *out);
void wf_manual_bash(FILE *out);
void wf_manual_zsh(FILE *out);
void wf_manual_fish(FILE *out);

#endif
