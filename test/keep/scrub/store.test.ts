import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { findScrub } from '../../../src/keep/scrub/queries.ts'
import { scheduleScrub } from '../../../src/keep/scrub/schedule.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { contentsOf } from '../../support/contents.ts'
import { eventually } from '../../support/eventually.ts'
import { type Library, openLibrary, picture } from '../../support/harness.ts'

const DAY = 86_400_000

describe('a round of the scrub through a store', () => {
  let library: Library
  let contents: ReturnType<typeof contentsOf>
  before(async () => {
    library = await openLibrary({ CONTENTS: 's3' })
    contents = contentsOf(library)
    const ann = await library.join('Ann', { is_admin: true })
    for (let n = 0; n < 4; n++) await library.upload(ann.token, await picture(n), `${n}.jpg`)
  })
  after(() => library.close())

  const damages = () =>
    library.deps.db.all<{ blob: string; what: string }>(
      'SELECT blob, what FROM damages ORDER BY blob',
    )
  /** Runs what is due on another day, until a line of the log tells its end; returns what the store was asked for. */
  const work = async (days: number, isOver: () => boolean) => {
    library.time.now += days * DAY
    const { asked } = library.store!
    const before = asked.length
    const scrub = scheduleScrub(library.deps)
    try {
      await eventually(isOver)
    } finally {
      await scrub.stop()
    }
    return asked.slice(before).map(({ method, key }) => (key === '' ? 'list' : method))
  }
  const told = (message: RegExp) => library.logged.filter((one) => message.test(one.message)).length
  const isRoundOver = () => {
    const { now } = library.time
    return () => findScrub(library.deps.db)?.ended_at === now
  }
  const round = (days: number) => {
    library.time.now += days * DAY
    return work(0, isRoundOver())
  }

  it('reads nothing but its list', async () => {
    assert.deepEqual(await round(0), ['list'])
    assert.deepEqual(damages(), [])
  })

  it('asks three times for what the list has not, or has with another size', async () => {
    // What is last in a stretch is read again with nothing after it.
    const [gone, changed, , shorter] = contents.list()
    const [kept, whole] = [contents.read(gone!), contents.read(shorter!)]
    contents.remove(gone!)
    contents.write(shorter!, whole.subarray(1))
    contents.write(
      changed!,
      contents.read(changed!).map((byte) => byte ^ 1),
    )
    const asked = await round(30)
    // The list says the size of one at first; at last, all four are a sample of whether the store is the right one.
    assert.deepEqual(asked, ['list', ...Array(3 + 2 + 4).fill('HEAD')])
    const known = [
      { blob: gone!, what: 'missing' },
      { blob: shorter!, what: 'size' },
    ]
    assert.deepEqual(damages(), known)
    assert.equal(library.audit().filter(({ action }) => action === 'content_damaged').length, 2)
    // Only what is damaged is looked at before the next round.
    contents.write(gone!, kept)
    contents.write(shorter!, whole)
    const again = await work(1, () => damages().length === 0)
    assert.deepEqual(again, ['HEAD', 'GET', 'HEAD', 'GET'])
  })

  it('reads all contents where that is set, and no copies of them', async () => {
    const [blob] = contents.list()
    const kept = contents.read(blob!)
    const copy = dataFolder(library.folder).cachedContent(blob!)
    mkdirSync(dirname(copy), { recursive: true })
    writeFileSync(copy, kept)
    library.store!.objects.get(`photos/files/${blob!.slice(0, 2)}/${blob}`)!.bytes = kept.map(
      (byte) => byte ^ 1,
    ) as Buffer<ArrayBuffer>
    library.deps.config.isScrubReading = true
    assert.deepEqual(new Set(await round(30)), new Set(['list', 'GET', 'HEAD']))
    // The others have been changed before this, and nobody has noticed.
    const changed = damages().filter(({ what }) => what === 'sha256')
    assert.deepEqual(
      changed.map(({ blob }) => blob),
      contents.list().slice(0, 2),
    )
    library.deps.config.isScrubReading = false
    contents.write(blob!, kept)
    await round(30)
    // What was read as damaged is only well again once it is read so, each day.
    assert.deepEqual(damages(), changed.slice(1))
  })

  for (const status of [500, 403])
    it(`finds what the store itself can’t read or refuses (${status}), and goes on`, async () => {
      const { store, deps } = library
      const known = damages()
      const [, , broken] = contents.list()
      deps.config.isScrubReading = true
      store!.trouble = ({ method, key }) =>
        method === 'GET' && key.endsWith(broken!) ? status : undefined
      await round(30)
      assert.deepEqual(
        damages(),
        [...known, { blob: broken!, what: 'unreadable' }].toSorted((a, b) =>
          a.blob < b.blob ? -1 : 1,
        ),
      )
      // What is known to be damaged is read once a day.
      const isRead = ({ method, key }: { method: string; key: string }) =>
        method === 'GET' && key.endsWith(known[0]!.blob)
      const before = store!.asked.filter(isRead).length
      store!.trouble = () => undefined
      await work(1, () => damages().length === known.length)
      assert.equal(store!.asked.filter(isRead).length, before + 1)
      deps.config.isScrubReading = false
    })

  it('rests while contents are moved', async () => {
    const { deps } = library
    library.time.now += 30 * DAY
    let begun = 0
    const calm = async () => void begun++
    for (const oldPlace of [{ store: null }, null]) {
      const config = { ...deps.config, oldPlace }
      await scheduleScrub({ ...deps, config, activity: { ...deps.activity, calm } }).stop()
      assert.equal(begun > 0, oldPlace === null)
    }
  })

  it('says nothing of contents while the store is away, or is not the right one', async () => {
    const [store, known] = [library.store!, damages()]
    store.trouble = () => 503
    await work(30, () => told(/goes on later/) === 1)
    store.trouble = () => undefined
    const objects = new Map(store.objects)
    store.objects.clear()
    await work(1, () => told(/goes on later/) === 2)
    assert.match(String(library.logged.at(-1)?.fields?.reason), /Hardly any content is in s3:/)
    assert.deepEqual(damages(), known)
    for (const [key, object] of objects) store.objects.set(key, object)
    await round(1)
    assert.deepEqual(damages(), known)
  })
})
