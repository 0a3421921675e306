// The kernel of f32_slots.published, for blocks of 32 warps.
#include "f32_slots.published.cu"
