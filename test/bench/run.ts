import { readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** Modules without a `bench` of their own: the others are made with them. */
const PARTS = ['run', 'library', 'library-looks', 'measure', 'budgets', 'tagging', 'turns']

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, compare: { type: 'string' } },
})
const known = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3))
  .filter((name) => !PARTS.includes(name))
const unknown = positionals.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`There is no bench ${unknown.join(', ')}; there are ${known.join(', ')}\n`)
  process.exit(1)
}

const runtime = 'Bun' in globalThis ? `Bun ${Bun.version}` : `Node ${process.versions.node}`
process.stdout.write(`${runtime}; times in milliseconds unless another unit is named\n`)
for (const name of positionals.length > 0 ? positionals : known) {
  const { bench } = (await import(`./${name}.ts`)) as {
    bench: (options: typeof values) => Promise<void>
  }
  try {
    await bench(values)
  } catch (error) {
    process.stderr.write(`${name}: ${error}\n`)
    process.exitCode = 1
  }
}
