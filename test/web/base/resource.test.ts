import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { effect, signal } from '@preact/signals'
import { resource } from '../../../src/gallery/base/resource.ts'
import { describe, it } from '../../support/test.ts'

describe('loading a resource again', () => {
  it('resolves with what a signal says that has just changed, wherever that is noticed first', async () => {
    const wanted = signal<string>()
    const found: Promise<string | undefined>[] = []
    const follow = () =>
      effect(() => {
        if (wanted.value) found.push(own.reload().then(() => own.data.peek()))
      })
    let own = resource<string>(async () => '')
    const stops = [follow()]
    own.dispose()
    own = resource(async () => {
      const name = wanted.value ?? ''
      await setImmediate()
      return name
    })
    stops.push(follow())
    wanted.value = 'Anna'
    assert.deepEqual(await Promise.all(found), ['Anna', 'Anna'])
    for (const stop of stops) stop()
    own.dispose()
  })

  it('resolves when a newer one that has taken its place is there', async () => {
    const answers: ((answer: string) => void)[] = []
    const own = resource(() => new Promise<string>((resolve) => answers.push(resolve)))
    const first = own.reload().then(() => own.data.peek())
    const second = own.reload()
    answers[1]!('old')
    await setImmediate()
    answers[2]!('new')
    await second
    assert.equal(await first, 'new')
    own.dispose()
  })
})
