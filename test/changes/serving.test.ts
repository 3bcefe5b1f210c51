import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createApp } from '../../src/app.ts'
import { type Serving, serve } from '../../src/server.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { heldWait } from '../support/held-wait.ts'

let library: Library
let time: ReturnType<typeof heldWait>
let serving: Serving & { address: string }
let token: string

before(async () => {
  library = await openLibrary()
  time = heldWait()
  library.deps.wait = time.wait
  token = (await library.join('ann')).token
  const { log } = library.deps
  serving = await serve(createApp(library.deps), { host: '127.0.0.1', port: 0, log })
})
after(async () => {
  await serving.stop()
  await library.close()
})

const ask = (query = '', signal: AbortSignal | null = null) =>
  fetch(`${serving.address}/api/v1/changes${query}`, {
    headers: { Authorization: `Bearer ${token}` },
    signal,
  })
const start = async () => ((await (await ask()).json()) as { next: string }).next

describe('a request that waits for changes', () => {
  it('is forgotten when its client hangs up', async () => {
    const gone = new AbortController()
    const answer = ask(`?since=${await start()}`, gone.signal)
    await time.begun()
    gone.abort()
    await assert.rejects(answer)
    // The server learns of it while it answers others.
    for (let n = 0; n < 20; n++) await (await fetch(`${serving.address}/health`)).text()
    await time.pass()
    // Nobody waits any more, so nothing waits for the next second.
    assert.deepEqual(time.waited(), [])
  })

  it('does not delay the stop of the server', async () => {
    const answer = ask(`?since=${await start()}`)
    await time.begun()
    library.deps.stopping.abort('the server stops')
    await serving.stop()
    assert.equal((await answer).status, 503)
  })
})
