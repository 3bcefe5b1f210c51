import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// What the runtime itself needs for as many connections: each gets its answer as soon as its head is there.
const server = createServer((incoming, outgoing) => {
  incoming.resume()
  outgoing.writeHead(401, { 'Content-Type': 'application/json', Connection: 'close' })
  outgoing.end('{"code":"unauthorized"}')
})
server.listen({ port: 0, host: '0.0.0.0', backlog: 4096 }, () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
