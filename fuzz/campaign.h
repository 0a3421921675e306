/* campaign.h - workers from start to end: processes, signals, time limit, live line. */
#ifndef WF_CAMPAIGN_H
#define WF_CAMPAIGN_H
#include "collect.h"
#include "report_table.h"

typedef struct WfCampaignResult {
  WfRow *rows;     /* by target, malloc'ed; with those of earlier parts of the run */
  uint64_t executions, elapsed_ns; /* likewise the executions; of this part alone: */
  uint64_t new_executions;
  unsigned deaths, generations;    /* of workers; the most that one had */
  uint64_t shrunk, shrunk_in_part, shrink_executions; /* findings, and what that took beyond `executions` */
  int interrupted; /* by SIGINT or SIGTERM */
  int broken;      /* 1: ended early because of failures of the harness; a message was printed */
} WfCampaignResult;

/* Runs the collector's plan to its end. While it runs, SIGINT and SIGTERM are blocked and end it gracefully (the second
 * one at once). 0; -1: no memory or no process (a message was printed). */
int wf_campaign_run(WfCollector *c, WfCampaignResult *out);

#endif
