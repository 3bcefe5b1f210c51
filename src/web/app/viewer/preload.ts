import type { Cell } from '../base/listing.ts'
import { mediaUrl } from '../base/media.ts'

/** Pictures that were asked for before anybody looks at them; the oldest go. */
const kept = new Map<string, HTMLImageElement>()
const MOST = 6

/** Loads the preview of a file, so that it is there at once when the file is shown. */
export function preload(cell: Cell | null): void {
  if (!cell) return
  const src = mediaUrl(cell.id, 'preview', { v: cell.version })
  if (kept.has(src)) return
  const image = new Image()
  image.src = src
  kept.set(src, image)
  const [oldest] = kept.keys()
  if (kept.size > MOST) kept.delete(oldest!)
}
