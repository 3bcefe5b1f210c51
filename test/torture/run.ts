import { readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { positionals } = parseArgs({ allowPositionals: true })
const known = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -3))
const unknown = positionals.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`There is no torture ${unknown.join()}; there are ${known.join(', ')}\n`)
  process.exit(1)
}

for (const name of positionals.length > 0 ? positionals : known) {
  const { torture } = (await import(`./${name}.ts`)) as { torture: () => Promise<void> }
  await torture()
}
