import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Library, picture } from '../../support/harness.ts'
import { putFile } from '../../support/imports.ts'
import { CORPUS } from '../../support/media/media.ts'
import type { Send } from './sender.ts'

const FOLDERS = ['photos', 'heic', 'tiff', 'video', 'odd-exif', 'broken']
/** How many files of each folder. */
const OF_EACH = 5
const RANGES = ['bytes=0-', 'bytes=-1', 'bytes=100-199', 'bytes=0-0,5-9,20-', 'bytes=999999999-']

/** Uploads, reads, replaces and imports files of the corpus, or pictures where it is missing. */
export async function useContents(library: Library, send: Send, tag: string): Promise<void> {
  const contents = [await picture(1), ...corpus()]
  for (const bytes of contents) {
    const fields = { notes: 'ä'.repeat(30_000), tag_ids: tag, is_public: 'true' }
    const { id, status } = await send('POST', '/files', { file: bytes, fields })
    await send('POST', '/files/similar?limit=200&distance=64', { file: bytes })
    if (status === 201) await readContents(send, id)
    if (status === 201) await send('PUT', `/files/${id}/content`, { file: contents[0]! })
  }
  const folder = join(library.folder, 'import')
  mkdirSync(folder, { recursive: true })
  for (const [index, bytes] of contents.entries()) {
    // Bytes after the end make a file that is not there yet.
    putFile(folder, `${index}.jpg`, Buffer.concat([bytes, Buffer.from('imported')]), index)
  }
  await send('POST', '/files/import', { body: {} })
}

async function readContents(send: Send, id: string): Promise<void> {
  const { token } = await send('POST', `/files/${id}/content-token`)
  await send('GET', `/files/${id}/content?inline=1&access_token=${token}`)
  for (const kind of ['content', 'thumbnail', 'preview']) {
    await send('GET', `/files/${id}/${kind}`)
    await send('HEAD', `/files/${id}/${kind}`)
    for (const Range of RANGES) await send('GET', `/files/${id}/${kind}`, { headers: { Range } })
  }
}

function corpus(): Uint8Array[] {
  return FOLDERS.map((folder) => join(CORPUS, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .slice(0, OF_EACH)
        .map((name) => join(folder, name)),
    )
    .map((path) => readFileSync(path))
}
