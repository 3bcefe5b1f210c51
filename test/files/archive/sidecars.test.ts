import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hexToUuid } from '../../../src/db/columns.ts'
import { type Library, openLibrary, picture } from '../../support/harness.ts'
import { addStoredFiles } from '../../support/stored-files.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { unzippedBytes, withoutUnzip } from '../../support/zip.ts'

/** More than are read, or packed, at once. */
const FILES = 2500

let library: Library
let folder: string
const people: Record<string, { id: number; token: string }> = {}
const ids: string[] = []

before(async () => {
  library = await openLibrary()
  folder = mkdtempSync(join(tmpdir(), 'tagstead-sidecars-'))
  for (const name of ['ann', 'bob']) people[name] = await library.join(name, { can_create: true })
  const { token } = people.ann!
  const make = async (path: string, body: object) =>
    (await library.call('POST', path, { token, body })).body.id as string
  const tags = [
    await make('/tags', { name: 'Sea', is_public: true }),
    await make('/tags', { name: 'Hidden' }),
  ]
  const bytes = await picture()
  for (let n = 0; n < 3; n++) {
    const fields = { is_public: 'true', tag_ids: tags.join(), notes: `number ${n}` }
    ids.push((await library.upload(token, bytes, `${n}.jpg`, fields)).body.id)
  }
  const pool = await make('/pools', { name: 'Ours' })
  await library.call('POST', `/pools/${pool}/files`, { token, body: { file_ids: ids } })
})
after(async () => {
  await library.close()
  rmSync(folder, { recursive: true })
})

/** Downloads an archive of all files, and returns its bytes. */
async function archive(name: string, query: string): Promise<Uint8Array> {
  const { token } = people[name]!
  const asked = await library.call('POST', '/files/archive', { token, body: { file_ids: ids } })
  const path = `/files/archive?access_token=${asked.body.token}${query}`
  const response = await library.fetchRaw('GET', path)
  assert.equal(response.status, 200)
  const bytes = new Uint8Array(await response.arrayBuffer())
  assert.equal(Number(response.headers.get('Content-Length')), bytes.length)
  return bytes
}

function textOf(bytes: Uint8Array, name: string): string {
  const path = join(folder, 'one.zip')
  writeFileSync(path, bytes)
  return execFileSync('unzip', ['-p', path, name], { encoding: 'utf8' })
}

describe('an archive with sidecars', { skip: withoutUnzip }, () => {
  it('has one beside each file, with what the caller sees', async () => {
    const own = await archive('ann', '&sidecars=1')
    const names = unzippedBytes(own).map(({ name }) => name)
    assert.deepEqual(
      names,
      [0, 1, 2].flatMap((n) => [`${n}.jpg`, `${n}.jpg.xmp`]),
    )
    for (const n of [0, 1, 2]) {
      const text = textOf(own, `${n}.jpg.xmp`)
      assert.match(text, new RegExp(`number ${n}<`))
      assert.match(text, /Albums\/Ours/)
      assert.match(text, /Hidden/)
    }
    const text = textOf(await archive('bob', '&sidecars=1'), '1.jpg.xmp')
    assert.match(text, /<rdf:li>Sea<[\s\S]*number 1</)
    assert.doesNotMatch(text, /Hidden|Ours/)
  })

  it('has none unless they are asked for', async () => {
    assert.equal(unzippedBytes(await archive('ann', '')).length, 3)
    const { status } = await library.call('GET', '/files/archive?access_token=x&sidecars=yes')
    assert.ok([400, 401, 422].includes(status))
  })

  it('has long ones of many files', async () => {
    const { db } = library.deps
    const files = Array.from({ length: FILES - 3 }, (_, n) => ({
      ...{ name: `${n + 3}.mp4`, bytes: Buffer.from(`content ${n}`), owner: people.ann!.id },
    }))
    addStoredFiles(db, library, files)
    db.run(
      "UPDATE file_details SET notes = replace(hex(zeroblob(100)), '00', file_rid || ' ') WHERE file_rid > 3",
    )
    const rows = db.all<{ id: string }>(
      'SELECT hex(id) AS id FROM files WHERE rid > 3 ORDER BY rid',
    )
    ids.push(...rows.map(({ id }) => hexToUuid(id)))
    const whole = await archive('ann', '&sidecars=1')
    assert.equal(unzippedBytes(whole).length, 2 * FILES)
    for (const n of [3, 499, 500, FILES - 1]) {
      assert.match(textOf(whole, `${n}.mp4.xmp`), new RegExp(`>(${n + 1} ){100}<`))
    }
  })
})
