import { PLACEHOLDER_PATH } from '../base/place.ts'
import { findPicture, type StoredPicture } from './stored-picture.ts'

/** Returns the placeholder. */
export async function placeholder(): Promise<StoredPicture> {
  return (await findPicture(PLACEHOLDER_PATH))!
}
