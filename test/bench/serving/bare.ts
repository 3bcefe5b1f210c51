import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'

// A program of its own: an application that does nothing but answer. Its argument is a file of JSON, which
// it sends as a value.

const page = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as object
const app = new Hono()
app.get('/health', (c) => c.json({ status: 'ok' }))
app.get('/page', (c) => c.json(page))

const tell = (port: number | undefined) =>
  process.stdout.write(`The peer is at http://127.0.0.1:${port}\n`)
if ('Bun' in globalThis) {
  tell(Bun.serve({ hostname: '127.0.0.1', port: 0, development: false, fetch: app.fetch }).port)
} else {
  const server = createAdaptorServer({ fetch: app.fetch })
  server.listen(0, '127.0.0.1', () => tell((server.address() as AddressInfo).port))
}
