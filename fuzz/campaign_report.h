/* campaign_report.h - the end of a campaign, for people. */
#ifndef WF_CAMPAIGN_REPORT_H
#define WF_CAMPAIGN_REPORT_H
#include "campaign.h"
#include "cli.h"

/* Before the rest: takes into the rows what findings.jsonl knows of an earlier part of this run, and the rows do not. */
void wf_campaign_join_earlier(const WfCollector *c, WfRow *rows);

/* Findings, the table of variants, what a single one was tried on, seed and executions: the same text for the same seed and executions.
 * 0; -1: no memory. */
int wf_campaign_print(FILE *out, const WfOptions *o, const WfCollector *c, const WfCampaignResult *r);

/* The same in check.txt of the output directory, after what was typed and assumed (wf_check_info, which is not NULL). 0; -1, with a
 * message printed where there is more to say than that memory is short. */
int wf_campaign_save(const WfOptions *o, const WfCollector *c, const WfCampaignResult *r);

/* For machines: the event "end", with what became of the findings. */
void wf_campaign_tell_end(WfCollector *c, const WfCampaignResult *r, int status);

/* "SUMMARY: warpfuzz: fuzz: WORD: 1 new, ...": the last line of a campaign, on stderr. */
void wf_campaign_summary(const WfCollector *c, const WfCampaignResult *r, int status);

#endif
