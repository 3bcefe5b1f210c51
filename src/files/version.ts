import { hash } from 'node:crypto'
import type { FileRecord } from './queries.ts'

/**
 * Returns the version of a file's pictures: 8 base64url characters that change with its content, its rotation and the
 * state of its derivatives, so that a URL with them identifies one picture.
 */
export function fileVersion(
  file: Pick<FileRecord, 'blob' | 'derivative_state' | 'decoder_version' | 'rotation'>,
): string {
  const { blob, derivative_state, decoder_version, rotation } = file
  const made = `${blob} ${derivative_state} ${decoder_version ?? ''}`
  const text = rotation === 0 ? made : `${made} ${rotation}`
  // Eight characters are six bytes.
  return hash('sha256', text, 'base64url').slice(0, 8)
}
