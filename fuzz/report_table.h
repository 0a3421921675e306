/* report_table.h - plain text tables, and the words that sum a variant up. */
#ifndef WF_REPORT_TABLE_H
#define WF_REPORT_TABLE_H
#include "envelope.h"
#include "select.h"
#include "situations.h"
#include "../simt/simt.h"
#include <stdio.h>

typedef struct WfRow { /* what one variant went through */
  WfTarget target;
  int on_device; /* 1: run on a device alone: a fault need not show there in every class (device_shows.h) */
  uint64_t executions;
  double seconds;                                         /* that they took */
  uint64_t situations[WF_SITUATION_COUNT];
  uint64_t errors[SIMT_CLASS_COUNT], warnings[SIMT_CLASS_COUNT]; /* executions that found the class */
  uint64_t listed[SIMT_CLASS_COUNT];                      /* executions in which all findings of the class are on the list of known ones */
  uint64_t no_verdict;                                    /* executions that ended without one: WfVerdict */
  uint64_t outside;                                       /* executions outside the contract; what they found: */
  uint64_t outside_classes[SIMT_CLASS_COUNT];
  uint64_t meant[SIMT_CLASS_COUNT];                       /* executions with races that the source says are meant */
  WfEnvelope envelope;
} WfRow;

enum { WF_TABLE_WIDTH = 100 }; /* of a terminal, at most */

/* Prints cells (n_rows * n_columns texts, row by row, the head first) in aligned columns, two blanks between: the first
 * n_left columns start at the same place, the others (numbers) end there. Where that is wider than WF_TABLE_WIDTH, the
 * first column gets lines of its own, above the others, and what is still too long in the last goes on below. */
void wf_table_print(FILE *out, const char *const *cells, size_t n_rows, size_t n_columns, size_t n_left);

/* The classes found, "race-shared, wrong-result"; warnings as "(race-warp)"; those of races that are meant as "meant
 * race-shared"; those on the list of known ones as "known race-shared"; outside the contract as "outside oob-global"; executions without a verdict as "no verdict"; counts: with " x N". "-" when none.
 * malloc'ed; NULL: no memory. */
char *wf_classes_text(const WfRow *row, int counts);

/* Sets of 1u << SimtClass. */
uint32_t wf_row_errors(const WfRow *row);
uint32_t wf_row_warnings(const WfRow *row);

/* Clean variants: "clean", "warning" (nothing worse), "known" (nothing else), "FINDING". Faulty ones: "caught" (a class that the entry names was
 * found, as an error unless it expects a warning), "MISSED"; on a device, "not shown" for faults that it need not show. "not run". */
const char *wf_row_verdict(const WfRow *row);

/* 1: a faulty variant that was caught, or a clean one without errors (strict: and without warnings). */
int wf_row_as_expected(const WfRow *row, int strict);

/* Variants with verdict, classes and executions; then, by situation, the executions that were in it: "-" where the
 * contract leaves no room for it. 0; -1: no memory. */
int wf_report_rows(FILE *out, const WfRow *rows, size_t n);

#endif
