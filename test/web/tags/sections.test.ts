import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { heightOf, placedBetween, sectionsOf } from '../../../src/web/app/tags/sections.ts'

const tag = (name: string, category: string | null, isHidden = false) => ({
  name,
  category_id: category && `id of ${category}`,
  category_name: isHidden ? null : category,
  category_color: isHidden ? null : category && '3b82c4',
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

  it('are drawn as far as they are seen, each at its place', () => {
    const many = Array.from({ length: 100 }, (_, at) => tag(`tag ${at}`, at < 10 ? 'A' : 'B'))
    const sections = sectionsOf(many, 'en')
    const of = { heading: 20, row: 10, gap: 5 }
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
    assert.deepEqual(placedBetween(sectionsOf([], 'en'), of, 0, 100), [])
  })
})
