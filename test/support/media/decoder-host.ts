import { once } from 'node:events'
import { startDecoder } from '../../../src/media/decoder/decoder.ts'

// A process that uses the decoder as the server does, and never closes it. It prints the child's
// process id and the state of what was made. With `stay` it runs until it is killed; with `told` it
// derives whenever it is told to on standard input, until that ends.
const [path, thumbnailPath, mode] = process.argv.slice(2)
const print = (fields: object) => process.stdout.write(`${JSON.stringify(fields)}\n`)
const decoder = startDecoder({
  log: {
    debug: (_, fields) => fields && 'pid' in fields && print({ pid: fields.pid }),
    info: () => {},
    warn: () => {},
    error: () => {},
  },
})
const derive = async () => {
  const job = { path: path!, mime_type: 'image/png', thumbnailPath: thumbnailPath! }
  const { state } = await decoder.derive(job)
  print({ state })
}
if (mode === 'told') {
  process.stdin.on('data', () => void derive())
  print({ told: true })
  await once(process.stdin, 'end')
} else await derive()
if (mode === 'stay') setInterval(() => {}, 1000)
