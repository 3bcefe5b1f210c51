import { fileURLToPath } from 'node:url'
import { runtimeArguments } from '../child-process.ts'
import { runProgram } from './program.ts'

/** Pixels; the decoder takes six bytes for each, and we take six more. */
export const MAX_HEIC_PIXELS = 100_000_000

const CHILD = fileURLToPath(new URL('./heic-main.ts', import.meta.url))
const LIMITS = { seconds: 50, output: 5 * MAX_HEIC_PIXELS }

/**
 * Returns the picture in a HEIC, already turned the right way, as an uncompressed TIFF; throws when
 * it can't be decoded. A process of its own decodes it: that takes seconds, in which the decoder
 * would be deaf, and its memory is given back when it ends.
 */
export function decodeHeic(path: string): Promise<Buffer> {
  return runProgram(process.execPath, [...runtimeArguments(), CHILD, path], LIMITS)
}
