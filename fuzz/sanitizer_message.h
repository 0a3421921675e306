/* sanitizer_message.h - one message of compute-sanitizer: its first line says what it is, further ones where. Shared by the parts
 * of the parser (sanitizer_log.h). */
#ifndef WF_SANITIZER_MESSAGE_H
#define WF_SANITIZER_MESSAGE_H
#include "sanitizer_log.h"

typedef enum WfMessageKind {
  WF_MESSAGE_NONE,
  WF_MESSAGE_ACCESS,  /* one site, an address, and what is wrong with it */
  WF_MESSAGE_POINT,   /* one site */
  WF_MESSAGE_RACE,    /* "Race reported between": a site, and one or more others, each with a number of hazards */
  WF_MESSAGE_HAZARD,  /* "Potential WAW hazard": a byte of shared memory, two threads */
  WF_MESSAGE_API,     /* a CUDA call that failed */
  WF_MESSAGE_HOST,    /* a copy or fill of the host's */
  WF_MESSAGE_UNKNOWN, /* none of these */
  WF_MESSAGE_NOTE,    /* says nothing of the kernel: kept as a line */
  WF_MESSAGE_QUIET,   /* says nothing new */
  WF_MESSAGE_FAILURE  /* of the tool itself */
} WfMessageKind;

typedef struct WfMessage {
  WfMessageKind kind;
  SimtClass cls; /* SIMT_CLASS_COUNT: none of ours */
  SimtSeverity severity;
  WfSpan head;        /* the first line, without its label */
  const char *access; /* "read" ...: static text; NULL */
  uint32_t size_bytes;
  int n_sites;        /* of `site`: the first is where it happened; of races the second is the other side */
  WfPlace site[2];
  const char *site_access[2];
  WfPlace frame[WF_LOG_FRAMES]; /* where site[0]'s function was called, innermost first */
  int n_frames;
  WfSpan intrinsic;   /* of CUDA's headers, that was called at site[0]; empty */
  uint32_t thread[2][3], block[3]; /* [0] WF_NOT_KNOWN: not told */
  WfSpan why[2];      /* "Access to 0x7f00 is out of bounds", "and is 1 bytes after ..." */
  uint64_t address, base, extent_bytes; /* of the access; of the nearest allocation */
  int has_address, has_base;
  uint64_t count;     /* hazards */
} WfMessage;

/* The message that a line begins. A line that begins none gives one of kind UNKNOWN. */
void wf_message_begin(WfMessage *m, WfSpan line);

/* A further line of it. 1; 0: it is none. 2: the other side of a race is complete: site[1] and count are set for the last time
 * until the next such line. */
int wf_message_continue(WfMessage *m, WfSpan line);

/* Of a failed CUDA call: its number, and the function. 1; 0: the line has none. */
int wf_message_api(WfSpan head, uint64_t *code, WfSpan *function);

#endif
