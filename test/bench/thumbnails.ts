import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startDecoder } from '../../src/media/decoder/decoder.ts'
import { CORPUS } from '../support/media/media.ts'
import { printTable, rate } from './measure.ts'

const run = promisify(execFile)
const FOLDERS = ['photos', 'gps', 'orientation', 'near-duplicates']
const ROUNDS = 3
/** As many jobs as the decoder has in flight on two cores. */
const AT_ONCE = 2

interface Picture {
  path: string
  index: number
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * Prints how many pictures per second get their EXIF, thumbnail and hash, as in an upload, compared
 * with how many get only a thumbnail from vipsthumbnail (of Debian's libvips-tools).
 */
export async function bench(): Promise<void> {
  const hasPeer = await run('vipsthumbnail', ['--version']).then(
    () => true,
    () => false,
  )
  if (!existsSync(CORPUS) || !hasPeer) {
    process.stdout.write('\nthumbnails: needs the corpus and vipsthumbnail, left out\n')
    return
  }
  const pictures = FOLDERS.flatMap((folder) =>
    readdirSync(join(CORPUS, folder)).map((name) => join(CORPUS, folder, name)),
  )
    .filter((path) => /\.jpe?g$/i.test(path))
    .map((path, index) => ({ path, index }))
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-thumbnails-'))
  const decoder = startDecoder({ log: silent })
  const ours = ({ path, index }: Picture) =>
    decoder.derive({ path, mime_type: 'image/jpeg', thumbnailPath: join(folder, `${index}.jpg`) })
  const theirs = ({ path, index }: Picture) =>
    run('vipsthumbnail', [path, '--size', '320x320>', '-o', join(folder, `v${index}.jpg`)])
  try {
    // The child starts with its first job.
    await ours(pictures[0]!)
    const rates = { ours: 0, theirs: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      rates.ours = Math.max(rates.ours, await rate(AT_ONCE, pictures, ours))
      rates.theirs = Math.max(rates.theirs, await rate(AT_ONCE, pictures, theirs))
    }
    printTable(`${pictures.length} camera pictures, ${AT_ONCE} at once, best of ${ROUNDS}`, [
      { what: 'EXIF, thumbnail and hash', 'pictures/s': rates.ours },
      { what: 'vipsthumbnail, thumbnail alone', 'pictures/s': rates.theirs },
      { what: 'ratio', 'pictures/s': rates.ours / rates.theirs },
    ])
  } finally {
    await decoder.close()
    rmSync(folder, { recursive: true })
  }
}
