import { readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: 'string' },
    minutes: { type: 'string' },
    rounds: { type: 'string' },
    runtime: { type: 'string' },
    seed: { type: 'string' },
  },
})
const known = readdirSync(import.meta.dirname)
  .filter((file) => /\.[jt]s$/.test(file) && !/^run\./.test(file))
  .map((file) => file.slice(0, -3))
const unknown = positionals.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`There is no torture ${unknown.join()}; there are ${known.join(', ')}\n`)
  process.exit(1)
}

// As JavaScript in `build/`, servers on Node start in half the time.
const ending = import.meta.url.slice(-3)
for (const name of positionals.length > 0 ? positionals : known) {
  const { torture } = (await import(new URL(`./${name}${ending}`, import.meta.url).href)) as {
    torture: (options: typeof values) => Promise<void>
  }
  await torture(values)
}
