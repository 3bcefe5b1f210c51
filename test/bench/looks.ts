import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { runBackground } from '../../src/background/run.ts'
import { thumbHash } from '../../src/media/child/look.ts'
import { startDecoder } from '../../src/media/decoder/decoder.ts'
import { openLibrary, picture } from '../support/harness.ts'
import { CORPUS } from '../support/media/media.ts'
import { measure, printTable } from './measure.ts'

const FILES = 400
const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** Prints what it costs to keep how files look: for an upload, and for old files in the background. */
export async function bench(): Promise<void> {
  if (!existsSync(CORPUS)) {
    process.stdout.write('\nlooks: needs the corpus, left out\n')
    return
  }
  await benchUpload()
  await benchBackground()
}

async function benchUpload(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-looks-'))
  const decoder = startDecoder({ log: silent })
  const path = join(CORPUS, 'photos', 'Canon_40D.jpg')
  const large = join(CORPUS, 'near-duplicates', 'iphone_hdr_NO.jpg')
  const derive = (path: string) => () =>
    decoder.derive({ path, mime_type: 'image/jpeg', thumbnailPath: join(folder, 'x.jpg') })
  try {
    await derive(path)()
    const small = await sharp(large).resize(320).tiff({ compression: 'none' }).toBuffer()
    const rows = [
      {
        what: 'thumbhash alone',
        ...(await measure(() => thumbHash(sharp(small)), { budget: 1000 })),
      },
      {
        what: 'all of an upload, 8 megapixels',
        ...(await measure(derive(large), { budget: 2000 })),
      },
      {
        what: 'all of an upload, a tiny picture',
        ...(await measure(derive(path), { budget: 2000 })),
      },
    ]
    printTable('what the decoder makes of an upload', rows)
  } finally {
    await decoder.close()
    rmSync(folder, { recursive: true })
  }
}

async function benchBackground(): Promise<void> {
  const library = await openLibrary()
  try {
    const { token } = await library.join('ann', { can_create: true })
    for (let n = 0; n < FILES; n++) await library.upload(token, await picture(n))
    library.deps.db.run('DELETE FROM file_looks')
    const started = performance.now()
    await runBackground(library.deps).over
    const seconds = (performance.now() - started) / 1000
    printTable(`${FILES} old files with thumbnails`, [
      { what: 'looked at in the background', 'files/s': FILES / seconds },
    ])
  } finally {
    await library.close()
  }
}
