import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { open, state } from '../../../src/gallery/link/shared.ts'
import { it } from '../../support/test.ts'

it('a link whose list breaks off can be asked again', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 1000 })
    response.write('{"items":[', () => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { fetch } = globalThis
  // There is no page whose address the paths belong to.
  const onServer = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  Object.assign(globalThis, { fetch: onServer })
  try {
    await open()
    assert.equal(state.value, 'lost')
  } finally {
    Object.assign(globalThis, { fetch })
    server.close()
  }
})
