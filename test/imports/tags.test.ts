import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { addTag } from '../support/files.ts'
import { picture } from '../support/harness.ts'
import { type Folders, openFolders } from '../support/import-folders.ts'
import { eventsOf, putFile, rest, runImport } from '../support/imports.ts'
import { without } from '../support/media/media.ts'
import { after, before, beforeEach, describe, it } from '../support/test.ts'

let on: Folders
before(async () => {
  on = await openFolders()
})
after(() => on.close())
beforeEach(() => on.clear())

const run = (options: Parameters<typeof runImport>[3], path?: string) =>
  runImport(on.library, on.admin, path, { recursive: true, ...options })
const get = async (path: string) => (await on.library.call('GET', path, { token: on.admin })).body
/** Returns the names of the tags of the newest file, in order. */
const newestTags = async (): Promise<string[]> =>
  (await get('/files?limit=1')).items[0].tags.map((tag: { name: string }) => tag.name).sort()
const tagCount = async () => (await get('/tags?limit=1')).total
/** Puts a picture into a folder below the import folder. */
const put = async (folder: string, seed: number) =>
  putFile(on.fill(folder, 0), `${seed}.jpg`, await picture(seed))

describe('tags of folders', () => {
  it('are those of all that lead from the imported one to a file, and are made once', async () => {
    await put('2019/Rome', 1)
    await put('2019', 2)
    putFile(on.base, 'direct.jpg', await picture(3))
    await run({ folder_tags: true })
    const files = (await get('/files?limit=3&sort=original_name&order=asc')).items
    assert.deepEqual(
      files.map((file: { original_name: string; tags: { name: string }[] }) => [
        file.original_name,
        file.tags.map(({ name }) => name).sort(),
      ]),
      [
        ['1.jpg', ['2019', 'Rome']],
        ['2.jpg', ['2019']],
        ['direct.jpg', []],
      ],
    )
    assert.equal(await tagCount(), 2)
    await put('2019/Rome', 4)
    await run({ folder_tags: true }, '2019')
    assert.deepEqual(await newestTags(), ['Rome'])
    const [tag] = (await get('/tags?search=Rome')).items
    assert.deepEqual([tag.is_public, tag.creator_name], [false, 'ada'])
  })

  it('are public if that is asked for, except those that were there before', async () => {
    await put('seen', 15)
    await run({ folder_tags: true })
    await put('seen/by all', 16)
    await run({ folder_tags: true, public_tags: true })
    assert.deepEqual(await newestTags(), ['by all', 'seen'])
    const { token } = await on.library.join('otto')
    const shown = (await on.library.call('GET', '/tags', { token })).body.items
    assert.deepEqual(
      shown.map((tag: { name: string; is_public: boolean }) => [tag.name, tag.is_public]),
      [['by all', true]],
    )
  })

  it('are not given unless they are asked for', async () => {
    await put('unasked', 5)
    await run({})
    assert.deepEqual(await newestTags(), [])
    assert.deepEqual((await get('/tags?search=unasked')).items, [])
  })

  it('take a tag of that name first, then the oldest in another case, with what follows', async () => {
    const { token } = await on.library.join('uma', { can_create: true })
    const sea = await addTag(on.library, token, 'SEA')
    const water = await addTag(on.library, token, 'Water')
    const rule = { then_tag_id: water.id }
    await on.library.call('POST', `/tags/${sea.id}/rules`, { token, body: rule })
    await put('Sea', 6)
    await run({ folder_tags: true })
    assert.deepEqual(await newestTags(), ['SEA', 'Water'])
    await addTag(on.library, token, 'Sea')
    await put('Sea', 7)
    await run({ folder_tags: true })
    assert.deepEqual(await newestTags(), ['Sea'])
    await put('sea', 8)
    await run({ folder_tags: true })
    assert.deepEqual(await newestTags(), ['SEA', 'Water'])
  })

  it('are left out, with a warning, where no tag may have such a name', async () => {
    await put('a\nb', 9)
    await put('plain', 10)
    const events = await run({ folder_tags: true })
    assert.deepEqual(
      events.slice(1, -1).map(({ status, reason }) => [status, reason]),
      [
        ['imported', 'no tag may be named "a\\nb"'],
        ['imported', undefined],
      ],
    )
  })

  it('are part of the operation: its undo keeps those that files in the trash carry', async () => {
    await put('undone', 11)
    const body = { recursive: true, folder_tags: true }
    const answer = await on.library.call('POST', '/files/import', { token: on.admin, body })
    assert.equal(eventsOf(answer).at(-1)?.imported, 1)
    const { operation } = JSON.parse(answer.text.trim().split('\n').at(-1)!)
    const entries: { action: string; operation: number }[] = (await get('/audit?limit=10')).items
    assert.deepEqual(
      entries.filter((entry) => entry.operation === operation).map(({ action }) => action),
      ['file_create', 'tag_create'],
    )
    const path = `/operations/${operation}/undo`
    const undone = await on.library.call('POST', path, { token: on.admin })
    assert.deepEqual([undone.status, undone.body.undone], [200, 1])
    const { items } = await get('/files?trash=true&limit=1')
    assert.deepEqual(
      items[0].tags.map((tag: { name: string }) => tag.name),
      ['undone'],
    )
  })
})

describe('tags of keywords', { skip: without('exiftool', '-ver') }, () => {
  it('are those of IPTC and XMP, beside those of folders, each once', async () => {
    const path = await put('beach', 12)
    const given = ['-IPTC:Keywords=Summer', '-XMP-dc:Subject=Beach', '-XMP-dc:Subject=été']
    execFileSync('exiftool', [
      '-q',
      '-overwrite_original',
      '-codedcharacterset=utf8',
      ...given,
      path,
    ])
    rest(path)
    await run({ folder_tags: true, keyword_tags: true })
    assert.deepEqual(await newestTags(), ['Summer', 'beach', 'été'])
  })

  it('are not given unless they are asked for, and warn of too long ones', async () => {
    const long = 'x'.repeat(300)
    const given = [`-XMP-dc:Subject=${long}`, '-XMP-dc:Subject=short', `-XMP-dc:Subject=${long}y`]
    const fill = async (seed: number) => {
      const path = putFile(on.base, `${seed}.jpg`, await picture(seed))
      execFileSync('exiftool', ['-q', '-overwrite_original', ...given, path])
      rest(path)
    }
    await fill(13)
    await run({})
    assert.deepEqual(await newestTags(), [])
    await fill(14)
    const events = await run({ keyword_tags: true })
    const reason = '2 keywords left out, too many or too long'
    assert.deepEqual([events[1]!.status, events[1]!.reason], ['imported', reason])
    assert.deepEqual(await newestTags(), ['short'])
  })
})
