import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../../../src/base/errors.ts'
import { readExpression } from '../../../src/files/find/list.ts'
import type { Expression } from '../../../src/files/find/parse.ts'

const A = '018f0000-0000-7000-8000-00000000000a'
const B = '018f0000-0000-7000-8000-00000000000b'
const C = '018f0000-0000-7000-8000-00000000000c'
const NONE = '00000000-0000-0000-0000-000000000000'

const tag = (id: string): Expression => ({ kind: 'condition', condition: { kind: 'tag', id } })
const not = (item: Expression): Expression => ({ kind: 'not', item })
const and = (...items: Expression[]): Expression => ({ kind: 'and', items })
const or = (...items: Expression[]): Expression => ({ kind: 'or', items })
const [a, b, c] = [tag(A), tag(B), tag(C)]

/** What the refusal says in its details. */
function refusal(filter: string) {
  try {
    readExpression(filter)
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'validation_error', String(error))
    return error.details
  }
  throw new Error(`accepted: ${filter}`)
}

describe('the parser of filters', () => {
  it('reads every condition', () => {
    const conditions: [string, unknown][] = [
      [`t=${A}`, { kind: 'tag', id: A }],
      [`t=${A.toUpperCase()}`, { kind: 'tag', id: A }],
      [`t=${NONE}`, { kind: 'untagged' }],
      ['m=image/jpeg', { kind: 'mime', value: 'image/jpeg' }],
      ['m=%', { kind: 'mime', value: '%' }],
      ['m~image/%', { kind: 'mime_like', pattern: 'image/%' }],
      ['m~=', { kind: 'mime_like', pattern: '=' }],
      ['r=1', { kind: 'review', needed: true }],
      ['r=0', { kind: 'review', needed: false }],
    ]
    for (const [token, condition] of conditions) {
      assert.deepEqual(readExpression(`{${token}}`), { kind: 'condition', condition }, token)
    }
  })

  it('takes braces around nothing, and nothing, for everything', () => {
    for (const filter of ['', '   ', '{}', '{ }', ' {} ', '\t{\n}']) {
      assert.equal(readExpression(filter), null, JSON.stringify(filter))
    }
  })

  it('binds NOT before AND before OR', () => {
    const cases: [string, Expression][] = [
      [`{t=${A},|,t=${B},&,t=${C}}`, or(a, and(b, c))],
      [`{t=${A},&,t=${B},|,t=${C}}`, or(and(a, b), c)],
      [`{(,t=${A},|,t=${B},),&,t=${C}}`, and(or(a, b), c)],
      [`{!,t=${A},&,t=${B}}`, and(not(a), b)],
      [`{!,(,t=${A},&,t=${B},)}`, not(and(a, b))],
      [`{t=${A},|,!,t=${B},|,t=${C}}`, or(a, not(b), c)],
      [`{t=${A},&,!,!,t=${B}}`, and(a, b)],
      [`{!,!,!,t=${A}}`, not(a)],
      [`{(,(,t=${A},),)}`, a],
      [`{t=${A},&,(,t=${B},&,t=${C},)}`, and(a, and(b, c))],
    ]
    for (const [filter, expression] of cases) {
      assert.deepEqual(readExpression(filter), expression, filter)
    }
  })

  it('ignores spaces around tokens', () => {
    assert.deepEqual(readExpression(`  { t=${A} ,  & ,\n!\t, t=${B} } `), and(a, not(b)))
  })

  it('names the token and the character of each mistake', () => {
    const cases: [string, string][] = [
      ['x', 'token 1 ("x", character 1): a filter needs braces: {token,token,...}'],
      ['  {r=1', 'token 1 ("{r=1", character 3): a filter needs braces: {token,token,...}'],
      ['{', 'token 1 ("{", character 1): a filter needs braces: {token,token,...}'],
      ['{x}', 'token 1 ("x", character 2): no such token'],
      ['{r=1,&,  R=1}', 'token 3 ("R=1", character 10): no such token'],
      ['{r=2}', 'token 1 ("r=2", character 2): no such token'],
      ['{m=}', 'token 1 ("m=", character 2): no such token'],
      ['{m~}', 'token 1 ("m~", character 2): no such token'],
      ['{r=1 & r=0}', 'token 1 ("r=1 & r=0", character 2): no such token'],
      ['{t=}', 'token 1 ("t=", character 2): "t=" needs the UUID of a tag'],
      ['{r=1,|,t=beach}', 'token 3 ("t=beach", character 8): "t=" needs the UUID of a tag'],
      [`{t=${A}0}`, `token 1 ("t=${A}0", character 2): "t=" needs the UUID of a tag`],
      [`{${'y'.repeat(70)}}`, `token 1 ("${'y'.repeat(60)}…", character 2): no such token`],
      ['{,}', 'token 1 ("", character 2): no such token'],
      ['{r=1,}', 'token 2 ("", character 6): expected "&", "|" or the end'],
      ['{&,r=1}', 'token 1 ("&", character 2): expected a condition, "(" or "!"'],
      ['{r=1,&,|,r=0}', 'token 3 ("|", character 8): expected a condition, "(" or "!"'],
      ['{r=1,r=0}', 'token 2 ("r=0", character 6): expected "&", "|" or the end'],
      ['{r=1,!,r=0}', 'token 2 ("!", character 6): expected "&", "|" or the end'],
      ['{r=1,)}', 'token 2 (")", character 6): expected "&", "|" or the end'],
      ['{(,)}', 'token 2 (")", character 4): expected a condition, "(" or "!"'],
      ['{(,r=1,(}', 'token 3 ("(", character 8): expected ")"'],
      ['{r=1,&}', 'expected a condition, "(" or "!", not the end'],
      ['{!}', 'expected a condition, "(" or "!", not the end'],
      ['{(,r=1}', 'expected ")", not the end'],
    ]
    for (const [filter, message] of cases) {
      assert.deepEqual(refusal(filter), [{ field: 'filter', message }], filter)
    }
  })

  it('takes 500 tokens and no more', () => {
    const chain = Array(250).fill('r=1').join(',&,')
    assert.ok(readExpression(`{!,${chain}}`))
    assert.deepEqual(refusal(`{!,!,${chain}}`), [
      { field: 'filter', message: 'token 501 ("r=1", character 1500): more than 500 tokens' },
    ])
    assert.ok(readExpression(`{${'!,'.repeat(499)}r=1}`))
  })

  it('takes 64 levels of parentheses and no more, one after the other as often as one likes', () => {
    const nested = (levels: number) => `{${'(,'.repeat(levels)}r=1${',)'.repeat(levels)}}`
    assert.ok(readExpression(nested(64)))
    assert.deepEqual(refusal(nested(65)), [
      {
        field: 'filter',
        message: 'token 65 ("(", character 130): more than 64 levels of parentheses',
      },
    ])
    assert.ok(readExpression(`{${Array(120).fill('(,r=1,)').join(',|,')}}`))
  })
})
