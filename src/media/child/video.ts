import {
  CustomSource,
  Input,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  MPEG_TS,
  QTFF,
  WEBM,
} from 'mediabunny'
import { type BoundedFile, withBoundedFile } from '../bounded-file.ts'
import { type Exif, parseTaken } from './exif.ts'
import { readCreation } from './video-creation.ts'

/** What a container says about its film, as far as it says anything. */
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
const CODEC_LENGTH = 64
const DAY = 86_400_000
/** Cameras whose clock was never set are in 1904 or in 1970. */
const FIRST_PLAUSIBLE = Date.UTC(1971, 0, 1)

/** Returns the facts of a video's container and when it was taken, without what can't be read. */
export async function readVideo(path: string, mime_type: string): Promise<Exif> {
  return withBoundedFile(path, async (file) => {
    // This comes first, since it takes next to nothing of what may be read.
    const created = await readCreation(file, mime_type)
    const { facts, creationDate } = await readContainer(file)
    const times = [parseCreationDate(creationDate), ...created]
    return { exif: { ...facts }, content_datetime: times.find(isPlausible) ?? null }
  })
}

/** Returns the length of a video in seconds, or null when its container doesn't tell. */
export async function readDuration(path: string): Promise<number | null> {
  return (await withBoundedFile(path, readContainer)).facts.duration ?? null
}

async function readContainer(file: BoundedFile): Promise<{ facts: Facts; creationDate?: unknown }> {
  if ((await file.read(0, 12)).toString('latin1', 8) === 'AVI ')
    return { facts: await readAvi(file) }
  const source = new CustomSource({
    getSize: () => file.size,
    read: file.read,
    maxCacheSize: MAX_CACHE,
    prefetchProfile: 'fileSystem',
    handleUnhandledError: () => {},
  })
  const input = new Input({ source, formats: [MP4, QTFF, MATROSKA, WEBM, MPEG_TS] })
  try {
    const track = await optional(input.getPrimaryVideoTrack().then(readTrack))
    const duration = await optional(readDurationOf(input))
    // This comes last, since the tags include cover pictures of any size.
    const tags = await optional(input.getMetadataTags())
    return {
      facts: { ...duration, ...track },
      creationDate: tags.raw?.['com.apple.quicktime.creationdate'],
    }
  } finally {
    input.dispose()
  }
}

/** Returns what is found, or nothing when it can't or may not be read, so that the rest is kept. */
async function optional<Found extends object>(found: Promise<Found>): Promise<Partial<Found>> {
  return found.catch(() => ({}))
}

async function readDurationOf(input: Input): Promise<Facts> {
  const told = await input.getDurationFromMetadata()
  if (told !== null) return seconds(told)
  // Transport streams begin at any time.
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

function dimensions(width: number, height: number): Facts {
  return width > 0 && height > 0 ? { width, height } : {}
}

function named(codec: string): Facts {
  const clean = codec.replace(/[^\x20-\x7e]/g, '').trim()
  return clean === '' ? {} : { codec: clean.slice(0, CODEC_LENGTH) }
}

/** Reads an AVI: its main header and the header of its first stream are at fixed places. */
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

function parseCreationDate(value: unknown): number | null {
  const match = /^(\S{19})(?:\.\d+)?(?:Z|([+-]\d\d):?(\d\d))?$/.exec(String(value))
  return match && parseTaken(match[1], match[2] && `${match[2]}:${match[3]}`)
}

function isPlausible(time: number | null): time is number {
  return time !== null && time >= FIRST_PLAUSIBLE && time <= Date.now() + DAY
}
