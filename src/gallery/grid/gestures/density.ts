import { DENSITIES, type Density } from '../../base/settings/preferences.ts'

/** Returns the density that is `steps` denser, or airier if negative. */
export function denser(density: Density, steps: number): Density {
  const index = DENSITIES.indexOf(density) - steps
  return DENSITIES[Math.max(0, Math.min(DENSITIES.length - 1, index))]!
}
