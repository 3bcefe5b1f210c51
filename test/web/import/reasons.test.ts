import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { de } from '../../../src/web/app/text/de/import.ts'
import { en } from '../../../src/web/app/text/en/import.ts'

// What the server says of an entry that it has not taken, as its API documents no codes for that.
const SAID = [
  'a folder',
  'a symbolic link',
  'not a regular file',
  'hidden',
  'empty',
  'its name is not UTF-8',
  'still being written',
  'no longer there',
  'already imported',
  'permission denied',
  'The file is no picture or video of a known type',
  "The server's disk is full",
  "The creator's files have reached their quota",
]
const UNFORESEEN = 'failed with EIO'

describe('why something was not imported', () => {
  it('is told in words of each language', () => {
    for (const { reason } of [en, de]) {
      const told = SAID.map(reason)
      assert.ok(!told.includes(reason(UNFORESEEN)), String(told))
      assert.equal(new Set(told).size, SAID.length)
    }
    assert.equal(de.reason('hidden'), 'versteckt')
  })

  it('may have several parts', () => {
    assert.equal(
      en.reason('already imported; the source could not be removed'),
      'here already; it could not be removed from its folder',
    )
  })

  it('is never the message of the server', () => {
    assert.equal(en.reason(UNFORESEEN), 'it failed; the server’s log says why')
  })
})
