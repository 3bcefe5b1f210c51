import {
  CustomSource,
  type CustomSourceOptions,
  Input,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  MPEG_TS,
  QTFF,
  WEBM,
} from 'mediabunny'
import { type BoundedFile, readAtMost, readInBlocks, withBoundedFile } from '../../bounded-file.ts'
import type { Sidecar } from '../../description.ts'
import { ffprobeOf } from '../../ffmpeg.ts'
import { failureOf } from '../../outcome.ts'
import { readCaptions } from '../captions.ts'
import type { Exif } from '../exif.ts'
import { SAFELY } from '../frame.ts'
import { secondsLeft } from '../job-time.ts'
import { type Size, sizeOf } from '../look.ts'
import { runProgram } from '../program.ts'
import { withinCounts } from './counts.ts'
import { readCreation } from './creation.ts'
import { hasTooManyBoxes, withBrand, withinHeads } from './heads.ts'
import { readFilmTags, settled } from './tags.ts'
import { embeddedInFilm } from './xmp-box.ts'

interface Facts {
  /** Seconds. */
  duration?: number
  /** Pixels, before rotation. */
  width?: number
  height?: number
  codec?: string
  /** Degrees by which a player turns it clockwise. */
  rotation?: number
}

const MAX_CACHE = 4 * 2 ** 20
// Finding a part takes one read, and a few in the library.
const MAX_PARTS = 10_000
const MAX_ASKED = 4 * MAX_PARTS
// In bytes; the head of a fragment is as long, and much else lies between two heads.
const BLOCK = 512
const EBML = '1a45dfa3'
// Begins each packet of a transport stream, in some after a time of four bytes.
const SYNC = 0x47
const CODEC_LENGTH = 64
// A film has few tracks, each of which may have a date.
const MAX_DATES = 10

/** What a film's container says. */
export interface Film extends Exif {
  /** Pixels as the film is displayed; null when the container doesn't say. */
  size: Size | null
}

/**
 * Returns the facts of a video's container and when it was taken, without what is broken; what the library can't read,
 * the ffprobe beside an `ffmpeg` is asked for. The place of a sidecar, and its date unless it is a moment of UTC, count
 * behind those of the container. Throws when the system refuses to open the file or to start that, or
 * can't read the file.
 */
export async function readVideo(
  path: string,
  mime_type: string,
  ffmpeg: string | null = null,
  sidecars?: Sidecar[],
): Promise<Film> {
  const film = await withBoundedFile(path, (file) => readVideoOf(file, mime_type, sidecars))
  const { duration, codec } = film.exif
  if (ffmpeg === null || (duration !== undefined && codec !== undefined)) return film
  // Every track costs ffprobe time and memory.
  if (await withBoundedFile(path, hasTooManyBoxes)) return film
  const { facts, size } = await probe(ffmpeg, path)
  return { ...film, exif: { ...facts, ...film.exif }, size: film.size ?? size }
}

/** Does what `readVideo` does with a film that is open. */
export async function readVideoOf(
  file: BoundedFile,
  mime_type: string,
  sidecars?: Sidecar[],
): Promise<Film> {
  // This comes first, since it takes next to nothing of what may be read.
  const { dates, notes } = await readCreation(readAtMost(file, MAX_PARTS), mime_type)
  const { facts, size, raw } = await readContainer(file)
  const { camera, told } = readFilmTags(raw, notes)
  const { description } = readCaptions(await embeddedInFilm(file, mime_type), sidecars)
  const { position, date } = description
  const exif = { ...facts, ...('latitude' in camera ? {} : position), ...camera }
  const found = settled(told, dates).slice(0, MAX_DATES)
  if (date && !date.isUtc) {
    const { clock, offset, precision } = date
    found.push({ clock, offset, source: 'xmp', precision })
  }
  return { exif, dates: found, size, description }
}

/** Returns the length of a video in seconds, or null when its container doesn't say; throws as `readVideo` does. */
export async function readDuration(path: string): Promise<number | null> {
  return (await withBoundedFile(path, readContainer)).facts.duration ?? null
}

interface Container {
  facts: Facts
  size: Size | null
  raw: Record<string, unknown>
}

async function readContainer(file: BoundedFile): Promise<Container> {
  const magic = await file.read(0, 12)
  if (magic.toString('latin1', 8) === 'AVI ') {
    const facts = await readAvi(file)
    return { facts, size: sizeOf(facts.width ?? 0, facts.height ?? 0), raw: {} }
  }
  const isMatroska = magic.toString('hex', 0, 4) === EBML
  const isStream = magic[0] === SYNC || magic[4] === SYNC
  const input = isMatroska ? openMatroska(file) : isStream ? openStream(file) : await openIso(file)
  try {
    const video = await input.getPrimaryVideoTrack().catch(() => null)
    const track = await optional(readTrack(video))
    const shown = await optional(readShown(video))
    const duration = await optional(readDurationOf(input))
    // This comes last, since the tags include cover pictures of any size.
    const tags = await optional(input.getMetadataTags())
    return {
      facts: { ...duration, ...track },
      size: sizeOf(shown.width ?? 0, shown.height ?? 0),
      raw: tags.raw ?? {},
    }
  } finally {
    input.dispose()
  }
}

// Reads must be exactly those that the library asks for, which begin where a part does.
const EXACTLY = { maxCacheSize: 0, prefetchProfile: 'none' } as const

/**
 * The library never stops looking for the next element where there is none (1.61), so it must ask for everything that
 * it looks at.
 */
function openMatroska(file: BoundedFile): Input {
  const { read } = readAtMost(readInBlocks(file, BLOCK), MAX_ASKED)
  return new Input({ source: sourceOf({ ...file, read }, EXACTLY), formats: [MATROSKA, WEBM] })
}

async function openIso(file: BoundedFile): Promise<Input> {
  const bounded = withinCounts(readInBlocks(await withBrand(await withinHeads(file)), BLOCK))
  return new Input({ source: sourceOf(bounded, EXACTLY), formats: [MP4, QTFF] })
}

function openStream(file: BoundedFile): Input {
  const bounds = { maxCacheSize: MAX_CACHE, prefetchProfile: 'fileSystem' } as const
  return new Input({ source: sourceOf(file, bounds), formats: [MPEG_TS] })
}

function sourceOf(
  { size, read }: BoundedFile,
  bounds: Pick<CustomSourceOptions, 'maxCacheSize' | 'prefetchProfile'>,
): CustomSource {
  return new CustomSource({ ...bounds, getSize: () => size, read, handleUnhandledError: () => {} })
}

// What is broken or may not be read counts as absent, so that the rest is retained.
async function optional<Found extends object>(found: Promise<Found>): Promise<Partial<Found>> {
  return found.catch(() => ({}))
}

async function readDurationOf(input: Input): Promise<Facts> {
  const stated = await input.getDurationFromMetadata()
  if (stated !== null) return seconds(stated)
  // The times of a transport stream need not begin at 0.
  return seconds((await input.computeDuration()) - (await input.getFirstTimestamp()))
}

function seconds(duration: number): Facts {
  if (!Number.isFinite(duration) || duration <= 0) return {}
  return { duration: Math.round(duration * 1000) / 1000 }
}

async function readTrack(track: InputVideoTrack | null): Promise<Facts> {
  if (track === null) return {}
  const codec = (await track.getCodec()) ?? (await track.getInternalCodecId())
  return {
    ...dimensions(await track.getCodedWidth(), await track.getCodedHeight()),
    ...(typeof codec === 'string' ? named(codec) : {}),
    rotation: await track.getRotation(),
  }
}

// A player turns the film and makes its pixels square.
async function readShown(track: InputVideoTrack | null): Promise<Partial<Size>> {
  if (track === null) return {}
  return { width: await track.getDisplayWidth(), height: await track.getDisplayHeight() }
}

function dimensions(width: number, height: number): Facts {
  return sizeOf(width, height) ?? {}
}

function named(codec: string): Facts {
  const clean = codec.replace(/[^\x20-\x7e]/g, '').trim()
  return clean === '' ? {} : { codec: clean.slice(0, CODEC_LENGTH) }
}

// An AVI has its main header and the header of its first stream at fixed places.
async function readAvi(file: BoundedFile): Promise<Facts> {
  const head = await file.read(0, 116)
  if (head.length < 116 || head.toString('latin1', 24, 28) !== 'avih') return {}
  const isVideo = head.toString('latin1', 108, 112) === 'vids'
  return {
    ...seconds((head.readUInt32LE(32) * head.readUInt32LE(48)) / 1e6),
    ...dimensions(head.readUInt32LE(64), head.readUInt32LE(68)),
    ...(isVideo ? named(head.toString('latin1', 112, 116)) : {}),
    rotation: 0,
  }
}

const SHOWN =
  'format=duration:stream=codec_name,width,height,sample_aspect_ratio:stream_side_data=rotation'
// In bytes, and seconds of processor time: the answer to an upload waits for it.
const MOST_PRINTED = 65_536
const MOST_SECONDS = 5

interface Probed {
  format?: { duration?: string }
  streams?: {
    codec_name?: string
    width?: number
    height?: number
    sample_aspect_ratio?: string
    side_data_list?: { rotation?: number }[]
  }[]
}

// Returns what ffprobe says, nothing where there is none or it can't read the film. Throws when the system refuses to
// start it for now.
async function probe(ffmpeg: string, video: string): Promise<Pick<Container, 'facts' | 'size'>> {
  const showing = ['-select_streams', 'V:0', '-show_entries', SHOWN, '-of', 'json']
  const args = ['-hide_banner', '-loglevel', 'error', ...SAFELY, ...showing, `file:${video}`]
  const limits = { output: MOST_PRINTED, seconds: Math.min(MOST_SECONDS, secondsLeft()) }
  try {
    const printed = await runProgram(ffprobeOf(ffmpeg), args, limits)
    return probed(JSON.parse(printed.toString()))
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOEXEC'
    if ('refused' in failureOf(error) && !isAbsent) throw error
    return { facts: {}, size: null }
  }
}

function probed({ format, streams: [stream] = [] }: Probed): Pick<Container, 'facts' | 'size'> {
  const { codec_name = '', width = 0, height = 0, sample_aspect_ratio = '' } = stream ?? {}
  const [wide, high] = sample_aspect_ratio.split(':').map(Number)
  const size = sizeOf(wide && high ? (width * wide) / high : width, height)
  const turned = stream?.side_data_list?.find((data) => data.rotation !== undefined)?.rotation ?? 0
  const isTurned = turned % 180 !== 0
  const facts = {
    ...seconds(Number(format?.duration ?? 0)),
    ...dimensions(width, height),
    // As the library calls it.
    ...named(codec_name === 'h264' ? 'avc' : codec_name),
    ...(size && { rotation: (720 - turned) % 360 }),
  }
  return { facts, size: size && isTurned ? { width: size.height, height: size.width } : size }
}
