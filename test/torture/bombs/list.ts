import sharp from 'sharp'
import { writeApngFrames, writeGifFrames, writeWebpFrames } from './animations.ts'
import {
  writeLongFragment,
  writeManyFragments,
  writeManyKeys,
  writeManyOffsets,
  writeManyPlaces,
  writeManyTimes,
} from './counts.ts'
import {
  writeEmptyPackets,
  writeManyBoxes,
  writeManyClusters,
  writeManyTracks,
  writeNestedLists,
  writeNestedSegments,
} from './films.ts'
import { writeInflatingTexts, writeInterlaced, writeProfile, writeTexts } from './pngs.ts'
import { writeChain, writeCount, writeRing, writeStrips } from './tiffs.ts'

const SIDE = 16_000
const MAKER_NOTE = 37_500
const GREY = { width: SIDE, height: SIDE, channels: 3, background: '#345' } as const

/** Files that cost far more to decode than to send, each written to a path, by their names. */
export const BOMBS: Record<string, (path: string) => Promise<unknown>> = {
  'tracks-5000.mp4': (path) => writeManyTracks(path, 5000),
  'tracks-30000.mp4': (path) => writeManyTracks(path, 30_000),
  'boxes.mp4': (path) => writeManyBoxes(path, 3_000_000),
  'times.mp4': writeManyTimes,
  'offsets.mp4': (path) => writeManyOffsets(path, 1000),
  'fragment.mp4': writeLongFragment,
  'fragments.mp4': (path) => writeManyFragments(path, 200_000, 1),
  'places.mp4': (path) => writeManyPlaces(path, 2_500_000),
  'keys.mp4': (path) => writeManyKeys(path, true),
  'segments.webm': (path) => writeNestedSegments(path, 200_000),
  'clusters.webm': (path) => writeManyClusters(path, 3_000_000),
  'lists.avi': (path) => writeNestedLists(path, 200_000),
  'packets.mts': (path) => writeEmptyPackets(path, 500_000),
  'frames.webp': (path) => writeWebpFrames(path, 100_000, 1000),
  'frames.gif': (path) => writeGifFrames(path, 1_000_000, 1000),
  'frames.png': (path) => writeApngFrames(path, 100_000, 64),
  'profile.png': (path) => writeProfile(path, 1_000_000_000),
  'profile-50.png': (path) => writeProfile(path, 50_000_000),
  'texts.png': (path) => writeTexts(path, 3_000_000),
  'inflating.png': (path) => writeInflatingTexts(path, 300, 8_000_000),
  'interlaced-grey.png': (path) => writeInterlaced(path, SIDE, 1),
  'interlaced.png': (path) => writeInterlaced(path, SIDE, 3),
  'progressive.jpg': (path) => sharp({ create: GREY }).jpeg({ progressive: true }).toFile(path),
  'chain.tif': (path) => writeChain(path, 500_000),
  'ring.tif': (path) => writeRing(path, 3),
  'count.tif': (path) => writeCount(path, 30_000_000, MAKER_NOTE),
  'strips.tif': (path) => writeStrips(path, 30_000_000),
}
