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
    assert.deepEqual(ImportRequest.parse(requestOf('a/b', {}, false)), { path: 'a/b', ...USUAL })
  })

  it('takes nothing away and nothing twice before anything is chosen', () => {
    const { recursive, leave_sources, on_duplicate } = requestOf('', choices.value, false)
    assert.deepEqual([recursive, leave_sources, on_duplicate], [true, true, 'skip'])
  })

  it('is each of its options', () => {
    const all = Object.fromEntries([...CHOICES, ...FURTHER_CHOICES].map((name) => [name, true]))
    assert.deepEqual(ImportRequest.strict().parse(requestOf('', all, true)), {
      path: '',
      recursive: true,
      leave_sources: true,
      folder_tags: true,
      keyword_tags: true,
      name_dates: true,
      dry_run: true,
      on_duplicate: 'skip',
    })
  })
})
