import { box, fields, filmOf, trackOf } from './isobmff.ts'
import { repeated, writeParts } from './write.ts'

const MOST = 0xffffffff
const TIMES = box('stts', fields(16, [4, 1], [8, 1], [12, 2000]))
const CHUNKS = box('stsc', fields(20, [4, 1], [8, 1], [12, 1], [16, 1]))
const SIZES = box('stsz', fields(20, [8, 2], [12, 16], [16, 16]))
const PLACES = box('stco', fields(12, [4, 1]))

/** Writes an MP4 whose first chunk has four billion samples. */
export async function writeLongChunk(path: string): Promise<void> {
  const chunks = box('stsc', fields(20, [4, 1], [8, 1], [12, MOST], [16, 1]))
  await writeTrack(path, trackOf(TIMES, chunks, SIZES, PLACES))
}

/** Writes an MP4 with the times of four billion samples, to be put in order. */
export async function writeManyTimes(path: string): Promise<void> {
  const times = box('stts', fields(16, [4, 1], [8, MOST], [12, 1]))
  const offsets = box('ctts', fields(16, [4, 1], [8, 1], [12, 1]))
  await writeTrack(path, trackOf(times, offsets, CHUNKS, SIZES, PLACES))
}

/** Writes an MP4 with offsets of four billion samples, so many times. */
export async function writeManyOffsets(path: string, count: number): Promise<void> {
  const rows = [...repeated(count, () => fields(8, [0, MOST], [4, 1]))]
  const offsets = box('ctts', fields(8, [4, count]), ...rows)
  await writeTrack(path, trackOf(TIMES, offsets, CHUNKS, SIZES, PLACES))
}

/** Writes an MP4 that names four billion tags, none of which has a name, with or without a version before them. */
export async function writeManyKeys(path: string, hasVersion: boolean): Promise<void> {
  const keys = box('keys', fields(16, [4, MOST]))
  const meta = box('meta', fields(hasVersion ? 4 : 0), keys)
  await writeTrack(path, trackOf(TIMES, CHUNKS, SIZES, PLACES), box('udta', meta))
}

async function writeTrack(path: string, ...parts: Buffer[]): Promise<void> {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  await writeParts(path, filmOf(length, parts))
}

const DEFAULTS = box('mvex', box('trex', fields(24, [4, 1], [8, 1], [12, 40], [16, 100])))
const TRACK = trackOf()
// The length of what comes in fragments is counted.
TRACK.writeUInt32BE(0, TRACK.indexOf('mdhd') + 4 + 16)

/** Writes an MP4 with a fragment of four billion samples. */
export async function writeLongFragment(path: string): Promise<void> {
  const run = box('trun', fields(8, [4, MOST]))
  await writeFragments(path, [fragmentOf(run)])
}

/** Writes an MP4 of so many fragments that have as many samples each. */
export async function writeManyFragments(
  path: string,
  count: number,
  samples: number,
): Promise<void> {
  const fragment = fragmentOf(box('trun', fields(8, [4, samples])))
  await writeFragments(
    path,
    repeated(count, () => fragment),
  )
}

/** Writes an MP4 that tells the place of a fragment so many times. */
export async function writeManyPlaces(path: string, count: number): Promise<void> {
  const places = box('tfra', fields(16, [4, 1], [12, count]), Buffer.alloc(11 * count))
  const length = box('mfro', fields(8, [4, 8 + places.length + 16]))
  const fragment = fragmentOf(box('trun', fields(8, [4, 1])))
  await writeFragments(path, [fragment, box('mfra', places, length)])
}

function fragmentOf(run: Buffer): Buffer {
  const track = box('traf', box('tfhd', fields(8, [0, 0x20000], [4, 1])), run)
  return box('moof', box('mfhd', fields(8, [4, 1])), track)
}

async function writeFragments(path: string, fragments: Iterable<Uint8Array>): Promise<void> {
  await writeParts(path, [
    ...filmOf(TRACK.length + DEFAULTS.length, [TRACK, DEFAULTS]),
    ...fragments,
  ])
}
