import { runtimeArguments } from '../../base/child-process.ts'
import { PROGRAMS } from '../../base/place.ts'
import { secondsLeft } from './job-time.ts'
import { runProgram } from './program.ts'

/** More would take more memory than there is for the decoder. */
export const MAX_HEIC_PIXELS = 51_000_000
/** Bytes for a pixel: what the process prints, as much as it takes itself, and what is made of it. */
export const HELD_OF_HEIC = 9

/** Bytes: what stands before the pixels, and one of them with opacity. */
const HEAD = 2 ** 20
const PIXEL = 4

/**
 * Returns the picture in a HEIC of so many pixels, already turned the right way, as an uncompressed TIFF;
 * throws when it can't be decoded. A process of its own decodes it: that takes seconds, in which the decoder
 * would be deaf, and its memory is given back when it ends.
 */
export function decodeHeic(path: string, pixels = MAX_HEIC_PIXELS): Promise<Buffer> {
  const limits = { seconds: secondsLeft(), output: HEAD + pixels * PIXEL, isWasm: true }
  return runProgram(process.execPath, [...runtimeArguments(), PROGRAMS.heic, path], limits)
}
