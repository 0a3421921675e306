/* nvtx3/nvToolsExt.h - the same header under its newer name. */
#include "../nvToolsExt.h"
