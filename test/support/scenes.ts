import sharp from 'sharp'
import { randomNumbers } from './file-rows.ts'

/** Returns a JPEG of that quality with a picture unlike those of other numbers. */
export async function scene(seed: number, quality = 90): Promise<Uint8Array> {
  const random = randomNumbers(seed * 7919 + 1)
  const spots = Buffer.from(Array.from({ length: 64 }, () => random(256)))
  return sharp(spots, { raw: { width: 8, height: 8, channels: 1 } })
    .resize(160, 160, { kernel: 'cubic' })
    .jpeg({ quality })
    .toBuffer()
}
