/* campaign_impl.h - shared by the parts of the campaign: its loop (campaign.c), what it writes down meanwhile (campaign_log.c), and what
 * it shows (campaign_view.c). */
#ifndef WF_CAMPAIGN_IMPL_H
#define WF_CAMPAIGN_IMPL_H
#include "balance.h"
#include "campaign.h"

#define WF_SECOND_NS UINT64_C(1000000000)

typedef struct WfWatched { /* of one worker */
  WfWatch watch;
  char excess[WF_EXCESS_MAX]; /* what it was stopped for; "": it was not */
  unsigned killed_shrinking;  /* how often it was killed from outside while it was shrinking a finding */
  uint64_t began_at;          /* how far it was (progress()) when its process was started */
} WfWatched;

typedef struct WfCampaign {
  WfCollector *collector;
  const WfPlan *plan;
  WfWorker *workers;
  WfWatched *watched; /* by worker */
  uint64_t watch_ns; /* when to look next */
  int signals; /* signalfd */
  int stopping, interrupted, broken;
  unsigned deaths;
  uint64_t start_ns, kill_ns; /* kill_ns: the end of the grace, UINT64_MAX: none */
  uint64_t live_ns, save_ns;  /* when to show and to write down next; 0: not yet */
  uint64_t progress_ns, event_ns;
  WfBalance balance;
  uint64_t balance_ns, merge_ns; /* when to look next */
  uint64_t merging_ns;        /* when the last merge began */
  unsigned restarts;          /* of workers that had too much memory */
  uint64_t features, new_ns;  /* the most that there were, and since when */
  WfTriedLog tried;
  WfCoverLog cover;
  int tried_failed;
} WfCampaign;

/* What a moment of the campaign looks like. */
typedef struct WfMoment {
  double elapsed_s, since_new_s;
  uint64_t executions, corpus, features; /* of this part of the run */
  double rate; /* executions a second */
  size_t errors, warnings; /* findings that count, by severity: not outside, not listed, seen in this run */
} WfMoment;

void wf_campaign_moment(WfCampaign *m, uint64_t now, WfMoment *out);

/* What a worker is at: "softmax/block_row.. +3". */
void wf_campaign_group(const WfCampaign *m, const WfWorker *w, char *out, size_t size);

/* ---- campaign_balance.c ---- */

/* Before workers are started: groups, if the plan is balanced. 0; -1: no memory. */
int wf_campaign_share(WfCampaign *m);
/* Moves time and groups, and has corpora made small, when it is time to. */
void wf_campaign_balance(WfCampaign *m, uint64_t now);

/* ---- campaign_view.c ---- */

/* One picture on a terminal, or one line elsewhere. */
void wf_campaign_show(WfCampaign *m, uint64_t now);

/* ---- campaign_log.c ---- */

/* Shows and writes down what is due. */
void wf_campaign_log(WfCampaign *m, uint64_t now);
/* For the last time. */
void wf_campaign_log_end(WfCampaign *m);
/* 0; -1: no memory. */
int wf_campaign_result(const WfCampaign *m, WfCampaignResult *out);

#endif
