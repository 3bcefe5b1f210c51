import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { holdRequests } from '../../../src/commands/held-requests.ts'
import { serve } from '../../../src/server.ts'
import { log } from '../../support/small-server.ts'

describe('requests of a server that has no admin yet', () => {
  const start = async () => {
    const order: string[] = []
    const held = holdRequests({
      fetch(request) {
        order.push(new URL(request.url).pathname)
        return new Response('answered')
      },
    })
    const serving = await serve(held, { host: '127.0.0.1', port: 0, log })
    return { held, serving, order }
  }

  it('wait, and are answered when it has one', async () => {
    const { held, serving, order } = await start()
    const early = fetch(`${serving.address}/early`).then((answer) => answer.text())
    // This one is answered at once, by a server that goes on holding the other.
    const other = await start()
    other.held.open()
    await (await fetch(`${other.serving.address}/other`)).text()
    assert.deepEqual(order, [])
    held.open()
    assert.equal(await early, 'answered')
    assert.equal(await (await fetch(`${serving.address}/late`)).text(), 'answered')
    assert.deepEqual(order, ['/early', '/late'])
    await Promise.all([serving.stop(), other.serving.stop()])
  })

  it('get 503 when it will have none', async () => {
    const { held, serving, order } = await start()
    held.refuse()
    const answer = await fetch(`${serving.address}/early`)
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('Retry-After'), '1')
    assert.deepEqual(await answer.json(), { code: 'busy', message: 'The server does not start' })
    assert.deepEqual(order, [])
    await serving.stop()
  })
})
