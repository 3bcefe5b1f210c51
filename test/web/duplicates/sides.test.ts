import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  betterSide,
  type Choices,
  mergeOf,
  NO_CHOICES,
  type Pair,
  proposedSide,
} from '../../../src/gallery/duplicates/sides.ts'
import { fileOf, tagOf } from '../support/files.ts'

type About = Parameters<typeof fileOf>[1]

const pairOf = (left: About, right: About): Pair => ({
  left: fileOf(1, left),
  right: fileOf(2, right),
})

describe('the better one of two files', () => {
  it('has more pixels, then a date that is known, then more tags, then more bytes', () => {
    const large = { width: 4000, height: 3000 }
    const dated = { date_source: 'exif' } as const
    const tagged = { tags: [tagOf('Anna')] }
    const heavy = { size: 2_000_000 }
    for (const [left, right] of [
      [large, dated],
      [dated, { ...tagged, ...heavy }],
      [tagged, heavy],
      [heavy, {}],
      [
        { ...large, ...dated },
        { ...large, ...tagged },
      ],
    ]) {
      assert.equal(betterSide(pairOf(left, right)), 'left', JSON.stringify({ left, right }))
      assert.equal(betterSide(pairOf(right, left)), 'right', JSON.stringify({ left, right }))
    }
  })

  it('is the older one when all else is equal', () => {
    const { left, right } = pairOf({}, {})
    assert.equal(betterSide({ left, right }), 'left')
    assert.equal(betterSide({ left: right, right: left }), 'right')
  })
})

describe('the better side of a field', () => {
  const sides = (field: Parameters<typeof proposedSide>[1], left: About, right: About) => [
    proposedSide(pairOf(left, right), field),
    proposedSide(pairOf(right, left), field),
  ]

  it('is the date that is known for sure, whichever is earlier', () => {
    const early = { content_datetime: '2001-01-01T00:00:00.000Z' }
    for (const known of ['exif', 'xmp', 'gps', 'video', 'given'] as const) {
      for (const guessed of ['name', 'mtime', 'upload', null] as const) {
        assert.deepEqual(
          sides('content_datetime', { date_source: known }, { ...early, date_source: guessed }),
          ['left', 'right'],
          `${known} ${guessed}`,
        )
      }
    }
  })

  it('is the earlier of two dates that are known equally well', () => {
    const date_source = 'exif'
    assert.deepEqual(
      sides(
        'content_datetime',
        { date_source, content_datetime: '2015-05-01T16:27:00.000Z' },
        { date_source, content_datetime: '2024-05-01T18:02:00.000Z' },
      ),
      ['left', 'right'],
    )
  })

  it('is the date of which more is known, if it lies within the other', () => {
    const at = (content_datetime: string, date_precision: 'year' | null) => ({
      ...{ date_source: 'exif' as const, content_offset: null },
      content_datetime,
      date_precision,
    })
    const year = at('1987-07-02T12:00:00.000Z', 'year')
    const within = at('1987-12-24T18:00:00.000Z', null)
    assert.deepEqual(sides('content_datetime', within, year), ['left', 'right'])
    const scanned = at('2015-12-24T18:00:00.000Z', null)
    assert.deepEqual(sides('content_datetime', year, scanned), ['left', 'right'])
  })

  it('is the name that no program has made for a copy', () => {
    const name = (original_name: string | null) => ({ original_name })
    for (const copy of ['IMG_2041 (1).JPG', 'IMG_2041 - Copy.JPG', 'IMG_2041 Kopie.jpg', null]) {
      assert.deepEqual(sides('original_name', name('IMG_2041.JPG'), name(copy)), ['left', 'right'])
    }
    assert.deepEqual(sides('original_name', name('a.jpg'), name('b.jpg')), [null, null])
  })

  it('is the note that there is; two stay with what is kept', () => {
    assert.deepEqual(sides('notes', { notes: 'by the church' }, {}), ['left', 'right'])
    assert.deepEqual(sides('notes', { notes: 'a' }, { notes: 'b' }), [null, null])
  })
})

describe('keeping one side', () => {
  const pair = pairOf(
    { original_name: 'a.jpg', notes: 'a', is_public: true, date_source: 'upload' },
    { original_name: 'b.jpg', notes: null, is_public: false, date_source: 'exif' },
  )
  const [a, b] = [pair.left.id, pair.right.id]

  it('takes the better of each field, and tags, pools and metadata of both', () => {
    assert.deepEqual(mergeOf(pair, 'left', NO_CHOICES), {
      keep: a,
      discard: b,
      fields: {
        original_name: 'keep',
        notes: 'keep',
        content_datetime: 'discard',
        is_public: 'keep',
        metadata: 'merge',
        tags: 'both',
        pools: 'both',
      },
    })
    assert.deepEqual(mergeOf(pair, 'right', NO_CHOICES), {
      keep: b,
      discard: a,
      fields: {
        original_name: 'keep',
        notes: 'discard',
        content_datetime: 'keep',
        is_public: 'keep',
        metadata: 'merge',
        tags: 'both',
        pools: 'both',
      },
    })
  })

  it('does what was chosen otherwise', () => {
    const choices: Choices = {
      sides: { original_name: 'left', notes: 'right', content_datetime: 'left', is_public: 'left' },
      ownOnly: new Set(['tags', 'metadata']),
    }
    assert.deepEqual(mergeOf(pair, 'right', choices).fields, {
      original_name: 'discard',
      notes: 'keep',
      content_datetime: 'discard',
      is_public: 'discard',
      metadata: 'keep',
      tags: 'keep',
      pools: 'both',
    })
  })
})
