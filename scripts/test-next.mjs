import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Runs the fast tests in a copy of the last commit with the newest drizzle-orm that is still 0.x, whose minor versions
// may break what is built on them.

const copy = mkdtempSync(join(tmpdir(), 'tagstead-next-'))
const run = (program, ...args) => execFileSync(program, args, { cwd: copy, stdio: 'inherit' })

let exitCode = 0
try {
  const files = execFileSync('git', ['archive', 'HEAD'], { maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x'], { cwd: copy, input: files })
  run('npm', 'ci')
  run('npm', 'install', 'drizzle-orm@0.x')
  run('npm', 'test')
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  exitCode = 1
}
rmSync(copy, { recursive: true })
process.exit(exitCode)
