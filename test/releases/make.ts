import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { VERSION } from '../../src/base/version.ts'
import { copyTo } from '../../src/db/upkeep.ts'
import { openLibrary } from '../support/harness.ts'
import { LISTS } from './lists.ts'

// `npm run fixture` makes the library of this version, which is kept for those to come.

const FILES = 100

const library = await openLibrary()
const { token } = await library.join('Ann', { is_admin: true })
await library.join('Ben', { can_create: true })

async function call(method: string, path: string, body?: unknown): Promise<{ id: string }> {
  const answer = await library.call(method, path, { token, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
  return answer.body
}

const category = await call('POST', '/categories', { name: 'Places', color: '336699' })
const tags: { id: string }[] = []
for (const name of ['Sea', 'Árvíz', 'Mountains', 'Grandma', '山']) {
  tags.push(await call('POST', '/tags', { name, category_id: category.id }))
}
await call('POST', `/tags/${tags[0]!.id}/rules`, { then_tag_id: tags[2]!.id })
const files: string[] = []
for (let n = 0; n < FILES; n++) {
  library.time.now += 1000
  const color = { r: (n * 53) % 256, g: (n * 101) % 256, b: (n * 197) % 256 }
  const picture = sharp({ create: { width: 9, height: 7, channels: 3, background: color } })
  const bytes = await picture.webp({ quality: 1 }).toBuffer()
  const { body } = await library.upload(token, bytes, `Bild ${n} – 😀.webp`)
  files.push(body.id)
  if (n % 3 === 0) await call('PUT', `/files/${body.id}/tags`, { tag_ids: [tags[n % 5]!.id] })
}
const pool = await call('POST', '/pools', { name: 'Best' })
await call('POST', `/pools/${pool.id}/files`, { file_ids: files.filter((_, n) => n % 7 === 0) })
await call('PATCH', `/files/${files[1]}`, { notes: 'seen', metadata: { stars: 5 } })
await call('DELETE', `/files/${files[2]}`)
await call('POST', '/files/duplicates/dismiss', { file_id_a: files[3], file_id_b: files[4] })

const lists: Record<string, unknown> = {}
for (const path of LISTS) lists[path] = (await library.call('GET', path, { token })).body

const folder = mkdtempSync(join(tmpdir(), 'tagstead-release-'))
copyTo(library.deps.db, join(folder, 'tagstead.sqlite'))
writeFileSync(join(folder, 'lists.json'), JSON.stringify(lists))
execFileSync('cp', ['-r', join(library.folder, 'files'), folder])
const to = `test/releases/${VERSION}.tar.gz`
execFileSync('tar', ['-czf', to, '-C', folder, 'tagstead.sqlite', 'lists.json', 'files'])
rmSync(folder, { recursive: true })
await library.close()
process.stdout.write(`${to}: ${readFileSync(to).length} bytes\n`)
