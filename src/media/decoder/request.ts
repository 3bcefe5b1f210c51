import type { Rotation } from '../../base/enums.ts'
import type { PictureSource } from '../child/extract.ts'
import type { DerivativeKind } from '../data-folder.ts'
import type { Sidecar } from '../description.ts'

type Content = Pick<PictureSource, 'path' | 'mime_type' | 'ffmpeg'>

/**
 * A request to the child; `output` is the file that it writes. With a thumbnail it may also write the larger one, to
 * `output640`.
 */
export type Request =
  | ({ op: 'exif'; sidecars?: Sidecar[] | undefined } & Content)
  | ({ op: 'look'; thumbnail: string | null } & Content)
  | { op: 'blank'; path: string; mime_type: string }
  | { op: 'grey'; path: string; rotation: Rotation }
  | ({ op: DerivativeKind; output: string; output640?: string | undefined } & PictureSource)
