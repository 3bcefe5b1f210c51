/** Returns an aspect ratio × 100, from 1 to 65,535; 0 when it is unknown. */
export function ratioOf(width: number | null, height: number | null): number {
  if (width === null || height === null) return 0
  return Math.min(65_535, Math.max(1, Math.round((100 * width) / height)))
}
