/* known_list.h - lists of findings that are known: nobody needs to hear of them tonight, but one wants to know that they are still there
 * (doc/OVERNIGHT.md). A line each:
 *
 *   ID REASON                                     5e1bd4fa0c9d1e77 waits for the new allocator
 *   OP/VARIANT CLASS REASON                       softmax/block_* race-shared being rewritten
 *   OP/VARIANT CLASS FILE:LINE REASON             softmax/tree race-shared tree.cu:31 reviewed in March
 *
 * ID is that of findings.jsonl, 16 hexadecimal digits. In OP/VARIANT '*' stands for any text. FILE may be any end of the path of one of the
 * places that a report names, calls included. Lines that begin with # and empty ones say nothing. */
#ifndef WF_KNOWN_LIST_H
#define WF_KNOWN_LIST_H
#include "../simt/simt.h"
#include <stddef.h>
#include <stdint.h>

struct json_t;

typedef struct WfKnownLine {
  uint64_t id;   /* with target NULL */
  char *target;  /* pattern of "OP/VARIANT" */
  SimtClass cls;
  char *file;    /* NULL: any place */
  unsigned long line;
  char *reason;
  char *at;      /* "LIST:LINE", for messages */
} WfKnownLine;

typedef struct WfKnownList { /* starts as zero bytes */
  WfKnownLine *line;
  size_t n;
} WfKnownList;

/* Adds the lines of a file. 0; -1 with a message that begins with "PATH" or "PATH:LINE". The list is to be freed either way. */
int wf_known_load(WfKnownList *list, const char *path, char *err, size_t err_size);
void wf_known_free(WfKnownList *list);

/* The first line that the finding falls under, of which this is the line in findings.jsonl, parsed; NULL: none. */
const WfKnownLine *wf_known_find(const WfKnownList *list, const struct json_t *finding);

#endif
