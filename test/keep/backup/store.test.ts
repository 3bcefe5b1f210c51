import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openDatabase } from '../../../src/db/client.ts'
import { write } from '../../../src/db/write.ts'
import { scheduleRemovals } from '../../../src/files/content/removals.ts'
import { findPlaces, setPlaces } from '../../../src/files/content/store-queries.ts'
import { backUp, forgetFolder, lockBackups } from '../../../src/keep/backup/backup.ts'
import { copiedSource, generationSource, restore } from '../../../src/keep/backup/restore.ts'
import { verifyBackup } from '../../../src/keep/backup/verify.ts'
import { checkLibrary } from '../../../src/keep/check/check.ts'
import { openToCheck } from '../../../src/keep/check/open.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { damaged, filesIn, manifestOf, sha256 } from '../../support/backups.ts'
import { blobOf } from '../../support/files.ts'
import { type Library, openLibrary, picture } from '../../support/harness.ts'
import { temporaryFolder } from '../../support/media/media.ts'
import { openSmallS3, type SmallS3 } from '../../support/s3/small-s3.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 10, 1, 3)

let library: Library
let token: string
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let dir: string
let seed = 0
// As a command makes its files.
const mask = process.umask(0o077)
before(async () => {
  library = await openLibrary({ CONTENTS: 's3', DISK_RESERVE: '0' })
  token = (await library.join('Ann', { is_admin: true, can_create: true })).token
  folder = await temporaryFolder()
})
after(async () => {
  process.umask(mask)
  await library.close()
  await folder.remove()
})
beforeEach(() => {
  dir = join(folder.path, `backups-${seed++}`)
  library.deps.db.run('DELETE FROM kept_generations')
})

const { signal } = new AbortController()
const quiet = { signal, onProgress: () => {} }
const upload = async () => {
  const bytes = await picture(seed++)
  const { id } = (await library.upload(token, bytes)).body
  return { id, bytes, blob: blobOf(library.deps.db, id) }
}
const purge = async (id: string) => {
  for (const path of [`/files/${id}`, `/files/${id}/permanent`]) {
    assert.equal((await library.call('DELETE', path, { token })).status, 204)
  }
}
const objectOf = (blob: string, { objects }: SmallS3 = library.store!) =>
  objects.get(`photos/files/${blob.slice(0, 2)}/${blob}`)
const sweep = () => scheduleRemovals(library.deps).stop()

interface How {
  isDatabaseOnly?: boolean
  isLinking?: boolean
  isFull?: boolean
  isHome?: boolean
  day?: number
  days?: number
  to?: string
  onProgress?: Parameters<typeof backUp>[1]
}
async function make({ to = dir, day = 0, days = 7, isHome, onProgress, ...how }: How = {}) {
  const config = { ...library.deps.config, ...(isHome && { store: null }) }
  const lock = lockBackups(config)
  try {
    const request = {
      ...{ config, dir: to, retained: { days, weeks: 0, months: 0 }, withSecret: false, signal },
      ...{ isDatabaseOnly: false, isLinking: false, isFull: false, now: START + day * DAY },
      ...how,
    }
    return await backUp(request, onProgress)
  } finally {
    lock.release()
  }
}
const makeOfDatabase = (how: How = {}) => make({ ...how, isDatabaseOnly: true })
const restoreTo = (
  to: string,
  source: Parameters<typeof restore>[1],
  { store = library.store!.settings as typeof library.deps.config.store, isLacking = false } = {},
) => restore({ dataDir: to, store }, source, { ...quiet, isLacking })
const newest = (at?: string) => generationSource(dir, { at, withSecret: false })
const newFolder = () => join(folder.path, `restored-${seed++}`)

async function findingsIn(dataDir: string, store = library.deps.config.store) {
  const config = { ...library.deps.config, dataDir, store }
  const options = { read: 'all', repair: false, signal } as const
  const db = openToCheck(config, options)
  assert.ok('close' in db)
  try {
    const found: string[] = []
    for await (const event of checkLibrary({ ...library.deps, db, config }, options)) {
      if (event.type === 'finding') found.push(`${event.kind} ${event.subject}`)
    }
    return found
  } finally {
    db.close()
  }
}

describe('a backup of the database alone', () => {
  it('has no contents, says so, and is verified', async () => {
    await upload()
    const asked = library.store!.asked.length
    const { generation, database_only, copied, missing } = await makeOfDatabase()
    assert.deepEqual([database_only, copied, missing], [true, 0, []])
    assert.equal(library.store!.asked.length, asked)
    assert.deepEqual(filesIn(dir), [
      `generations/${generation}/database`,
      `generations/${generation}/manifest`,
      'lock',
    ])
    const { head, lines } = manifestOf(dir, generation)
    assert.deepEqual([head.format, lines], [2, []])
    assert.deepEqual((await verifyBackup({ dir, signal }, () => {})).findings, [])
    const database = join(dir, 'generations', generation, 'database')
    writeFileSync(database, damaged(Buffer.alloc(4096)))
    const { findings } = await verifyBackup({ dir, signal }, () => {})
    assert.deepEqual(
      findings.map(({ subject }) => subject),
      [`generations/${generation}/database`],
    )
  })

  it('keeps what it names until it is outdated: a restore has it', async () => {
    const [before, kept] = [await upload(), await upload()]
    await purge(before.id)
    assert.equal(objectOf(before.blob), undefined)
    await makeOfDatabase()
    await purge(kept.id)
    await sweep()
    assert.ok(objectOf(kept.blob))
    const later = await upload()
    await makeOfDatabase({ day: 1 })
    await purge(later.id)
    await sweep()
    assert.ok(objectOf(kept.blob) && objectOf(later.blob))

    const [first] = readdirSync(join(dir, 'generations')).sort()
    const to = newFolder()
    const restored = await restoreTo(to, await newest(first))
    assert.deepEqual([restored.missing, restored.damaged], [[], []])
    // What came later belongs to no file there.
    assert.deepEqual(await findingsIn(to), [`content_unknown ${later.blob}`])
    // What is removed there must stay for both.
    const db = openDatabase(join(to, 'tagstead.sqlite'))
    const named = db.all<{ blob: string }>('SELECT blob FROM file_details').map(({ blob }) => blob)
    assert.ok(named.includes(kept.blob) && !named.includes(later.blob))
    assert.equal(db.all('SELECT 1 FROM kept_generations WHERE folder = ?', dir).length, 2)
    db.close()

    const { removed } = await makeOfDatabase({ day: 2, days: 2 })
    assert.deepEqual(removed, [first])
    await sweep()
    assert.equal(objectOf(kept.blob), undefined)
    assert.ok(objectOf(later.blob))
    forgetFolder(library.deps.config, dir)
    await sweep()
    assert.equal(objectOf(later.blob), undefined)
    assert.throws(() => forgetFolder(library.deps.config, dir), /and for none in/)
  })

  for (const [when, step] of [
    ['just before', 0],
    ['just after', 1],
  ] as const) {
    it(`keeps what is removed ${when} the database is copied, if it names that`, async () => {
      const { id, blob } = await upload()
      let purged: Promise<void> | undefined
      const { generation } = await makeOfDatabase({
        onProgress(stage, done) {
          if (stage === 'database' && done === step) purged = purge(id)
        },
      })
      await purged
      await sweep()
      const copy = openDatabase(join(dir, 'generations', generation, 'database'), {
        journal: 'delete',
      })
      const isNamed = copy.get('SELECT 1 FROM file_details WHERE blob = ?', blob) !== undefined
      copy.close()
      assert.ok(isNamed || step === 0)
      assert.equal(objectOf(blob) !== undefined, isNamed)
    })
  }

  it('is not restored when that is stopped while the store is listed', async () => {
    await upload()
    await makeOfDatabase()
    const [ending, to, store] = [new AbortController(), newFolder(), library.store!]
    store.trouble = ({ key }) => void (key === '' && ending.abort(new Error('stopped')))
    const request = { ...quiet, isLacking: false, signal: ending.signal }
    const stopped = restore({ dataDir: to, store: store.settings }, await newest(), request)
    await assert.rejects(stopped, /stopped/)
    store.trouble = () => undefined
    assert.equal(existsSync(join(to, 'tagstead.sqlite')), false)
    assert.deepEqual((await restoreTo(to, await newest())).missing, [])
  })

  it('keeps what is removed after it, whatever the clock says', async () => {
    const { id, blob } = await upload()
    const at = '2026-11-01T03-00-00.000Z'
    await makeOfDatabase({ to: join(folder.path, 'first') })
    await assert.rejects(make({ isLinking: true }), /can not be linked/)
    const { generation } = await makeOfDatabase()
    // Two folders at one moment: times are never the same.
    assert.ok(generation > at)
    await purge(id)
    await sweep()
    assert.ok(objectOf(blob))
    forgetFolder(library.deps.config, join(folder.path, 'first'))
    await sweep()
    assert.ok(objectOf(blob))
    forgetFolder(library.deps.config, dir)
    await sweep()
    assert.equal(objectOf(blob), undefined)
  })

  it('keeps what it names of an upload whose commit seemed to have failed', async () => {
    const { db } = library.deps
    const { run } = db
    db.run = (statement, ...values) => {
      const changes = run.call(db, statement, ...values)
      if (statement !== 'COMMIT') return changes
      db.run = run
      throw new Error('the disk does not answer')
    }
    const known = new Set(library.store!.objects.keys())
    assert.equal((await library.upload(token, await picture(seed++))).status, 500)
    const key = [...library.store!.objects.keys()].find((name) => !known.has(name))!
    const blob = key.slice(-32)
    const { id } = db.get<{ id: string }>(
      'SELECT lower(hex(id)) AS id FROM files JOIN file_details ON rid = file_rid WHERE blob = ?',
      blob,
    )!
    await makeOfDatabase()
    await purge(id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'))
    await upload()
    assert.ok(objectOf(blob))
    forgetFolder(library.deps.config, dir)
    await sweep()
    assert.equal(objectOf(blob), undefined)
  })

  it('is not made with another CONTENTS than the server has, so that it keeps what it names', async () => {
    library.deps.db.run("UPDATE library SET place = 's3://family/photos'")
    await assert.rejects(makeOfDatabase({ isHome: true }), /in s3:.* and CONTENTS is local/)
    assert.equal(existsSync(dir), false)
    await makeOfDatabase()
    library.deps.db.run('UPDATE library SET place = NULL')
  })

  it('keeps what it names after that was moved into the data folder, as none made there does', async () => {
    const kept = () => library.deps.db.all('SELECT made_at FROM kept_generations').length
    await makeOfDatabase()
    await makeOfDatabase({ day: 1, isHome: true })
    assert.equal(kept(), 1)
    await makeOfDatabase({ day: 2, days: 1, isHome: true })
    assert.equal(kept(), 0)
  })

  it('is restored only where the store has all that it names, unless one wants to go on', async () => {
    const [gone, cut, whole] = [await upload(), await upload(), await upload()]
    await makeOfDatabase()
    const object = objectOf(cut.blob)!
    const { bytes } = object
    object.bytes = bytes.subarray(1)
    const key = `photos/files/${gone.blob.slice(0, 2)}/${gone.blob}`
    const lost = library.store!.objects.get(key)!
    library.store!.objects.delete(key)
    const to = newFolder()
    await assert.rejects(restoreTo(to, await newest()), (error: Error) => {
      assert.match(error.message, /2 are missing or have another size/)
      assert.ok(error.message.includes(`${gone.blob} is missing`))
      assert.ok(error.message.includes(`${cut.blob} has another size`))
      return true
    })
    assert.deepEqual(filesIn(to), ['lock'])
    const { missing, damaged } = await restoreTo(to, await newest(), { isLacking: true })
    assert.deepEqual([missing, damaged], [[gone.blob], [cut.blob]])
    object.bytes = bytes
    library.store!.objects.set(key, lost)
    assert.deepEqual(await findingsIn(to), [])
    assert.ok(objectOf(whole.blob))
  })

  it('is restored neither without a store, nor where another library has its contents', async () => {
    const { generation } = await makeOfDatabase()
    const to = newFolder()
    await assert.rejects(restoreTo(to, await newest(), { store: null }), /CONTENTS must name/)
    assert.equal(existsSync(to), false)
    const other = await openSmallS3()
    try {
      other.objects.set('photos/files/.library', {
        ...{ bytes: Buffer.from('ab'.repeat(16)), etag: '', sha256: undefined },
      })
      const elsewhere = restoreTo(to, await newest(), { store: other.settings })
      await assert.rejects(elsewhere, /has the contents of another library/)
    } finally {
      await other.close()
    }
    const database = join(dir, 'generations', generation, 'database')
    const { missing } = await restoreTo(to, copiedSource(database, null))
    assert.deepEqual(missing, [])
  })
})

describe('a backup of contents in a store', () => {
  it('reads each once, and tells what the store has not as it was stored', async () => {
    const [one, other] = [await upload(), await upload()]
    const first = await make()
    assert.deepEqual([first.missing, first.database_only], [[], false])
    assert.equal(first.copied, first.contents)
    const inBackup = (blob: string) => join(dir, 'contents', blob.slice(0, 2), blob)
    assert.deepEqual(filesIn(join(dir, 'contents')).length, first.contents)
    const later = await upload()
    const asked = library.store!.asked.length
    const second = await make({ day: 1 })
    assert.equal(second.copied, 1)
    const read = library.store!.asked.slice(asked).filter(({ headers }) => headers.range)
    assert.deepEqual(
      read.map(({ key }) => key),
      ['photos/files/.library', `photos/files/${later.blob.slice(0, 2)}/${later.blob}`],
    )
    assert.deepEqual((await verifyBackup({ dir, signal }, () => {})).findings, [])
    // Damaged in the store, and gone; the backup has one of them.
    objectOf(one.blob)!.bytes = Buffer.from(damaged(objectOf(one.blob)!.bytes))
    const key = `photos/files/${other.blob.slice(0, 2)}/${other.blob}`
    library.store!.objects.delete(key)
    for (const { blob } of [one, other]) rmSync(inBackup(blob))
    const third = await make({ day: 2 })
    assert.deepEqual(third.missing, [one.blob, other.blob].sort())
    objectOf(one.blob)!.bytes = Buffer.from(one.bytes)
    await library.call('DELETE', `/files/${other.id}`, { token })
    await library.call('DELETE', `/files/${other.id}/permanent`, { token })
    library.store!.trouble = ({ key }) => (key.endsWith(one.blob) ? 503 : undefined)
    await assert.rejects(make({ day: 3 }), /does not answer/)
    library.store!.trouble = () => undefined
    const fourth = await make({ day: 3 })
    assert.deepEqual(fourth.missing, [])
  })

  it('is restored into a store, which keeps what it has already', async () => {
    const { blob, bytes } = await upload()
    const { contents } = await make()
    const other = await openSmallS3()
    try {
      const half = newFolder()
      other.trouble = ({ method, key }) =>
        method === 'PUT' && key.endsWith(blob) ? 503 : undefined
      await assert.rejects(restoreTo(half, await newest(), { store: other.settings }))
      other.trouble = () => undefined
      const there = other.objects.size
      const asked = other.asked.length
      const restored = await restoreTo(half, await newest(), { store: other.settings })
      assert.deepEqual([restored.contents, restored.missing], [contents, []])
      const puts = other.asked.slice(asked).filter(({ method }) => method === 'PUT')
      assert.deepEqual([puts.length, other.objects.size], [contents - there, contents])
      assert.equal(sha256(objectOf(blob, other)!.bytes), sha256(bytes))
      assert.deepEqual(await findingsIn(half, other.settings), [])
    } finally {
      await other.close()
    }
  })

  it('is restored into a data folder as well', async () => {
    const { blob, bytes } = await upload()
    const record = (place: string | null) =>
      write(library.deps.db, { now: START }, (tx) => setPlaces(tx, { place, old_place: null }))
    record('s3://family/photos')
    await make()
    record(null)
    const to = newFolder()
    const { missing } = await restoreTo(to, await newest(), { store: null })
    assert.deepEqual(missing, [])
    const db = openDatabase(dataFolder(to).database)
    // No place of before, whose settings a server there would need.
    assert.deepEqual(Object.values(findPlaces(db)), [null, null])
    db.close()
    assert.deepEqual(await findingsIn(to, null), [])
    const path = filesIn(join(to, 'files')).find((name) => name.endsWith(blob))!
    assert.deepEqual(readFileSync(join(to, 'files', path)), Buffer.from(bytes))
  })
})
