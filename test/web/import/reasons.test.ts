import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { diskFull } from '../../../src/base/disk.ts'
import { overQuota } from '../../../src/base/errors.ts'
import { CONTENT_KNOWN } from '../../../src/files/known/known.ts'
import { LANGUAGES, language } from '../../../src/gallery/base/text.ts'
import { imports } from '../../../src/gallery/text/import.ts'
import { REASONS } from '../../../src/imports/reasons.ts'

// What the server says of an entry that it has not taken, as its API documents no codes for that.
const SAID = [
  ...Object.values(REASONS),
  'The file is not a picture or video of a known type',
  overQuota().message,
  CONTENT_KNOWN,
  'A tag with this name already exists',
  'A file may have at most 1000 tags, and would have 1001',
  'Only admins may do that',
  'library.json has changed meanwhile',
  'library.json has a line that is too long',
  'library.json, line 7: path: Invalid string; ends too early',
]
const UNFORESEEN = 'failed with EIO'

afterEach(() => {
  language.value = 'en'
})

describe('why something was not imported', () => {
  it('is told in words of each language', () => {
    for (const one of LANGUAGES) {
      language.value = one
      const { reason } = imports()
      const told = SAID.map(reason)
      assert.ok(!told.includes(reason(UNFORESEEN)), String(told))
      assert.equal(new Set(told).size, SAID.length)
    }
    language.value = 'de'
    assert.equal(imports().reason('hidden'), 'versteckt')
  })

  it('is the same of a full disk, whoever notices it', () => {
    for (const one of LANGUAGES) {
      language.value = one
      const { reason } = imports()
      assert.equal(reason(diskFull().message), reason(REASONS.diskFull))
    }
  })

  it('may have several parts', () => {
    assert.equal(
      imports().reason('already imported; the source could not be removed'),
      'imported before; it could not be removed from its folder',
    )
  })

  it('names a line of an export that is broken', () => {
    assert.match(
      imports().reason('library.json, line 7: ends too early'),
      /^line 7 of library.json /,
    )
  })

  it('is never the message of the server', () => {
    assert.equal(imports().reason(UNFORESEEN), 'it failed; the server’s log says why')
  })
})
