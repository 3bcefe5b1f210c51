import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// Prints the files and lines of TypeScript in each folder of `src`, and fails when the server or the gallery exceeds its
// budget. Before you raise a budget, look for what your change makes needless.
const BUDGETS = { server: { files: 690, lines: 75_500 }, gallery: { files: 352, lines: 40_600 } }
const GENERATED = 'client/api.d.ts'

const sizes = new Map()
const count = (name, lines) => {
  const size = sizes.get(name) ?? { files: 0, lines: 0 }
  sizes.set(name, { files: size.files + 1, lines: size.lines + lines })
}
for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
  if (!/\.tsx?$/.test(name) || name === GENERATED) continue
  const lines = readFileSync(join('src', name), 'utf8').split('\n').length - 1
  const folder = name.includes('/') ? name.split('/')[0] : '.'
  count(folder, lines)
  if (folder !== 'gallery') count('server', lines)
}

for (const [name, { files, lines }] of [...sizes].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const budget = BUDGETS[name]
  const limit = budget ? `  (at most ${budget.files} files, ${budget.lines} lines)` : ''
  const cells = [name.padEnd(14), String(files).padStart(4), String(lines).padStart(8), limit]
  process.stdout.write(`${cells.join('')}\n`)
  if (budget && (files > budget.files || lines > budget.lines)) process.exitCode = 1
}
