import { readFileSync } from 'node:fs'
import { decoderPackages } from '../../base/paths.ts'
import type { Ffmpeg } from '../ffmpeg.ts'

// Raised when our own code decodes something that it couldn't before, or hashes differently.
const OUR_VERSION = 6

/**
 * Returns a text that changes whenever what can be decoded may have changed. The versions of libvips and its codecs
 * follow from that of sharp, which pins its binaries.
 */
export function decoderVersion(ffmpeg: Ffmpeg | null): string {
  const { sharp, libheif } = decoderPackages()
  const parts = [OUR_VERSION, 'sharp', versionIn(sharp), 'libheif', versionIn(libheif)]
  return [...parts, 'ffmpeg', ffmpeg?.version ?? 'none'].join('-')
}

function versionIn(path: string): string {
  return JSON.parse(readFileSync(path, 'utf8')).version
}
