import { fileURLToPath } from 'node:url'
import { findPicture, type StoredPicture } from './stored-picture.ts'

/** The path of the placeholder, a neutral JPEG of 320x320 pixels for what has no derivative. */
export const PLACEHOLDER_PATH = fileURLToPath(new URL('./placeholder.jpg', import.meta.url))

/** Returns the placeholder. */
export async function placeholder(): Promise<StoredPicture> {
  return (await findPicture(PLACEHOLDER_PATH))!
}
