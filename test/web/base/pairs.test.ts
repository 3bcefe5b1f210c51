import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { filmOf, folded, noteFilms, pictureOf, withFilms } from '../../../src/gallery/base/pairs.ts'
import { slicesOf } from '../../../src/gallery/base/slices.ts'

describe('a picture and its film', () => {
  it('are named together by whoever names the picture, each once', () => {
    noteFilms(['picture', 'other'], ['film', null])
    assert.equal(filmOf('picture'), 'film')
    assert.equal(filmOf('other'), undefined)
    assert.equal(pictureOf('film'), 'picture')
    assert.deepEqual(withFilms(['other', 'picture', 'film']), ['other', 'picture', 'film'])
    assert.deepEqual(withFilms(['unknown']), ['unknown'])
  })

  it('are one to the eye where the picture is there', () => {
    noteFilms(['picture'], ['film'])
    const there = new Set(['picture', 'other'])
    assert.deepEqual(folded(['film', 'other', 'picture'], there), ['picture', 'other'])
    assert.deepEqual(folded(['film', 'other'], new Set(['film', 'other'])), ['film', 'other'])
  })

  it('are two once a later answer says so, or names another film', () => {
    noteFilms(['picture'], ['film'])
    noteFilms(['picture'])
    assert.equal(filmOf('picture'), 'film', 'an answer without films says nothing')
    noteFilms(['picture'], ['later film'])
    assert.equal(pictureOf('film'), undefined)
    assert.deepEqual(withFilms(['picture']), ['picture', 'later film'])
    noteFilms(['second picture'], ['later film'])
    assert.deepEqual(withFilms(['picture', 'second picture']), [
      'picture',
      'second picture',
      'later film',
    ])
    noteFilms(['second picture'], [null])
    assert.deepEqual(withFilms(['second picture']), ['second picture'])
    assert.equal(pictureOf('later film'), undefined)
  })

  it('are within the limits of one request', () => {
    const ids = Array.from({ length: 12_000 }, (_, at) => `p${at}`)
    noteFilms(
      ids,
      [...ids.keys()].map((at) => (at % 2 ? `f${at}` : null)),
    )
    const slices = slicesOf(ids)
    assert.deepEqual(slices.flat(), ids)
    for (const slice of slices) assert.ok(withFilms(slice).length <= 10_000)
    for (const slice of slicesOf(ids, 50)) assert.ok(withFilms(slice).length * 50 <= 40_000)
  })
})
