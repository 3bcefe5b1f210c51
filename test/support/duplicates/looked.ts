import sharp from 'sharp'
import { type FinerHash, finerHash } from '../../../src/media/child/finer-hash.ts'
import { luminances } from '../../../src/media/child/luminances.ts'
import { HASH_INPUT_SIZE, perceptualHash } from '../../../src/media/child/phash.ts'

/** What is known of a picture when duplicates are looked for. */
export interface Looked {
  phash: string
  finer: FinerHash
  /** 64x64 luminances of its thumbnail. */
  grey: Uint8Array
}

/** Looks at a picture as it is done for a file. */
export async function lookedAt(picture: Uint8Array | string): Promise<Looked> {
  const { data, info } = await sharp(picture, { failOn: 'none' })
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .resize(320, 320, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const small = sharp(data, { raw: info })
  const square = small.clone().resize(HASH_INPUT_SIZE, HASH_INPUT_SIZE, { fit: 'fill' })
  const thumbnail = await small.clone().jpeg().toBuffer()
  const shown = await sharp(thumbnail).raw().toBuffer({ resolveWithObject: true })
  return {
    phash: perceptualHash(await square.greyscale().raw({ depth: 'uchar' }).toBuffer()),
    finer: finerHash(luminances({ data, info })),
    grey: luminances(shown),
  }
}
