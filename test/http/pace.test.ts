import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPace, JSON_WAIT, SLOWEST } from '../../src/http/clients/pace.ts'

const KIB = 1024

describe('the pace of an upload or an answer', () => {
  it('leaves a silent client 60 seconds', () => {
    const pace = createPace(SLOWEST)
    assert.equal(pace.left(), 60_000)
    pace.moved(59_000, 0)
    assert.equal(pace.left(), 1000)
    pace.moved(1000, 0)
    assert.equal(pace.left(), 0)
  })

  it('is that of any 60 seconds: what came before them does not count', () => {
    const pace = createPace(SLOWEST)
    pace.moved(0, 100 * 2 ** 20)
    assert.equal(pace.left(), 60_000)
    pace.moved(30_000, 59 * KIB)
    assert.equal(pace.left(), 30_000)
    pace.moved(10_000, KIB)
    // The 60 KiB of the last 10 seconds last until 60 seconds after the first of them.
    assert.equal(pace.left(), 50_000)
  })

  it('is kept for ever at 1 KiB a second, and not at a byte less', () => {
    const kept = createPace(SLOWEST)
    const missed = createPace(SLOWEST)
    for (let second = 1; second <= 600; second++) {
      kept.moved(1000, KIB)
      missed.moved(1000, KIB - 1)
      assert.ok(kept.left() > 0, `${second} s`)
      assert.equal(missed.left() > 0, second < 60, `${second} s`)
    }
  })

  it('is missed by a byte every 29 seconds', () => {
    const pace = createPace(SLOWEST)
    pace.moved(29_000, 1)
    pace.moved(29_000, 1)
    assert.equal(pace.left(), 2000)
  })

  it('stands still while nobody waits for the client', () => {
    const pace = createPace(SLOWEST)
    for (let chunk = 0; chunk < 1000; chunk++) pace.moved(0, 1)
    assert.equal(pace.left(), 60_000)
  })
})

describe('the pace of a JSON body', () => {
  it('leaves 15 seconds of waiting, whatever comes', () => {
    const pace = createPace(JSON_WAIT)
    pace.moved(10_000, 2 ** 20)
    assert.equal(pace.left(), 5000)
    pace.moved(5000, 2 ** 20)
    assert.equal(pace.left(), 0)
  })
})
