import type { BoundedFile } from '../../bounded-file.ts'
import { boxes, findParts, fourcc, MOOV } from '../../container-parts.ts'
import { type Embedded, MAX_CAPTIONS } from '../embedded.ts'

// Where XMP is in a film (XMP part 3, 1.1.5 and 1.1.6): in a box of its own, or in one among QuickTime's user data.
const UUID = fourcc('uuid')
const XMP_ID = 'be7acfcb97a942e89c71999491e3afac'
const USER_DATA = [MOOV, fourcc('udta'), fourcc('XMP_')]
const ISO = /^video\/(mp4|quicktime|x-m4v|3gpp)$/

/** Returns the XMP of a film in ISO boxes, as far as it can be read. */
export async function embeddedInFilm(file: BoundedFile, mime_type: string): Promise<Embedded[]> {
  const found: Embedded[] = []
  const add = async (start: number, end: number) => {
    if (end - start > MAX_CAPTIONS) return
    found.push({ kind: 'xmp', bytes: await file.read(start, end) })
  }
  if (!ISO.test(mime_type)) return found
  try {
    for await (const { name, start, end } of boxes(file, 0, file.size)) {
      if (name !== UUID) continue
      const id = await file.read(start, start + 16)
      if (id.toString('hex') === XMP_ID) await add(start + 16, end)
    }
    for (const { start, end } of await findParts(boxes, file, USER_DATA)) await add(start, end)
  } catch {
    // What may not be read is absent.
  }
  return found
}
