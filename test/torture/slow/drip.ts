import { connect, type Socket } from 'node:net'

/** Milliseconds between two bytes of each connection. */
const DRIP = 5000
/** An address that is nobody's. */
const STRANGER = '203.0.113.7'

// A process of its own, so that others don't wait for it: PORT, how many, how many every tenth of a
// second, how long in milliseconds, and from which address. Prints how many were refused, cut and left.
const [port, count, atOnce, lasts, host] = process.argv.slice(2)
const clients: ReturnType<typeof slowClient>[] = []
const rush = setInterval(connectSome, 100)
connectSome()
setTimeout(() => {
  clearInterval(rush)
  const answered = (status: number) => clients.filter(({ answer }) => answer() === status).length
  const left = clients.filter(({ socket }) => !socket.closed).length
  process.stdout.write(JSON.stringify({ refused: answered(503), cut: answered(408), left }))
  for (const { socket } of clients) socket.destroy()
}, Number(lasts))

function connectSome(): void {
  for (let n = 0; n < Number(atOnce) && clients.length < Number(count); n++) {
    clients.push(slowClient({ port: Number(port), ...(host && { host, localAddress: host }) }))
  }
}

/** Begins a sign-in, and goes on byte by byte. */
function slowClient(options: { port: number; host?: string; localAddress?: string }) {
  const socket: Socket = connect({ host: '127.0.0.1', ...options })
  let answer = ''
  socket.on('data', (bytes) => {
    answer += bytes.toString('latin1')
  })
  socket.on('error', () => {})
  socket.write(
    `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${STRANGER}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 8000\r\n\r\n{"name":"',
  )
  const timer = setInterval(() => socket.write('x'), DRIP)
  socket.on('close', () => clearInterval(timer))
  return { socket, answer: () => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]) }
}
