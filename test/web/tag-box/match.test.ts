import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fold } from '../../../src/gallery/base/fold.ts'
import { findTags, indexTags, tagNamed } from '../../../src/gallery/tag-box/match.ts'

const index = (counts: Record<string, number>) =>
  indexTags(
    Object.keys(counts).map((name) => ({ id: name, name })),
    (id) => counts[id]!,
  )

const find = (counts: Record<string, number>, text: string, limit = 8) =>
  findTags(index(counts), text, limit).map(({ tag, parts }) =>
    parts.reduceRight((name, [start, end]) => {
      return `${name.slice(0, start)}[${name.slice(start, end)}]${name.slice(end)}`
    }, tag.name),
  )

describe('finding tags', () => {
  it('has starts before words before what is inside, each by its files', () => {
    const tags = {
      'Uncle Seymour': 960,
      'Mount Fuji': 41,
      mountains: 2118,
      'the mountain hut': 5,
      amount: 9000,
      moor: 1,
    }
    assert.deepEqual(find(tags, 'mou'), [
      '[mou]ntains',
      '[Mou]nt Fuji',
      'the [mou]ntain hut',
      'a[mou]nt',
      'Uncle Sey[mou]r',
    ])
    assert.deepEqual(find(tags, 'mou', 2), ['[mou]ntains', '[Mou]nt Fuji'])
  })

  it('has those without files last, but before what is inside', () => {
    const tags = { home: 0, 'summer holiday': 3, 'winter holiday': 0, 'Dad’s phone': 90, hotel: 1 }
    assert.deepEqual(find(tags, 'ho'), [
      '[ho]tel',
      'summer [ho]liday',
      '[ho]me',
      'winter [ho]liday',
      'Dad’s p[ho]ne',
    ])
    assert.deepEqual(find({ holidays: 7, holiday: 0 }, 'holiday'), ['[holiday]', '[holiday]s'])
  })

  it('has recent ones first, the last one at the top, as far as they match as well', () => {
    const tags = { hotel: 90, home: 20, harbour: 0, hills: 1, 'p hut': 1 }
    const recent = ['p hut', 'harbour', 'hills']
    const names = (limit: number) =>
      findTags(index(tags), 'h', limit, recent).map(({ tag }) => tag.name)
    assert.deepEqual(names(8), ['hills', 'harbour', 'hotel', 'home', 'p hut'])
    assert.deepEqual(names(1), ['hills'])
  })

  it('knows letters with and without accents as one', () => {
    const tags = { Überlingen: 3, 'La Rochelle': 2, 'Café Zürich': 1, Straße: 0, Łódź: 0 }
    assert.deepEqual(find(tags, 'uber'), ['[Über]lingen'])
    assert.deepEqual(find(tags, 'ÜBER'), ['[Über]lingen'])
    assert.deepEqual(find(tags, 'u\u0308ber'), ['[Über]lingen'])
    assert.deepEqual(find(tags, 'zuri'), ['Café [Züri]ch'])
    assert.deepEqual(find(tags, 'strass'), ['[Straß]e'])
    assert.deepEqual(find(tags, 'stras'), ['[Straß]e'])
    assert.deepEqual(find(tags, 'ra'), ['St[ra]ße'])
    assert.deepEqual(find(tags, 'lodz'), ['[Łódź]'])
  })

  it('takes the starts of words in any order', () => {
    const tags = { 'Mount Fuji': 1, 'fujifilm museum': 2 }
    assert.deepEqual(find(tags, 'fu mo'), ['[Mo]unt [Fu]ji'])
    assert.deepEqual(find(tags, 'mount f'), ['[Mount F]uji'])
  })

  it('finds a word behind the same letters inside one', () => {
    assert.deepEqual(find({ 'cart art': 1 }, 'art'), ['cart [art]'])
  })

  it('finds nothing for nothing, and takes no letter for a pattern', () => {
    const tags = { 'a.b (c)': 1 }
    assert.deepEqual(find(tags, '  '), [])
    assert.deepEqual(find(tags, '.b ('), ['a[.b (]c)'])
    assert.deepEqual(find(tags, '.*'), [])
  })

  it('knows a tag by its whole name', () => {
    const tags = index({ Überlingen: 1, Über: 2 })
    assert.equal(tagNamed(tags, ' uber ')?.name, 'Über')
    assert.equal(tagNamed(tags, 'ub'), null)
  })

  it('takes the accents off a long run of marks without delay', () => {
    assert.equal(fold(`e${'\u0301'.repeat(5000)}`).text, 'e')
  })
})
