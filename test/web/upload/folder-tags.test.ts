import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../../../src/gallery/base/error.ts'
import { ownName, tagFinder } from '../../../src/gallery/tag-box/match.ts'
import { createFolderTags } from '../../../src/gallery/upload/folder-tags.ts'

/** A server with tags, which refuses some names. */
function open(names: string[], refused: Record<string, number> = {}) {
  const tags = names.map((name, place) => ({ id: `id ${place}`, name }))
  const made: string[] = []
  /** Those that were made elsewhere, which are told when they are asked for. */
  const elsewhere: typeof tags = []
  let reloads = 0
  const folderTags = createFolderTags({
    find: (name) => tagFinder(tags)(name),
    holds: (wanted) => tags.some(({ id }) => id === wanted),
    async make(name) {
      made.push(name)
      const status = refused[name]
      if (status) throw new ApiError(status, 'code')
      const id = `id ${tags.length}`
      tags.push({ id, name })
      return id
    },
    ownName: (name, taken) => ownName(name, 'kid', taken),
    async reload() {
      reloads++
      tags.push(...elsewhere.splice(0))
    },
  })
  return { folderTags, tags, elsewhere, made, refused, reloads: () => reloads }
}

describe('the tag of a name', () => {
  it('is the one that is written so, else the oldest in upper and lower case', () => {
    const named = [
      ['3', 'ROME'],
      ['2', 'rome'],
      ['1', 'Rom'],
      ['4', 'Été'],
      ['5', 'Strasse'],
    ] as const
    const find = tagFinder(named.map(([id, name]) => ({ id, name })))
    assert.equal(find('ROME'), '3')
    assert.equal(find('Rome'), '2')
    assert.equal(find(' Rome '), '2')
    // As macOS writes names of folders.
    assert.equal(find('été'.normalize('NFD')), '4')
    // With other letters or accents, it is another name.
    assert.equal(find('ete'), undefined)
    assert.equal(find('Straße'), undefined)
  })
})

describe('tags of folders', () => {
  it('are none until that is chosen', async () => {
    const { folderTags, made } = open(['Rome'])
    folderTags.note([{ file: new File([], 'a'), folders: ['Trip', 'Rome'] }])
    await folderTags.prepare(['Trip', 'Rome'])
    assert.deepEqual(folderTags.names.value, ['Trip', 'Rome'])
    assert.deepEqual(folderTags.tagsOf({ folders: ['Rome'] }), [])
    assert.deepEqual(made, [])
  })

  it('are those that there are, and the others are made, one for a name in any case', async () => {
    const { folderTags, made } = open(['rome'])
    folderTags.choose(true)
    await Promise.all([folderTags.prepare(['Trip', 'Rome']), folderTags.prepare(['TRIP', 'Oslo'])])
    assert.deepEqual(made, ['Trip', 'Oslo'])
    assert.deepEqual(folderTags.tagsOf({ folders: ['TRIP', 'Rome'] }), ['id 1', 'id 0'])
    folderTags.clear()
    assert.deepEqual(folderTags.tagsOf({ folders: ['trip', 'Rome'] }), [])
    assert.equal(folderTags.isOn.value, false)
  })

  it('stay the same when these are called otherwise, and are made anew when they are gone', async () => {
    const { folderTags, tags } = open(['Rome'])
    folderTags.choose(true)
    await folderTags.prepare(['Rome', 'Trip'])
    tags[0]!.name = 'Roma'
    await folderTags.prepare(['Rome'])
    assert.deepEqual(folderTags.tagsOf({ folders: ['Rome', 'Trip'] }), ['id 0', 'id 1'])
    tags.pop()
    // Files that have arrived keep what they have until another one is needed.
    assert.deepEqual(folderTags.tagsOf({ folders: ['Trip'] }), ['id 1'])
    tags.push({ id: 'merged', name: 'Trips' })
    await folderTags.prepare(['Trip'])
    assert.deepEqual(folderTags.tagsOf({ folders: ['Trip'] }), ['id 2'])
    folderTags.clear()
    folderTags.choose(true)
    await folderTags.prepare(['Roma'])
    assert.deepEqual(folderTags.tagsOf({ folders: ['Rome', 'Roma'] }), ['id 0'])
  })

  it('may have been made elsewhere meanwhile', async () => {
    const { folderTags, elsewhere, made, reloads } = open([], { Rome: 409 })
    elsewhere.push({ id: 'of another page', name: 'rome' })
    folderTags.choose(true)
    await folderTags.prepare(['Rome'])
    await folderTags.prepare(['Rome'])
    assert.deepEqual([made, reloads()], [['Rome'], 1])
    assert.deepEqual(folderTags.tagsOf({ folders: ['Rome'] }), ['of another page'])
    assert.deepEqual(folderTags.unfit.value, [])
  })

  it('leave out a name of which there can be none, which is asked for once', async () => {
    const { folderTags, made } = open([], { 'too long': 400, forbidden: 403 })
    folderTags.choose(true)
    await folderTags.prepare(['too long', 'forbidden', 'Rome'])
    await folderTags.prepare(['too long', 'forbidden'])
    assert.deepEqual(made, ['too long', 'forbidden', 'Rome'])
    assert.deepEqual(folderTags.unfit.value, ['too long', 'forbidden'])
    assert.deepEqual(folderTags.tagsOf({ folders: ['forbidden', 'Rome'] }), ['id 0'])
  })

  it('are the user’s own where a hidden tag has the name, now and in later lists', async () => {
    const { folderTags, made } = open([], { trip: 409, 'trip (kid)': 409, holiday: 409 })
    folderTags.choose(true)
    await folderTags.prepare(['holiday', 'trip'])
    await folderTags.prepare(['holiday', 'trip'])
    const asked = ['holiday', 'holiday (kid)', 'trip', 'trip (kid)', 'trip (kid) 2']
    assert.deepEqual(made, asked)
    assert.deepEqual(folderTags.own.value, ['holiday (kid)', 'trip (kid) 2'])
    assert.deepEqual(folderTags.unfit.value, [])
    assert.deepEqual(folderTags.tagsOf({ folders: ['holiday', 'trip'] }), ['id 0', 'id 1'])
    folderTags.clear()
    assert.deepEqual(folderTags.own.value, [])
    folderTags.choose(true)
    await folderTags.prepare(['holiday'])
    assert.deepEqual(made, [...asked, 'holiday'])
    assert.deepEqual(folderTags.tagsOf({ folders: ['holiday'] }), ['id 0'])
    assert.deepEqual(folderTags.own.value, ['holiday (kid)'])
  })

  it('are none for somebody who may create no more, which ends after a few names', async () => {
    const full = { Rome: 409, 'Rome (kid)': 409, 'Rome (kid) 2': 409, 'Rome (kid) 3': 409 }
    const { folderTags, made } = open([], full)
    folderTags.choose(true)
    await folderTags.prepare(['Rome'])
    assert.deepEqual(made, Object.keys(full))
    assert.deepEqual([folderTags.unfit.value, folderTags.own.value], [['Rome'], []])
  })

  it('are made later when the server could not answer', async () => {
    const { folderTags, refused } = open([], { Rome: 503 })
    folderTags.choose(true)
    await assert.rejects(folderTags.prepare(['Rome']), ApiError)
    delete refused.Rome
    await folderTags.prepare(['Rome'])
    assert.deepEqual(folderTags.tagsOf({ folders: ['Rome'] }), ['id 0'])
  })
})
