import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseFilter } from '../../../src/files/find/parse.ts'
import { printFilter } from '../../../src/gallery/filter/edit.ts'
import { filters, print } from '../../support/filter-trees.ts'
import { fc } from '../../support/property.ts'

const A = '018f0000-0000-7000-8000-00000000000a'
const B = '018f0000-0000-7000-8000-00000000000b'

describe('the filter language in the browser', () => {
  it('marks the token that breaks it', () => {
    const cases: [string, string, string][] = [
      [`{t=${A},&,t=beach}`, 'no id', 't=beach'],
      ['{r=1,&,  R=1 }', 'unknown token', 'R=1'],
      ['{r=1,r=0}', 'operator expected', 'r=0'],
      ['{r=1,&,|,r=0}', 'condition expected', '|'],
      ['{(,r=1,(}', 'closing expected', '('],
      ['{(,r=1}', 'closing expected', ''],
      ['  beach', 'braces', 'beach'],
    ]
    for (const [filter, problem, marked] of cases) {
      const broken = parseFilter(filter).broken!
      assert.deepEqual([broken.problem, filter.slice(broken.start, broken.end)], [problem, marked])
    }
  })

  it('writes what it has read', () => {
    fc.assert(
      fc.property(filters([A, B]), (tree) => {
        const { expression } = parseFilter(print(tree))
        assert.ok(expression)
        assert.deepEqual(parseFilter(printFilter(expression)).expression, expression)
      }),
      { numRuns: 300 },
    )
    assert.equal(printFilter(null), '')
  })

  it('reads and writes categories, albums and users by their names', () => {
    const ids: Record<string, string> = { 'c People': A, 'p At the sea': B, 'u father': '7' }
    const text = '{c=<People>,&,!,p=<At the sea>,&,u=<father>}'
    const { expression } = parseFilter(text, (name, letter) => ids[`${letter} ${name}`])
    assert.equal(printFilter(expression!), `{c=${A},&,!,p=${B},&,u=7}`)
    const named = (id: string, letter: string) => {
      const [name = ''] = Object.entries(ids).find(([, one]) => one === id)!
      assert.ok(name.startsWith(letter))
      return `<${name.slice(2)}>`
    }
    assert.equal(printFilter(expression!, named), text)
    assert.equal(parseFilter('{c=<People>}').broken?.problem, 'unknown token')
  })

  it('reads and writes tags by their names', () => {
    const idOf = (name: string) => ({ holiday: A, 'at (home)': B })[name]
    const text = '{t=<holiday>,&,!,t=<at (home)>}'
    const { expression } = parseFilter(text, idOf)
    assert.equal(printFilter(expression!), `{t=${A},&,!,t=${B}}`)
    assert.equal(
      printFilter(expression!, (id) => (id === A ? '<holiday>' : id)),
      `{t=<holiday>,&,!,t=${B}}`,
    )
    assert.equal(parseFilter('{t=<work>}', idOf).broken?.problem, 'no id')
    assert.equal(parseFilter(text).broken?.problem, 'no id')
  })
})
