import { stat } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import { busy } from '../base/errors.ts'
import { blanked, type Edit } from './blanked.ts'
import type { Contents } from './contents.ts'
import type { Decoder } from './decoder/decoder.ts'
import type { Bytes, ReadRange } from './file-bytes.ts'

/** The contents of a library as strangers get them. */
export interface BlankedContents {
  /**
   * Returns a function that returns the bytes of a content as `stream` of contents does, but for what they say of
   * places, people and devices; null when the content isn't understood to its end. For the user with the id `by`.
   * Throws busy when the system refused to look, and what stands in the way of any content.
   */
  open(
    content: { blob: string; mime_type: string; size: number },
    by: number,
  ): Promise<((range?: ReadRange) => Promise<Bytes>) | null>
}

// In bytes, of all edits that are cached; and of an edit, and a content, beside what it lays over.
const LIMIT = 8 * 2 ** 20
const OVERHEAD = 64

interface Found {
  edits: Edit[] | null
}

/** Returns the contents of a library as strangers get them; a film is asked for range by range, so edits are cached. */
export function openBlanked(
  contents: Pick<Contents, 'stream' | 'withLocalFile'>,
  decoder: Pick<Decoder, 'blank'>,
): BlankedContents {
  const cache = new LRUCache<string, Found>({
    maxSize: LIMIT,
    sizeCalculation: ({ edits }) => OVERHEAD + sizeOf(edits ?? []),
  })
  // A player asks for several ranges before the first look is over.
  const underWay = new Map<string, Promise<Found | null>>()
  const once = (blob: string, find: () => Promise<Found | null>) => {
    const looking = underWay.get(blob) ?? find().finally(() => underWay.delete(blob))
    underWay.set(blob, looking)
    return looking
  }
  return {
    async open({ blob, mime_type, size }, by) {
      const look = (isSecondTry: boolean) =>
        contents.withLocalFile(blob, async (path, _, isWhole) =>
          // What is not there can't be looked through: a copy may have been cut off.
          isWhole && (await stat(path)).size === size
            ? decoder.blank({ path, mime_type, by, isSecondTry })
            : { edits: null },
        )
      // What takes too long, or too much memory, fails on a second try.
      const find = async () => (await look(false)) ?? (await look(true))
      const found = cache.get(blob) ?? (await once(blob, find))
      if (found === null) throw busy('The server has too much to do to look into the file')
      cache.set(blob, found)
      const { edits } = found
      return edits && blanked((range) => contents.stream(blob, range), edits)
    },
  }
}

function sizeOf(edits: Edit[]): number {
  const laid = (edit: Edit) => ('base64' in edit ? edit.base64.length : 0)
  return edits.reduce((size, edit) => size + OVERHEAD + laid(edit), 0)
}
