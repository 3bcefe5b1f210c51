import { type DerivativeKind, dataFolder } from './data-folder.ts'
import { type Digest, type DigestOptions, digestOf } from './digest.ts'
import type { Bytes, ReadRange } from './file-bytes.ts'
import { localPlace } from './places/local.ts'
import type { Place } from './places/place.ts'

/** Returns the path of a derivative, whether it exists or not. */
export type PictureAt = (kind: DerivativeKind) => string

/** The contents of a library, to be read by their blobs. No caller but that of `withLocalFile` knows of their files. */
export interface Contents {
  /** Returns the bytes as `streamFile` does, maybe of a local copy; throws ENOENT when there is no such content. */
  stream(blob: string, range?: ReadRange): Promise<Bytes>
  /** Resolves once the first bytes were read; throws as `stream` does. */
  readStart(blob: string): Promise<void>
  /** Reads a content itself, and no copy, to its end; throws as `stream` does, and the signal's reason. */
  digest(blob: string, options?: DigestOptions): Promise<Digest>
  /**
   * Returns the content for a runtime that sends its length only of what it reads by itself; throws as `stream` does.
   * All else must do without: null for contents that are no files.
   */
  asBlob(blob: string): Promise<Blob | null>
  /**
   * Returns what `fn` returns for the path of a content, which is good as long as `fn` runs, unless the content is
   * removed. It is for the decoder, a process of its own, as are the paths of derivatives. A file that is not whole, as
   * of a content that is larger than all copies of a store may be, lacks what is between its first and its last bytes.
   */
  withLocalFile<T>(
    blob: string,
    fn: (path: string, pictureAt: PictureAt, isWhole: boolean) => Promise<T>,
  ): Promise<T>
  /** Does the same for the thumbnail, whether the content is there or not. */
  withThumbnail<T>(blob: string, fn: (path: string) => Promise<T>): Promise<T>
  /** Returns whether the place of a content is there; otherwise all contents may be absent. */
  hasPlace(blob: string): Promise<boolean>
}

/** Returns the contents at a place, by default the data folder; what is made from them is always there. */
export function openContents(dataDir: string, place: Place = localPlace(dataDir)): Contents {
  const { derivative } = dataFolder(dataDir)
  const { stream } = place
  return {
    stream,
    async readStart(blob) {
      for await (const _ of await stream(blob)) break
    },
    digest: (blob, options) =>
      digestOf((buffer) => stream(blob, { buffer, isFresh: true }), options),
    asBlob: place.asBlob,
    withLocalFile: (blob, fn) =>
      place.withLocalFile(blob, (path, isWhole) =>
        fn(path, (kind) => derivative(kind, blob), isWhole),
      ),
    withThumbnail: async (blob, fn) => fn(derivative('thumbnail', blob)),
    hasPlace: place.hasShelf,
  }
}
