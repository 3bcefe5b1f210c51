import assert from 'node:assert/strict'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { FindCopy } from '../../../src/keep/check/request.ts'
import { isInPart, parsePart } from '../../../src/keep/check/request.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import {
  assertFound,
  type Furnished,
  findingsOf,
  openFurnished,
  withLockedDatabase,
} from '../../support/checking.ts'
import { blobOf } from '../../support/files.ts'
import { picture } from '../../support/harness.ts'

describe('a check of contents', () => {
  let furnished: Furnished
  let blob: string
  let path: string
  let copies: string
  beforeEach(async () => {
    furnished = await openFurnished()
    const { library, files } = furnished
    blob = blobOf(library.deps.db, files[2]!)
    path = dataFolder(library.folder).content(blob)
    copies = mkdtempSync(join(tmpdir(), 'tagstead-copies-'))
    copyFileSync(path, join(copies, blob))
  })
  afterEach(async () => {
    await furnished.library.close()
    rmSync(copies, { recursive: true })
  })
  /** Another version of the content, of the same length. */
  const flip = (at: string) => {
    const bytes = readFileSync(at)
    bytes[bytes.length >> 1]! ^= 1
    writeFileSync(at, bytes)
  }
  const findCopy: FindCopy = async (wanted) => {
    const copy = join(copies, wanted.blob)
    return existsSync(copy) ? copy : null
  }

  const DAMAGE = {
    content_damaged: () => flip(path),
    content_size: () => truncateSync(path, 10),
    content_missing: () => rmSync(path),
    content_unreadable: () => {
      rmSync(path)
      // A folder in its place.
      copyFolder(path)
    },
  } as const
  const copyFolder = (at: string) => renameSync(mkdtempSync(join(copies, 'folder-')), at)

  for (const [kind, damage] of Object.entries(DAMAGE) as [keyof typeof DAMAGE, () => void][]) {
    it(`tells ${kind}, and without a copy keeps it as it is`, async () => {
      damage()
      const { library, files } = furnished
      const [found] = await assertFound(library, [{ kind, subject: blob, repaired: false }])
      assert.ok(found!.sentence.startsWith(`The content of the file ${files[2]} `))
      assert.ok(!found!.sentence.includes(library.folder))
      await assertFound(library, [{ kind, subject: blob, repaired: false }], { repair: true })
    })

    it(`puts a copy in the place after ${kind}`, async () => {
      const { library } = furnished
      damage()
      const kept = kind === 'content_damaged' ? readFileSync(path) : null
      const told = [{ kind, subject: blob, repaired: true }]
      await assertFound(library, told, { repair: true, findCopy })
      await assertFound(library, [])
      assert.deepEqual(readFileSync(path), readFileSync(join(copies, blob)))
      if (kept) assert.deepEqual(readFileSync(join(library.folder, 'lost+found', blob)), kept)
      const left = readdirSync(library.folder, { recursive: true }).map(String)
      assert.deepEqual(
        left.filter((name) => name.endsWith('.part')),
        [],
      )
    })
  }

  it('takes no copy that is damaged, too', async () => {
    truncateSync(path, 10)
    flip(join(copies, blob))
    const told = [{ kind: 'content_size', subject: blob, repaired: false }] as const
    const options = { repair: true, findCopy }
    const [found] = await assertFound(furnished.library, [...told], options)
    assert.match(found!.sentence, /the copy is damaged, too$/)
    assert.equal(readFileSync(path).length, 10)
  })

  it('takes no copy that is the same file', async () => {
    flip(path)
    rmSync(join(copies, blob))
    linkSync(path, join(copies, blob))
    const told = [{ kind: 'content_damaged', subject: blob, repaired: false }] as const
    const options = { repair: true, findCopy }
    const [found] = await assertFound(furnished.library, [...told], options)
    assert.match(found!.sentence, /the copy is the same file$/)
  })

  it('reads nothing when it is to be quick', async () => {
    flip(path)
    await assertFound(furnished.library, [], { read: 'none' })
    truncateSync(path, 10)
    const told = [{ kind: 'content_size', subject: blob, repaired: false }] as const
    await assertFound(furnished.library, [...told], { read: 'none' })
  })

  it('reads each content in one of the parts', async () => {
    flip(path)
    const told = await Promise.all(
      [1, 2, 3].map((number) => findingsOf(furnished.library, { read: { number, of: 3 } })),
    )
    assert.deepEqual(
      told.flat().map(({ subject }) => subject),
      [blob],
    )
    const first = Number.parseInt(blob.slice(0, 2), 16)
    const own = Math.floor((first * 3) / 256)
    if (Math.floor(((first + 1) * 3 - 0.001) / 256) === own) assert.equal(told[own]!.length, 1)
  })

  it('divides the contents into parts that miss none', () => {
    for (const of of [1, 2, 7, 30, 9999]) {
      for (const name of ['00000000', '7fffffff', '80000000', 'ffffffff', 'made 1']) {
        const parts = Array.from({ length: of }, (_, n) => ({ number: n + 1, of }))
        assert.equal(parts.filter((part) => isInPart(name, part)).length, 1, `${name} of ${of}`)
      }
    }
    assert.deepEqual(parsePart('08/31'), { number: 8, of: 31 })
    for (const text of ['0/3', '4/3', '1/0', '1', '1/', '-1/3', '1/3/4', '1.5/3', ' 1/3', '']) {
      assert.equal(parsePart(text), null, text)
    }
  })

  it('finds nothing in what is replaced or deleted while it looks', async () => {
    const { library, files, token } = furnished
    const { db } = library.deps
    // One after the other, each some turns after the check has begun, of which it reads the rows first.
    for (const [turns, file] of files.entries()) {
      const content = dataFolder(library.folder).content(blobOf(db, file))
      const looking = findingsOf(library)
      for (let turn = 0; turn < turns; turn++) await setImmediate()
      db.run('DELETE FROM files WHERE id = unhex(?)', file.replaceAll('-', ''))
      rmSync(content)
      assert.deepEqual(await looking, [], `after ${turns} turns`)
      assert.equal((await library.call('GET', `/files/${file}`, { token })).status, 404)
    }
  })

  it('leaves nothing aside of a content when the database takes no write', async () => {
    const { library } = furnished
    flip(path)
    const before = readFileSync(path)
    const told = [{ kind: 'content_damaged' as const, subject: blob, repaired: false }]
    const options = { repair: true, findCopy }
    const [found] = await withLockedDatabase(library, () => assertFound(library, told, options))
    assert.match(found!.sentence, /it is not replaced: database is locked$/)
    assert.deepEqual(readFileSync(path), before)
    assert.deepEqual(readdirSync(dataFolder(library.folder).lostAndFound), [])
    await assertFound(library, [{ ...told[0]!, repaired: true }], options)
  })

  it('tells which files others may open', async () => {
    const { library } = furnished
    const key = join(library.folder, 'secret.key')
    writeFileSync(key, 'x'.repeat(64))
    chmodSync(key, 0o644)
    chmodSync(join(library.folder, 'tagstead.sqlite'), 0o640)
    const before = join(library.folder, 'tagstead.sqlite.before-2.0.0')
    writeFileSync(before, '')
    chmodSync(before, 0o640)
    const folders = ['files', 'full', 'lost+found', 'previews', 'thumbnails', 'thumbnails640']
    for (const name of folders) {
      mkdirSync(join(library.folder, name), { recursive: true })
      chmodSync(join(library.folder, name), 0o755)
    }
    const names = ['secret.key', 'tagstead.sqlite', 'tagstead.sqlite.before-2.0.0', ...folders]
    const told = names.map((subject) => ({
      kind: 'file_mode' as const,
      subject,
      repaired: false,
    }))
    await assertFound(library, told)
    chmodSync(key, 0o600)
    chmodSync(join(library.folder, 'tagstead.sqlite'), 0o600)
    chmodSync(before, 0o600)
    // As it is for a decoder that is another user.
    for (const name of folders) chmodSync(join(library.folder, name), 0o710)
    await assertFound(library, [])
  })

  it('leaves off when it is told to', async () => {
    const stop = new AbortController()
    stop.abort()
    await assert.rejects(findingsOf(furnished.library, { signal: stop.signal }), /abort/i)
  })

  it('reads contents to their ends', async () => {
    const { library, token } = furnished
    const large = Buffer.concat([await picture(9), Buffer.alloc(3 * 2 ** 20, 1)])
    const { body } = await library.upload(token, large, 'large.jpg')
    await assertFound(library, [])
    const own = dataFolder(library.folder).content(blobOf(library.deps.db, body.id))
    const bytes = readFileSync(own)
    bytes[bytes.length - 1]! ^= 0x80
    writeFileSync(own, bytes)
    const told = await findingsOf(library)
    assert.deepEqual(
      told.map(({ kind }) => kind),
      ['content_damaged'],
    )
  })
})
