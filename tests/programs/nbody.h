// nbody.h - gravity among n bodies.
#pragma once
#include <vector_types.h>

// One step of time for all bodies in device memory: positions and masses (x, y, z, m), velocities. New positions go to `out`.
void nbodyStep(const float4 *positions, float4 *out, float4 *velocities, int n, float dt);
