import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Ffmpeg } from '../ffmpeg.ts'

/** Raised when our own code decodes something that it couldn't before, or hashes differently. */
const OUR_VERSION = 4

/**
 * Returns a text that changes whenever what can be decoded may have changed. The versions of libvips and its
 * codecs follow from that of sharp, which pins its binaries.
 */
export function decoderVersion(ffmpeg: Ffmpeg | null): string {
  const require = createRequire(import.meta.url)
  const entry = pathToFileURL(require.resolve('sharp'))
  const sharp = readJson(fileURLToPath(new URL('../package.json', entry)))
  const libheif = readJson(require.resolve('libheif-js/package.json'))
  const parts = [OUR_VERSION, 'sharp', sharp.version, 'libheif', libheif.version]
  return [...parts, 'ffmpeg', ffmpeg?.version ?? 'none'].join('-')
}

function readJson(path: string): { version: string } {
  return JSON.parse(readFileSync(path, 'utf8'))
}
