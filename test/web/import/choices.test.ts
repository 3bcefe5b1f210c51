import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  CHOICES,
  choices,
  FURTHER_CHOICES,
  isLeftOut,
  leaveOut,
  leftOut,
  requestOf,
} from '../../../src/gallery/import/choices.ts'
import { ImportRequest, USUAL } from '../../../src/imports/schema.ts'

describe('what is asked of the server', () => {
  it('is what it does anyway where nothing is chosen', () => {
    const request = requestOf('a/b', {}, { isTry: false, public_tags: false })
    assert.deepEqual(ImportRequest.parse(request), { path: 'a/b', ...USUAL })
  })

  it('takes nothing away and nothing twice before anything is chosen', () => {
    const how = { isTry: false, public_tags: false }
    const { recursive, leave_sources, on_duplicate } = requestOf('', choices.value, how)
    assert.deepEqual([recursive, leave_sources, on_duplicate], [true, true, 'skip'])
  })

  it('is each of its options', () => {
    const names = [...CHOICES, ...FURTHER_CHOICES, 'create_users']
    const all = Object.fromEntries(names.map((name) => [name, true]))
    const request = requestOf('', all, { isTry: true, public_tags: true, owner: 7 })
    assert.deepEqual(ImportRequest.strict().parse(request), {
      path: '',
      recursive: true,
      leave_sources: true,
      folder_tags: true,
      keyword_tags: true,
      public_tags: true,
      top_categories: true,
      name_dates: true,
      favorites: true,
      archived: true,
      partners: true,
      leave_out: [],
      owner: 7,
      dry_run: true,
      on_duplicate: 'skip',
      create_users: true,
    })
  })

  it('leaves out what was unticked, but for a dry run', () => {
    const path = ['Places', 'Rome']
    leaveOut(path, true)
    assert.deepEqual([isLeftOut(path), isLeftOut(['Places'])], ['itself', null])
    assert.equal(isLeftOut([...path, 'Forum']), 'above')
    const asked = (isTry: boolean) =>
      requestOf('', {}, { isTry, public_tags: false, leftOut: leftOut.value }).leave_out
    assert.deepEqual([asked(false), asked(true)], [[path], []])
    leaveOut(path, false)
    assert.equal(isLeftOut(path), null)
  })
})
