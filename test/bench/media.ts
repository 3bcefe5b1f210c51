import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { openLibrary } from '../support/harness.ts'
import { CORPUS } from '../support/media/media.ts'
import { pathsOf } from '../support/stored-files.ts'
import { signInToPage } from '../support/web-session.ts'
import { measure, measureOnce, printTable } from './measure.ts'

/**
 * Prints what it costs to make the larger thumbnails of camera pictures, and to send one that is there
 * by the cookie of the page and by a token.
 */
export async function bench(): Promise<void> {
  const folder = join(CORPUS, 'photos')
  if (!existsSync(folder)) {
    process.stdout.write('\nmedia: needs the corpus, left out\n')
    return
  }
  const library = await openLibrary({ ACCESS_TOKEN_TTL: '1d' })
  try {
    await library.addUser('Ann', { can_create: true })
    const { jar, media, access_token: token } = await signInToPage(library, 'Ann')
    const { db } = library.deps
    const names = readdirSync(folder).filter((name) => /\.jpe?g$/i.test(name))
    const ids: string[] = []
    for (const name of names.slice(0, 20)) {
      const { status, body } = await library.upload(token, readFileSync(join(folder, name)), name)
      if (status === 201) ids.push(body.id)
    }
    const blobs = db.all<{ blob: string }>('SELECT blob FROM file_details ORDER BY file_rid')
    for (const { blob } of blobs)
      await rm(pathsOf(library.deps).derivative('thumbnail640', blob), { force: true })

    // Not judged by the document here: that takes longer than the answer.
    const app = createApp(library.deps)
    const read = async (path: string, headers: Record<string, string>) => {
      const response = await app.request(path, { headers })
      if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
      return (await response.arrayBuffer()).byteLength
    }
    const bearer = { Authorization: `Bearer ${token}` }
    const make = { ms: [] as number[], bytes: 0 }
    for (const id of ids) {
      const { ms } = await measureOnce(async () => {
        make.bytes += await read(`/api/v1/files/${id}/thumbnail?size=640`, bearer)
      })
      make.ms.push(ms)
    }
    make.ms.sort((a, b) => a - b)
    printTable(`larger thumbnails of ${ids.length} camera pictures, made when asked for`, [
      {
        'ms p50': make.ms[make.ms.length >> 1]!,
        'ms longest': make.ms.at(-1)!,
        'kB each': make.bytes / ids.length / 1000,
      },
    ])

    const [id] = ids
    const page = jar.header('/web/media/x')
    const ways: [what: string, path: string, headers: Record<string, string>][] = [
      ['by token', `/api/v1/files/${id}/thumbnail`, bearer],
      ['by cookie', `/web/media/${media}/${id}/thumbnail`, page],
    ]
    const rows = []
    for (let round = 0; round < 2; round++) {
      for (const [what, path, headers] of ways) {
        const times = await measure(() => read(path, headers), { runs: 2000, budget: 1500 })
        if (round > 0) rows.push({ what, ...times })
      }
    }
    printTable('a thumbnail that is there', rows)
  } finally {
    await library.close()
  }
}
