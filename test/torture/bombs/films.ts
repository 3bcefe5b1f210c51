import { box, fields, filmOf, trackOf } from './isobmff.ts'
import { repeated, writeParts } from './write.ts'

/** A track of H.264 with one sample, which is nowhere; its number is at TRACK_ID. */
const TRACK = trackOf(
  box('stts', fields(16, [4, 1], [8, 1], [12, 2000])),
  box('stsc', fields(20, [4, 1], [8, 1], [12, 1], [16, 1])),
  box('stsz', fields(12, [4, 16], [8, 1])),
  box('stco', fields(12, [4, 1])),
)
const TRACK_ID = 8 + 8 + 12

/** Writes an MP4 of so many tracks. */
export async function writeManyTracks(path: string, count: number): Promise<void> {
  const tracks = repeated(count, (n) => {
    const track = Buffer.from(TRACK)
    track.writeUInt32BE(n + 1, TRACK_ID)
    return track
  })
  await writeParts(path, filmOf(count * TRACK.length, tracks))
}

const EBML = Buffer.concat([Buffer.from('1a45dfa387428284', 'hex'), Buffer.from('webm')])

/** Writes a WebM of segments that are each in the one before, and tell no length. */
export async function writeNestedSegments(path: string, count: number): Promise<void> {
  const segment = Buffer.from('1853806701ffffffffffffff', 'hex')
  await writeParts(path, [EBML, ...repeated(count, () => segment)])
}

/** Writes a WebM whose segment is full of empty clusters and has no tracks. */
export async function writeManyClusters(path: string, count: number): Promise<void> {
  const segment = Buffer.from('1853806701ffffffffffffff', 'hex')
  const cluster = Buffer.from('1f43b67580', 'hex')
  await writeParts(path, [EBML, segment, ...repeated(count, () => cluster)])
}

/** Writes an MP4 of empty boxes and nothing else. */
export async function writeManyBoxes(path: string, count: number): Promise<void> {
  const ftyp = box('ftyp', Buffer.from('isom\0\0\x02\0isommp41'))
  await writeParts(path, [ftyp, ...repeated(count, () => box('free'))])
}

/** Writes an AVI whose head is lists that are each in the one before. */
export async function writeNestedLists(path: string, count: number): Promise<void> {
  const size = 12 * count
  const head = Buffer.from('RIFF\0\0\0\0AVI ', 'latin1')
  head.writeUInt32LE(size + 4, 4)
  const list = (n: number) => {
    const bytes = Buffer.from('LIST\0\0\0\0hdrl', 'latin1')
    bytes.writeUInt32LE(size - 12 * n - 8, 4)
    return bytes
  }
  await writeParts(path, [head, ...repeated(count, list)])
}

/** Writes a transport stream of packets without a payload that anybody knows. */
export async function writeEmptyPackets(path: string, count: number): Promise<void> {
  const packet = Buffer.alloc(188, 0xff)
  packet.set([0x47, 0x1f, 0xff, 0x10])
  await writeParts(
    path,
    repeated(count, () => packet),
  )
}
