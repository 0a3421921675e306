/* class_text.c - the table of class_text.def. */
#include "class_text.h"

static const WfClassText texts[SIMT_CLASS_COUNT + 1] = {
#define WF_CLASS_TEXT(cls, title, what, repair) [SIMT_##cls] = {title, what, repair},
#include "class_text.def"
#undef WF_CLASS_TEXT
    [SIMT_CLASS_COUNT] = {"Finding", "A class of findings that this version of warpfuzz does not know.", ""},
};

const WfClassText *wf_class_text(SimtClass cls) { return &texts[(unsigned)cls < SIMT_CLASS_COUNT ? cls : SIMT_CLASS_COUNT]; }

const WfClassText *wf_class_text_of_operations(void) {
  static const WfClassText text = {
      "Race between operations that nothing orders",
      "Two operations that the host has issued (launches, copies), or one of them and host code, use the same memory, at least one of them writes, and neither "
      "waits for the other.",
      "Issue both to one stream; or let the second one's stream wait for an event that was recorded behind the first (cudaEventRecord, cudaStreamWaitEvent); or let "
      "the host wait in between (cudaStreamSynchronize)."};
  return &text;
}
