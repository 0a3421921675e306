/* attention_relations.h - relations of attention, NULL-terminated. */
#ifndef WF_ATTENTION_RELATIONS_H
#define WF_ATTENTION_RELATIONS_H
#include "../fuzz/op.h"

extern const WfRelation *const wf_attention_relations[];

#endif
