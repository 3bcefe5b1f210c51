import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Hono } from 'hono'
import { createActivity } from '../../src/http/clients/activity.ts'
import type { AppEnv } from '../../src/http/env.ts'

describe('the activity of a server', () => {
  const signal = new AbortController().signal

  it('is calm once two seconds passed without a request', async () => {
    const waits: number[] = []
    let during = () => {}
    const activity = createActivity(async (ms) => {
      waits.push(ms)
      during()
    })
    const app = new Hono<AppEnv>()
    app.use(activity.watch)
    app.get('*', (c) => c.text('done'))
    await activity.calm(signal)
    assert.deepEqual(waits, [2000])
    await activity.calm(signal)
    await app.request('/health')
    await activity.calm(signal)
    assert.deepEqual(waits, [2000])

    await app.request('/files')
    let left = 2
    during = () => {
      // Each of these begins the two seconds anew.
      if (left-- > 0) void app.request('/files')
    }
    await activity.calm(signal)
    assert.deepEqual(waits.length, 4)
  })

  it('tells that a request is under way as soon as it is', async () => {
    const activity = createActivity(async () => {})
    const app = new Hono<AppEnv>()
    app.use(activity.watch)
    let seen = ''
    app.get('/slow', async (c) => {
      // The head of a request is enough.
      await activity.busy(signal)
      seen += 'during '
      return c.text('done')
    })
    for (const _ of ['first', 'second']) {
      const busy = activity.busy(signal).then(() => {
        seen += 'begun '
      })
      await app.request('/health')
      await new Promise((resolve) => setImmediate(resolve))
      assert.equal(seen, '')
      await app.request('/slow')
      await busy
      assert.deepEqual(seen.trim().split(' ').sort(), ['begun', 'during'])
      await activity.calm(signal)
      seen = ''
    }
    const ending = new AbortController()
    const busy = activity.busy(ending.signal)
    ending.abort()
    await assert.rejects(busy, { name: 'AbortError' })
    await assert.rejects(activity.busy(ending.signal), { name: 'AbortError' })
  })

  it('ends its wait when it is told to', async () => {
    const activity = createActivity(async () => {})
    const app = new Hono<AppEnv>()
    app.use(activity.watch)
    let end = () => {}
    const held = new Promise<void>((resolve) => {
      end = resolve
    })
    app.get('/slow', async (c) => {
      await held
      return c.text('done')
    })
    const slow = app.request('/slow')
    assert.equal(activity.isBusy(), true)
    const ending = new AbortController()
    const calm = activity.calm(ending.signal)
    ending.abort()
    await assert.rejects(calm, { name: 'AbortError' })
    end()
    await slow
    await activity.calm(signal)
    assert.equal(activity.isBusy(), false)
  })
})
