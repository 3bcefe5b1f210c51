import { createHash } from 'node:crypto'
import type { FileRecord } from './queries.ts'

/**
 * Returns the version of a file's pictures: 8 base64url characters that change with its content and
 * with what became of the content's derivatives, so that an address with them names one picture.
 */
export function fileVersion(
  file: Pick<FileRecord, 'blob' | 'derivative_state' | 'decoder_version'>,
): string {
  const { blob, derivative_state, decoder_version } = file
  const hash = createHash('sha256').update(`${blob} ${derivative_state} ${decoder_version ?? ''}`)
  // Six bytes are eight characters.
  return hash.digest().subarray(0, 6).toString('base64url')
}
