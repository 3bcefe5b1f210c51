import { startDecoder } from '../../src/media/decoder.ts'

// A process that uses the decoder as the server does, and never closes it. It prints the child's
// process id and the state of what was made; with `stay` it stays until it is killed.
const [path, thumbnailPath, stay] = process.argv.slice(2)
const print = (fields: object) => process.stdout.write(`${JSON.stringify(fields)}\n`)
const decoder = startDecoder({
  log: {
    debug: (_, fields) => fields && 'pid' in fields && print({ pid: fields.pid }),
    info: () => {},
    warn: () => {},
    error: () => {},
  },
})
const { state } = await decoder.derive({
  path: path!,
  mime_type: 'image/png',
  thumbnailPath: thumbnailPath!,
})
print({ state })
if (stay === 'stay') setInterval(() => {}, 1000)
