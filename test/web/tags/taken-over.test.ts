import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rulesTakenOver } from '../../../src/gallery/tags/page/taken-over.ts'

const rulesOf = (...rules: string[]) =>
  rules.map((rule) => ({ when_tag_id: rule[0]!, then_tag_id: rule[1]! }))

describe('rules that a tag takes over', () => {
  it('are those of the other one, on either side', () => {
    assert.equal(rulesTakenOver(rulesOf('ax', 'ya', 'bz', 'xy'), 'a', 'b'), 2)
  })

  it('are none to itself, nor those that it has', () => {
    assert.equal(rulesTakenOver(rulesOf('ab', 'ba', 'ax', 'bx', 'ya'), 'a', 'b'), 1)
    assert.equal(rulesTakenOver([], 'a', 'b'), 0)
  })
})
