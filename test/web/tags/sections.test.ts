import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  heightOf,
  inOrder,
  placedBetween,
  sectionsOf,
  topOf,
} from '../../../src/gallery/tags/sections.ts'

const tag = (name: string, category: string | null, isHidden = false) => ({
  name,
  category_id: category && `id of ${category}`,
  category_name: isHidden ? null : category,
  category_color: isHidden ? null : category && '3b82c4',
})

const category = (name: string, position?: unknown) => ({
  id: `id of ${name}`,
  name,
  color: null,
  metadata: position === undefined ? null : { position, other: 'kept' },
})

describe('categories', () => {
  it('stand as somebody has put them, then by name', () => {
    const ordered = inOrder(
      [
        category('Zoo', 1),
        category('Äpfel'),
        category('Birnen', 'first'),
        category('People', 0),
        category('Apes', 1),
        category('Zebras'),
      ],
      'de',
    )
    assert.deepEqual(
      ordered.map(({ name }) => name),
      ['People', 'Apes', 'Zoo', 'Äpfel', 'Birnen', 'Zebras'],
    )
  })
})

describe('the tags at the side', () => {
  it('stand by category, both by name, those without one last', () => {
    const sections = sectionsOf(
      [
        tag('work', null),
        tag('Norway', 'Places'),
        tag('garden', 'Places'),
        tag('Ärmelkanal', 'Places'),
        tag('secret', 'Hidden', true),
        tag('Jonas', 'People'),
        tag('day 10', null),
        tag('day 9', null),
      ],
      [],
      'de',
    )
    assert.deepEqual(
      sections.map(({ name, tags }) => [name, ...tags.map((each) => each.name)]),
      [
        ['People', 'Jonas'],
        ['Places', 'Ärmelkanal', 'garden', 'Norway'],
        [null, 'day 9', 'day 10', 'secret', 'work'],
      ],
    )
  })

  it('stand in the order of the categories, of which some have none', () => {
    const categories = [category('Places'), category('Empty'), category('People')]
    const sections = sectionsOf(
      [tag('work', null), tag('Jonas', 'People'), tag('garden', 'Places'), tag('new', 'Later')],
      categories,
      'en',
    )
    assert.deepEqual(
      sections.map(({ name, tags }) => [name, ...tags.map((each) => each.name)]),
      [['Places', 'garden'], ['Empty'], ['People', 'Jonas'], ['Later', 'new'], [null, 'work']],
    )
  })

  it('are drawn as far as they are seen, each at its place', () => {
    const many = Array.from({ length: 100 }, (_, at) => tag(`tag ${at}`, at < 10 ? 'A' : 'B'))
    const sections = sectionsOf(many, [], 'en')
    const of = { heading: 20, row: 10, gap: 5, columns: 1 }
    assert.equal(heightOf(sections, of), 2 * 25 + 100 * 10)
    const drawn = (from: number, to: number) =>
      placedBetween(sections, of, from, to).map(({ section, top, first, end }) => [
        section.name,
        top,
        first,
        end,
      ])
    assert.deepEqual(drawn(0, 50), [['A', 0, 0, 4]])
    assert.deepEqual(drawn(100, 200), [
      ['A', 0, 8, 10],
      ['B', 125, 0, 6],
    ])
    assert.deepEqual(drawn(1000, 5000), [['B', 125, 85, 90]])
    assert.deepEqual(drawn(-300, 0), [])
    assert.deepEqual(placedBetween(sectionsOf([], [], 'en'), of, 0, 100), [])
  })

  it('are one line where there are none', () => {
    const of = { heading: 20, row: 10, gap: 5, columns: 1 }
    const sections = sectionsOf([tag('b', 'B')], [category('A'), category('B')], 'en')
    assert.equal(heightOf(sections, of), 20 + 20 + 10 + 5)
  })

  it('are drawn by whole rows where several stand beside each other', () => {
    const many = Array.from({ length: 31 }, (_, at) => tag(`tag ${at}`, 'A'))
    const sections = sectionsOf(many, [], 'en')
    const of = { heading: 20, row: 10, gap: 5, columns: 3 }
    // 11 rows, the last of one tag.
    assert.equal(heightOf(sections, of), 20 + 110 + 5)
    const [drawn] = placedBetween(sections, of, 45, 55)
    assert.deepEqual([drawn!.first, drawn!.end], [6, 12])
    const [last] = placedBetween(sections, of, 121, 500)
    assert.deepEqual([last!.first, last!.end], [30, 31])
  })

  it('are found at their row, and categories at their heading', () => {
    const many = Array.from({ length: 7 }, (_, at) => ({
      ...tag(`tag ${at}`, at < 4 ? 'A' : 'B'),
      id: String(at),
    }))
    const sections = sectionsOf(many, [], 'en')
    const of = { heading: 20, row: 10, gap: 5, columns: 2 }
    // A: 20 + 2 rows + 5 = 45.
    assert.deepEqual(
      ['0', '3', 'id of B', '6', 'gone'].map((id) => topOf(sections, of, id)),
      [20, 30, 45, 45 + 20 + 10, null],
    )
  })
})
