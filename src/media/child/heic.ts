import { runtimeArguments } from '../../base/child-process.ts'
import { PROGRAMS } from '../../base/paths.ts'
import { secondsLeft } from './job-time.ts'
import { runProgram } from './program.ts'

/** The decoder has not enough memory for more. */
export const MAX_HEIC_PIXELS = 51_000_000
/** Bytes for a pixel: what the process prints, as much that it takes itself, and what is made of it. */
export const HELD_OF_HEIC = 9

// In bytes: what comes before the pixels.
const HEAD = 2 ** 20
const PIXEL = 4

/**
 * Returns the picture in a HEIC of at most `pixels` pixels, already turned the right way, as an uncompressed TIFF;
 * throws when it can't be decoded. A process of its own decodes it: otherwise the decoder would be deaf for seconds,
 * and the memory would not be given back.
 */
export function decodeHeic(path: string, pixels = MAX_HEIC_PIXELS): Promise<Buffer> {
  const limits = { seconds: secondsLeft(), output: HEAD + pixels * PIXEL, isWasm: true }
  return runProgram(process.execPath, [...runtimeArguments(), PROGRAMS.heic, path], limits)
}
