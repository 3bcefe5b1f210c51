import { fileURLToPath } from 'node:url'
import { findPicture, type StoredPicture } from './storage.ts'

/** Path of the neutral 320x320 JPEG that stands where no picture can be made. */
export const PLACEHOLDER_PATH = fileURLToPath(new URL('./placeholder.jpg', import.meta.url))

/** Returns that picture. */
export async function placeholder(): Promise<StoredPicture> {
  return (await findPicture(PLACEHOLDER_PATH))!
}
