/* flavor_name.c - names of flavors: all that findings want of ops, in programs that have none. */
#include "op.h"

const char *wf_flavor_name(WfFlavor f) {
  switch (f) {
  case WF_PRECISE: return "precise";
  case WF_FASTMATH: return "fastmath";
  }
  return "?";
}
