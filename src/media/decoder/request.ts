import type { PictureSource } from '../child/extract.ts'
import type { DerivativeKind } from '../data-folder.ts'

/**
 * A request to the child; `output` is the file that it writes. With a thumbnail it may also write the larger one, to
 * `output640`.
 */
export type Request =
  | { op: 'exif'; path: string; mime_type: string }
  | { op: 'look'; path: string; mime_type: string; thumbnail: string | null }
  | { op: 'grey'; path: string }
  | ({ op: DerivativeKind; output: string; output640?: string | undefined } & PictureSource)
