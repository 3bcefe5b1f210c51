import { hash } from 'node:crypto'
import type { FileRecord } from './queries.ts'

/**
 * Returns the version of a file's pictures: 8 base64url characters that change with its content and with the state of
 * its derivatives, so that a URL with them identifies one picture.
 */
export function fileVersion(
  file: Pick<FileRecord, 'blob' | 'derivative_state' | 'decoder_version'>,
): string {
  const { blob, derivative_state, decoder_version } = file
  const text = `${blob} ${derivative_state} ${decoder_version ?? ''}`
  // Eight characters are six bytes.
  return hash('sha256', text, 'base64url').slice(0, 8)
}
