import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readFolder } from '../../src/imports/entries.ts'
import { openImportFolder } from '../../src/imports/folder.ts'
import { youngLast } from '../../src/imports/rest.ts'
import { addSidecars } from '../../src/imports/sidecars.ts'
import { addTag } from '../support/files.ts'
import { picture } from '../support/harness.ts'
import { type Folders, openFolders } from '../support/import-folders.ts'
import { eventsOf, namesIn, putFile, runImport } from '../support/imports.ts'
import { jpegWith } from '../support/media/embedded.ts'
import { without } from '../support/media/media.ts'
import { after, beforeEach, describe, it } from '../support/test.ts'
import { xmpText } from '../support/xmp-text.ts'

let on: Folders
let kid: { id: number; token: string }
let seed = 0
// A library of its own for each test: tags have names of the whole library.
beforeEach(async () => {
  await on?.close()
  on = await openFolders()
  on.clear()
  kid = await on.library.join('kid', { can_create: true })
})
after(() => on.close())

type Options = Parameters<typeof runImport>[3]
const run = (options: Options = {}) =>
  runImport(on.library, on.admin, undefined, { keyword_tags: true, ...options })
const call = (method: string, path: string, token: string, body?: object) =>
  on.library.call(method, path, { token, body })
const get = async (path: string, token = on.admin) => (await call('GET', path, token)).body
/** Puts a picture into the folder, with a sidecar. */
async function put(name: string, said: Parameters<typeof xmpText>[0], sidecar = `${name}.xmp`) {
  seed++
  putFile(on.base, name, await picture(seed), seed)
  putFile(on.base, sidecar, xmpText(said), seed)
}
const newest = async (token = on.admin) => (await get('/files?limit=1', token)).items[0]
const namesOf = (file: { tags: { name: string }[] }) => file.tags.map(({ name }) => name).sort()
const newestTags = async () => namesOf(await newest())
const tagNamed = async (name: string, token = on.admin) =>
  (await get(`/tags?search=${encodeURIComponent(name)}`, token)).items.find(
    (tag: { name: string }) => tag.name === name,
  )
const rulesOf = async (tag: { id: string }) =>
  (await get(`/tags/${tag.id}/rules`)).map((rule: { then_tag_name: string }) => rule.then_tag_name)

describe('an import of sidecars', () => {
  it('gives trees, people, rating, label and caption, and removes them with the pictures', async () => {
    await put('a.jpg', {
      tags: ['Places/Italy/Rome'],
      subject: ['holiday'],
      people: ['Anna'],
      rating: 4,
      label: 'Red',
      caption: 'At the <sea> & beyond',
    })
    const events = await run()
    assert.deepEqual(
      events.map(({ filename, status, reason }) => [filename, status, reason]),
      [
        [undefined, undefined, undefined],
        ['a.jpg', 'imported', undefined],
        ['a.jpg.xmp', 'skipped', 'sidecar'],
        [undefined, undefined, undefined],
      ],
    )
    assert.deepEqual([events[0]!.total, events.at(-1)!.total], [2, 2])
    assert.deepEqual(namesIn(on.base), [])
    const file = await newest()
    assert.deepEqual(namesOf(file), ['Anna', 'Italy', 'Places', 'Red', 'Rome', 'holiday', '★★★★'])
    assert.equal(file.notes, 'At the <sea> & beyond')
    const inCategory = (name: string) =>
      file.tags.find((tag: { name: string }) => tag.name === name).category_name
    assert.deepEqual(['Anna', '★★★★', 'Red', 'Rome'].map(inCategory), [
      'People',
      'Rating',
      'Label',
      null,
    ])
    const rome = await tagNamed('Rome')
    assert.deepEqual(rome.metadata, { xmp_path: ['Places', 'Italy', 'Rome'] })
    assert.equal((await tagNamed('Places')).metadata, null)
    assert.deepEqual(await rulesOf(rome), ['Italy'])
    assert.deepEqual(await rulesOf(await tagNamed('Italy')), ['Places'])
  })

  it('is undone as one operation', async () => {
    await put('a.jpg', { tags: ['Places/Rome'], caption: 'x' })
    const body = { keyword_tags: true }
    const { text, ...rest } = await call('POST', '/files/import', on.admin, body)
    assert.equal(eventsOf({ text, ...rest }).at(-1)?.imported, 1)
    const { operation } = JSON.parse(text.trim().split('\n').at(-1)!)
    const undone = await call('POST', `/operations/${operation}/undo`, on.admin)
    assert.equal(undone.status, 200, undone.text)
    assert.equal((await get('/files?limit=1')).items.length, 0)
    assert.deepEqual(await rulesOf(await tagNamed('Rome')), [])
  })

  it('finds name.xmp only where one picture is called so, in any case of its ending', async () => {
    await put('a.jpg', { subject: ['one'] }, 'a.XMP')
    await put('b.jpg', { subject: ['two'] }, 'b.xmp')
    putFile(on.base, 'b.png', await picture(90), 100)
    const events = await run()
    const reasonOf = (name: string) => events.find(({ filename }) => filename === name)?.reason
    assert.equal(reasonOf('a.XMP'), 'sidecar')
    assert.notEqual(reasonOf('b.xmp'), 'sidecar')
    assert.deepEqual(namesIn(on.base), ['b.xmp'])
    assert.ok(await tagNamed('one'))
    assert.equal(await tagNamed('two'), undefined)
  })

  it('leaves them alone unless it is asked for', async () => {
    await put('a.jpg', { subject: ['unasked'] })
    await run({ keyword_tags: false })
    assert.deepEqual(namesIn(on.base), ['a.jpg.xmp'])
    assert.deepEqual(await newestTags(), [])
  })

  it('does not read one of more than a MiB, which stays', async () => {
    await put('a.jpg', { subject: ['x'.repeat(2 ** 20)] })
    const [, event] = await run()
    assert.equal(event?.reason, 'its sidecar is too large to be read, so that stays')
    assert.deepEqual(namesIn(on.base), ['a.jpg.xmp'])
  })

  it('leaves both where the sidecar changes meanwhile, and takes what is new the next time', async () => {
    await put('a.jpg', { subject: ['first'] })
    const { decoder } = on.library.deps
    const { deriveInTime } = decoder
    Object.assign(decoder, {
      deriveInTime(input: Parameters<typeof deriveInTime>[0]) {
        putFile(on.base, 'a.jpg.xmp', xmpText({ subject: ['first', 'second'] }), 50)
        return deriveInTime.call(decoder, input)
      },
    })
    const reasonOf = (events: Awaited<ReturnType<typeof run>>) =>
      events.find(({ filename }) => filename === 'a.jpg')?.reason
    assert.equal(reasonOf(await run()), 'its sidecar has changed meanwhile, so both stay')
    assert.deepEqual(namesIn(on.base), ['a.jpg', 'a.jpg.xmp'])
    assert.deepEqual(await newestTags(), ['first'])
    assert.match(reasonOf(await run())!, /^already imported; its sidecar has changed/)
    assert.deepEqual(await newestTags(), ['first', 'second'])
    assert.deepEqual(namesIn(on.base), [])
  })

  it('takes a picture last whose sidecar is young', async () => {
    await put('a.jpg', { subject: ['young'] })
    putFile(on.base, 'b.jpg', await picture(91), 200)
    const folder = await openImportFolder(on.library.deps.config, undefined)
    const entries = await readFolder(folder)
    await folder.close()
    addSidecars(entries)
    const sidecar = entries.find(({ name }) => name === 'a.jpg.xmp')!
    for (const entry of entries) entry.seen.ctimeMs = entry === sidecar ? Date.now() : 0
    const { entries: sorted, young } = youngLast(entries, 60_000)
    assert.deepEqual([sorted.at(-1)?.name, young], ['a.jpg', 1])
  })
})

describe('a level of a tree', () => {
  it('stands once for each parent', async () => {
    await put('a.jpg', { tags: ['France/Paris', 'Texas/Paris'] })
    await run()
    assert.deepEqual(await newestTags(), ['France', 'Paris', 'Paris (Texas)', 'Texas'])
    assert.deepEqual((await tagNamed('Paris (Texas)')).metadata, { xmp_path: ['Texas', 'Paris'] })
    await put('b.jpg', { tags: ['Texas/Paris'] })
    await run()
    assert.deepEqual(await newestTags(), ['Paris (Texas)', 'Texas'])
    assert.equal((await get('/tags?limit=1')).total, 4)
  })

  it('is counted where its name and the one above are no way to tell it apart', async () => {
    const countries = Array.from({ length: 300 }, (_, n) => `C${n}`)
    await put('a.jpg', { tags: countries.map((country) => `${country}/North/Town`) })
    await run()
    const names = await newestTags()
    const counted = (name: string) => Array.from({ length: 298 }, (_, n) => `${name} ${n + 2}`)
    const north = countries.map((country) => (country === 'C0' ? 'North' : `North (${country})`))
    const towns = ['Town', 'Town (North)', ...counted('Town (North)')]
    assert.deepEqual(names, [...countries, ...north, ...towns].sort())
  })

  it('takes a tag of its name that has no other path, and gives it this one', async () => {
    const rome = await addTag(on.library, kid.token, 'Rome')
    await put('a.jpg', { tags: ['Italy/rome'] })
    await run({ owner: kid.id })
    assert.deepEqual(await newestTags(), ['Italy', 'Rome'])
    const { metadata } = await get(`/tags/${rome.id}`)
    assert.deepEqual(metadata, { xmp_path: ['Italy', 'rome'] })
    assert.deepEqual(await rulesOf(rome), ['Italy'])
  })

  it("gets no rule on somebody else's tag: what is above is put on by hand", async () => {
    const mum = await on.library.join('mum', { can_create: true })
    const rome = await addTag(on.library, mum.token, 'Rome', { is_public: true })
    await put('a.jpg', { tags: ['Italy/Rome', 'Georgia/Rome'] })
    await run({ owner: kid.id })
    assert.deepEqual(await newestTags(), ['Georgia', 'Italy', 'Rome', 'Rome (Georgia)'])
    assert.deepEqual(await rulesOf(rome), [])
    assert.equal((await get(`/tags/${rome.id}`)).metadata, null)
    assert.equal((await tagNamed('Italy')).creator_name, 'kid')
  })

  it('gets no rule that would lead round in a circle', async () => {
    await put('a.jpg', { tags: ['One/Two'] })
    await put('b.jpg', { tags: ['Two/One'] })
    await run()
    assert.deepEqual(await rulesOf(await tagNamed('Two')), ['One'])
    assert.deepEqual(await rulesOf(await tagNamed('One')), [])
    assert.deepEqual(await newestTags(), ['One', 'Two'])
  })

  it('is a category where that is asked for of the top ones', async () => {
    await put('a.jpg', { tags: ['Places/Italy/Rome', 'alone'] })
    await run({ top_categories: true, public_tags: true })
    const file = await newest()
    assert.deepEqual(
      file.tags.map((tag: { name: string; category_name: string }) => [
        tag.name,
        tag.category_name,
      ]),
      [
        ['alone', null],
        ['Italy', 'Places'],
        ['Rome', 'Places'],
      ],
    )
    assert.deepEqual((await tagNamed('Italy')).metadata, { xmp_path: ['Places', 'Italy'] })
    const [category] = (await get('/categories')).items
    assert.deepEqual([category.name, category.is_public], ['Places', true])
  })
})

describe('a name of a tag that the owner may not view', () => {
  it("is the owner's own, once", async () => {
    const mum = await on.library.join('mum', { can_create: true })
    await addTag(on.library, mum.token, 'Oma')
    await call('POST', '/categories', mum.token, { name: 'Rating' })
    for (const name of ['a.jpg', 'b.jpg']) {
      await put(name, { subject: ['Oma'], rating: 5 })
      await run({ owner: kid.id })
      assert.deepEqual(namesOf(await newest(kid.token)), ['Oma (kid)', '★★★★★'])
    }
    const tag = await tagNamed('Oma (kid)', kid.token)
    assert.deepEqual(tag.metadata, { xmp_path: ['Oma'] })
    assert.equal((await tagNamed('★★★★★', kid.token)).category_name, 'Rating (kid)')
  })
})

describe('a dry run', () => {
  it('lists the tags, what they become, and makes nothing', async () => {
    const mum = await on.library.join('mum', { can_create: true })
    await addTag(on.library, mum.token, 'Oma')
    const rome = await addTag(on.library, mum.token, 'Rome', { is_public: true })
    // Its tag would have to store more than 4 KiB.
    const long = [...'abcdefghijklmnop'].map((letter) => letter.repeat(256))
    await put('a.jpg', { tags: ['France/Paris', 'Texas/Paris', 'Italy/Rome'], subject: ['Oma'] })
    await put('b.jpg', { tags: ['France/Paris', long.join('/')], rating: 1 })
    const before = await get('/tags?limit=100')
    const done = (await run({ dry_run: true, owner: kid.id })).at(-1)!
    assert.deepEqual(await get('/tags?limit=100'), before)
    assert.deepEqual(
      done.tags?.map(({ path, ...row }) => [path.join('/'), ...Object.values(row)]).sort(),
      [
        ['France', 'France', 2, true, null],
        ['France/Paris', 'Paris', 2, true, 'new_rule'],
        ['Italy', 'Italy', 1, true, null],
        ['Italy/Rome', 'Rome', 1, false, 'by_hand'],
        ['Oma', 'Oma (kid)', 1, true, null],
        ['Rating/★', '★', 1, true, null],
        ['Texas', 'Texas', 1, true, null],
        ['Texas/Paris', 'Paris (Texas)', 1, true, 'new_rule'],
      ],
    )
    assert.deepEqual(done.unfit, [{ path: long, files: 1 }])
    const { new_tags, more_tags, tags_after, most_tags } = done
    assert.deepEqual([new_tags, more_tags, tags_after, most_tags], [7, 0, 7, 10_000])
    const events = await run({
      owner: kid.id,
      leave_out: [['France'], ['Texas', 'Paris'], ['Rating']],
    })
    assert.equal(events.at(-1)?.imported, 2)
    const { items } = await get('/files?limit=2&sort=original_name&order=asc')
    assert.deepEqual(namesOf(items[0]), ['Italy', 'Oma (kid)', 'Rome', 'Texas'])
    assert.deepEqual(await rulesOf(rome), [])
  })
})

describe('a changed sidecar of a source that was left', () => {
  it('adds what is new in it, and nothing that a person took off', async () => {
    const options = { leave_sources: true }
    await put('a.jpg', { tags: ['Places/Rome', 'Places/Bari'], caption: 'first' })
    await run(options)
    const { id } = await newest()
    const taken = await tagNamed('Rome')
    await call('DELETE', `/files/${id}/tags/${taken.id}`, on.admin)
    await call('PATCH', `/files/${id}`, on.admin, { notes: null })
    const again = async () => (await run(options)).find(({ filename }) => filename === 'a.jpg')
    assert.equal((await again())?.reason, 'already imported')
    putFile(
      on.base,
      'a.jpg.xmp',
      xmpText({ tags: ['Places/Rome', 'Places/Pisa'], caption: 'second', rating: 3 }),
      7,
    )
    const event = await again()
    assert.deepEqual(
      [event?.status, event?.reason],
      ['skipped', 'already imported; its sidecar has changed, and the file got what is new'],
    )
    const file = await newest()
    assert.deepEqual(namesOf(file), ['Bari', 'Pisa', 'Places', '★★★'])
    assert.equal(file.notes, null)
    assert.equal((await again())?.reason, 'already imported')
    assert.ok(existsSync(join(on.base, 'a.jpg.xmp')))
  })
  it('stays with its picture while the system has no room to read it', {
    skip: without('prlimit', '--version'),
  }, async () => {
    await put('a.jpg', { tags: ['Old'] })
    await run({ leave_sources: true })
    putFile(on.base, 'a.jpg.xmp', xmpText({ tags: ['Old', 'New'] }), 7)
    const isReady = ({ message }: { message: string }) => message === 'decoder ready'
    const pids = on.library.logged.filter(isReady).map(({ fields }) => String(fields!.pid))
    const limitFiles = (limit: string) => {
      for (const pid of pids) execFileSync('prlimit', ['--pid', pid, `--nofile=${limit}:`])
    }
    const ask = ['--pid', pids[0]!, '--nofile', '-o', 'SOFT', '--noheadings']
    const usual = execFileSync('prlimit', ask).toString().trim()
    const reasonOf = async () => (await run()).find(({ filename }) => filename === 'a.jpg')?.reason
    limitFiles('3')
    const unread = 'its sidecar could not be read now, so both stay for the next import'
    assert.equal(await reasonOf(), `already imported; ${unread}`)
    assert.deepEqual(namesIn(on.base), ['a.jpg', 'a.jpg.xmp'])
    limitFiles(usual)
    const got = 'its sidecar has changed, and the file got what is new'
    assert.equal(await reasonOf(), `already imported; ${got}`)
    assert.deepEqual([namesIn(on.base), await newestTags()], [[], ['New', 'Old']])
  })
})

describe('an upload that asks for it', () => {
  const said = xmpText({ tags: ['Italy/Rome'], rating: 2, caption: 'own words' })
  const described = async () =>
    jpegWith(Buffer.from(await picture(99)), [
      [0xe1, 'http://ns.adobe.com/xap/1.0/\0', Buffer.from(said)],
    ])
  const upload = async (fields: Record<string, string>) =>
    (await on.library.upload(kid.token, await described(), 'x.jpg', fields)).body

  it('gives the file what it says of itself', async () => {
    const file = await upload({ keyword_tags: '1', public_tags: 'true' })
    assert.deepEqual(namesOf(file), ['Italy', 'Rome', '★★'])
    assert.equal(file.notes, 'own words')
    const { is_public, creator_name, metadata } = await tagNamed('Rome')
    assert.deepEqual(
      [is_public, creator_name, metadata],
      [true, 'kid', { xmp_path: ['Italy', 'Rome'] }],
    )
  })

  it('keeps the notes that it gives, and others get nothing', async () => {
    const file = await upload({ keyword_tags: '1', notes: 'given' })
    assert.equal(file.notes, 'given')
    const other = await upload({})
    assert.deepEqual([namesOf(other), other.notes], [[], null])
  })

  it('is refused with more tags than a file may have, levels included, before one is made', async () => {
    const levels = Array.from({ length: 16 }, (_, n) => `${n}`)
    const tags = Array.from({ length: 1000 }, (_, n) => [`a${n}`, ...levels.slice(1)].join('/'))
    const content = jpegWith(Buffer.from(await picture(98)), [
      [0xe1, 'http://ns.adobe.com/xap/1.0/\0', Buffer.from(xmpText({ tags }))],
    ])
    const { status, body } = await on.library.upload(kid.token, content, 'x.jpg', {
      keyword_tags: '1',
    })
    const message = 'A file may have at most 1000 tags, and would have 16000'
    assert.deepEqual([status, body.code, body.message], [409, 'conflict', message])
  })
})
