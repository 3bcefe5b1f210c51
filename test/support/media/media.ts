import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { type FinerHash, finerHash } from '../../../src/media/child/finer-hash.ts'
import { luminances } from '../../../src/media/child/luminances.ts'
import { perceptualHash } from '../../../src/media/child/phash.ts'

/** A folder of real camera files, which whoever runs the tests may have. */
export const CORPUS = process.env.TAGSTEAD_CORPUS ?? ''

/** For a test's `skip`: false when there are camera files, of which these tests are in addition to others. */
export const withoutCorpus = existsSync(CORPUS) ? false : 'needs TAGSTEAD_CORPUS'

/** What programs have printed, by how they were called: they are asked once for a process. */
const asked = new Map<string, string | null>()

/** Returns what a program prints, or null where there is none or it fails. */
function answerOf(program: string, args: string[]): string | null {
  const key = JSON.stringify([program, args])
  const known = asked.get(key)
  if (known !== undefined) return known
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 24 })
  const answer = status === 0 ? stdout : null
  asked.set(key, answer)
  return answer
}

/** For a test's `skip`: false when there is such a program, which takes the arguments. */
export function without(program: string, ...args: string[]): string | false {
  return answerOf(program, args) === null && `needs ${basename(program)}`
}

/** For a test's `skip`: false when ffmpeg has the encoder. */
export function withoutEncoder(name: string): string | false {
  const encoders = answerOf('ffmpeg', ['-v', 'error', '-encoders'])
  if (encoders === null) return 'needs ffmpeg'
  return !encoders.includes(` ${name} `) && `needs ffmpeg with ${name}`
}

/** For a test's `skip`: false when ImageMagick writes the format. */
export function withoutMagick(format: string): string | false {
  const formats = answerOf('convert', ['-list', 'format'])
  if (formats === null) return 'needs ImageMagick'
  const mode = new RegExp(`^ *${format}\\*? +\\S+ +r(w)`, 'm')
  return !mode.test(formats) && `needs ImageMagick that writes ${format}`
}

/** Returns the perceptual hash of a picture, as it is made for a file. */
export async function hashOf(picture: Buffer | string): Promise<string> {
  const square = (await small(picture)).resize(32, 32, { fit: 'fill' }).greyscale()
  return perceptualHash(await square.raw({ depth: 'uchar' }).toBuffer())
}

/** Returns the finer hash of a picture, as it is made for a file. */
export async function finerHashOf(picture: Uint8Array): Promise<FinerHash> {
  const pixels = (await small(picture)).raw({ depth: 'uchar' })
  return finerHash(luminances(await pixels.toBuffer({ resolveWithObject: true })))
}

async function small(picture: Uint8Array | string): Promise<Sharp> {
  const shrunk = await sharp(picture)
    .autoOrient()
    .resize(320, 320, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .png()
    .toBuffer()
  return sharp(shrunk)
}

/** Returns in how many bits two hashes differ. */
export function distance(a: string, b: string): number {
  const bits = BigInt.asUintN(64, BigInt(a) ^ BigInt(b)).toString(2)
  return bits.replaceAll('0', '').length
}

/** Returns in how many bits two finer hashes differ. */
export function bitsBetween(a: string, b: string): number {
  const bits = (BigInt(`0x${a}`) ^ BigInt(`0x${b}`)).toString(2)
  return bits.replaceAll('0', '').length
}

export function corpus(...parts: string[]): string {
  return join(CORPUS, ...parts)
}

/** Returns the paths of all sample files, or of those in one folder. */
export function corpusFiles(folder?: string): string[] {
  if (withoutCorpus) return []
  return readdirSync(corpus(folder ?? ''), { recursive: true, encoding: 'utf8' })
    .filter((name) => extname(name) !== '' && !name.endsWith('.md'))
    .map((name) => corpus(folder ?? '', name))
    .sort()
}

/** Returns a new folder and a function that removes it. */
export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'tagstead-media-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
