import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { files, isStuck, more, open, state } from '../../../src/gallery/link/shared.ts'
import { after, before, it } from '../../support/test.ts'

const { fetch } = globalThis
let answer: (response: ServerResponse) => void
const server = createServer((_, response) => answer(response))

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  // There is no page whose address the paths belong to.
  const onServer = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  Object.assign(globalThis, { fetch: onServer })
})

after(() => {
  Object.assign(globalThis, { fetch })
  server.close()
})

function breakOff(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 1000 })
  response.write('{"items":[', () => response.destroy())
}

const page = (id: string, next_cursor: string | null) => (response: ServerResponse) =>
  response.end(JSON.stringify({ items: [{ id }], next_cursor }))

const shown = () => [state.value, isStuck.value, files.value.map(({ id }) => id)]

it('a link whose list breaks off can be asked again', async () => {
  answer = breakOff
  await open()
  assert.equal(state.value, 'lost')
})

it('a link keeps what is there when later files do not come, until it has ended', async () => {
  answer = page('a', 'next')
  await open()
  answer = breakOff
  await more()
  assert.deepEqual(shown(), ['open', true, ['a']])
  answer = page('b', 'last')
  await more()
  assert.deepEqual(shown(), ['open', false, ['a', 'b']])
  answer = breakOff
  await open()
  assert.deepEqual(shown(), ['open', false, ['a', 'b']])
  for (const [status, is] of [
    [401, 'password'],
    [404, 'gone'],
  ] as const) {
    answer = (response) => response.writeHead(status).end()
    await more()
    assert.equal(state.value, is)
  }
})
