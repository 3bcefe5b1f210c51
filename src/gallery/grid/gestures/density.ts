import { DENSITIES, type Density } from '../../base/settings/preferences.ts'

/** Returns the density so many steps denser, or airier for negative ones. */
export function denser(density: Density, steps: number): Density {
  const index = DENSITIES.indexOf(density) - steps
  return DENSITIES[Math.max(0, Math.min(DENSITIES.length - 1, index))]!
}
