import { PLACEHOLDER_PATH } from '../base/paths.ts'
import { findPicture, type StoredPicture } from './stored-picture.ts'

/** Returns the placeholder. */
export async function placeholder(): Promise<StoredPicture> {
  return (await findPicture(PLACEHOLDER_PATH))!
}
