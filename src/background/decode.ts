import { deriveStored, removeIfGone } from '../files/content/derivatives.ts'
import type { Derivatives } from '../media/decoder/decoder.ts'
import type { LookDeps } from './kind.ts'

/**
 * Decodes the content of a file and makes its thumbnail; after exceeding a limit of time or memory, this is tried once
 * more. Throws insufficient_storage while the disk has no room, and whatever the decoder's `derive` throws.
 */
export async function decodeContent(
  { db, disk, decoder, storage }: Pick<LookDeps, 'db' | 'disk' | 'decoder' | 'storage'>,
  file: { rid: number; blob: string; mime_type: string },
): Promise<Derivatives> {
  await storage.withRoom(() => disk.requireRoom())
  const derive = (isSecondTry: boolean) => deriveStored({ decoder, storage }, file, { isSecondTry })
  const first = await derive(false)
  const derivatives = first.state === 'pending' ? await derive(true) : first
  await removeIfGone({ db, storage }, file)
  return derivatives
}
