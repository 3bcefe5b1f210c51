import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  CHOICES,
  choices,
  FURTHER_CHOICES,
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
    const all = Object.fromEntries([...CHOICES, ...FURTHER_CHOICES].map((name) => [name, true]))
    const request = requestOf('', all, { isTry: true, public_tags: true })
    assert.deepEqual(ImportRequest.strict().parse(request), {
      path: '',
      recursive: true,
      leave_sources: true,
      folder_tags: true,
      keyword_tags: true,
      public_tags: true,
      name_dates: true,
      dry_run: true,
      on_duplicate: 'skip',
    })
  })
})
