import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { File } from '../../../src/files/schema.ts'
import type { ImportEvent } from '../../../src/imports/schema.ts'
import { namesIn, putFile } from '../../support/imports.ts'
import { photograph } from '../../support/media/samples.ts'
import { runToEnd, type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { signIn } from '../../torture/upload.ts'

interface Page {
  items: { files: File[]; distances: { a: string; b: string; distance: number }[] }[]
  total: number
}

let server: SpawnedServer
let token: string
before(async () => {
  server = await spawnServer({ env: { DUPLICATE_RESCAN_INTERVAL: '0' } })
  token = await signIn(server)
})
after(() => server?.stop())

async function send(method: string, path: string, body?: unknown): Promise<Response> {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  assert.ok(response.ok, `${method} ${path}: ${response.status}`)
  return response
}

const call = async <T>(method: string, path: string, body?: unknown) =>
  (await (await send(method, path, body)).json()) as T

/** What stands in the import folder becomes files, oldest first. */
async function importAll(): Promise<string[]> {
  const lines = (await (await send('POST', '/files/import', {})).text()).trimEnd().split('\n')
  const events = lines.map((line): ImportEvent => JSON.parse(line))
  return events.flatMap((event) =>
    event.type === 'file' ? [`${event.filename} ${event.status}`] : [],
  )
}

/** The last line of the command. */
async function rescan(): Promise<string> {
  const { code, stdout, stderr } = await runToEnd(['rescan'], {
    env: { DATA_DIR: server.dataDir },
  })
  assert.deepEqual([code, stderr], [0, ''])
  const summary = stdout.trimEnd().split('\n').at(-1)!
  return summary.replace(/, in [\d.]+ seconds$/, '')
}

const listDuplicates = () => call<Page>('GET', '/files/duplicates')
const namesOf = ({ items }: Page) =>
  items.map(({ files }) => files.map((file) => file.original_name))
const idOf = (page: Page, name: string) =>
  page.items.flatMap(({ files }) => files).find((file) => file.original_name === name)!.id

const distanceOf = ({ items }: Page, id: string) =>
  items.flatMap(({ distances }) => distances).find(({ a, b }) => a === id || b === id)!.distance

const create = async (kind: 'tags' | 'pools', name: string) =>
  (await call<{ id: string }>('POST', `/${kind}`, { name })).id

describe('a day in a family', () => {
  it('is told by the import, the rescan, and what is decided of the duplicates', async () => {
    const folder = join(server.dataDir, 'import')
    const photos = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => photograph(number)))
    const moved = { left: 32, top: 24, width: 1568, height: 1176 }
    const bright = sharp(photos[2]).extract(moved).modulate({ brightness: 1.08 }).jpeg()
    const small = sharp(photos[0]).resize({ width: 200 }).webp({ quality: 60 })
    const pictures: Record<string, Uint8Array> = {
      ...Object.fromEntries(photos.map((path, n) => [`photo ${n + 1}.jpg`, readFileSync(path)])),
      'photo 3 HDR.jpg': await bright.toBuffer(),
      'photo 1 small.webp': await small.toBuffer(),
      'photo 2 again.jpg': readFileSync(photos[1]!),
    }
    const names = Object.keys(pictures)
    names.forEach((name, index) => {
      putFile(folder, name, Buffer.from(pictures[name]!), index)
    })
    assert.deepEqual(
      await importAll(),
      names.map((name) => `${name} imported`),
    )
    assert.deepEqual(namesIn(folder), [])
    assert.equal((await listDuplicates()).total, 0)

    const summary = `${names.length} files: 0 hashed now, 0 failed; 3 pairs in 3 clusters`
    assert.equal(await rescan(), summary)
    const found = await listDuplicates()
    const again = ['photo 2.jpg', 'photo 2 again.jpg']
    const hdr = ['photo 3.jpg', 'photo 3 HDR.jpg']
    const smaller = ['photo 1.jpg', 'photo 1 small.webp']
    assert.deepEqual(namesOf(found), [smaller, again, hdr])
    const [keep, discard] = smaller.map((name) => idOf(found, name)) as [string, string]
    const [without, withHdr] = hdr.map((name) => idOf(found, name)) as [string, string]
    const distance = distanceOf(found, without)
    assert.ok(distance > 0 && distance <= 8, String(distance))

    const [camera, beach, sea] = await Promise.all(
      ['camera', 'beach', 'sea'].map((name) => create('tags', name)),
    )
    await send('PUT', `/files/${keep}/tags`, { tag_ids: [camera] })
    await send('PUT', `/files/${discard}/tags`, { tag_ids: [beach] })
    const rule = { then_tag_id: sea, apply_to_existing: false }
    await send('POST', `/tags/${beach}/rules`, rule)
    const album = await create('pools', 'album')
    const file_ids = [without, discard, withHdr]
    await send('POST', `/pools/${album}/files`, { file_ids })
    await send('PATCH', `/files/${keep}`, { metadata: { by: 'Ann', place: 'home' } })
    await send('PATCH', `/files/${discard}`, { metadata: { by: 'Ben', printed: true } })

    await send('POST', '/files/duplicates/dismiss', { file_id_a: withHdr, file_id_b: without })
    const survivor = await call<File>('POST', '/files/duplicates/resolve', {
      keep,
      discard,
      fields: { tags: 'both', pools: 'both', metadata: 'merge' },
    })
    assert.equal(survivor.original_name, 'photo 1.jpg')
    assert.deepEqual(
      survivor.tags.map((tag) => tag.name),
      ['beach', 'camera', 'sea'],
    )
    assert.deepEqual(survivor.metadata, { by: 'Ann', place: 'home', printed: true })
    const { items } = await call<{ items: File[] }>('GET', `/pools/${album}/files`)
    assert.deepEqual(
      items.map((file) => file.id),
      [without, keep, withHdr],
    )
    const trash = await call<{ items: File[] }>('GET', '/files?trash=true')
    assert.deepEqual(
      trash.items.map((file) => file.id),
      [discard],
    )
    assert.deepEqual(namesOf(await listDuplicates()), [again])

    // The rescan finds all that is alike; what was decided of it stays.
    assert.equal(await rescan(), summary)
    assert.deepEqual(namesOf(await listDuplicates()), [again])
    await send('POST', `/files/${discard}/restore`)
    assert.deepEqual(namesOf(await listDuplicates()), [smaller, again])
  })
})
