import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'

// Node's runner gives each file a process of its own, which costs more time than most files take.
// Here a process runs one file after another, each in a suite that keeps its hooks to itself, and
// whichever process is free takes the next.
const TESTS = fileURLToPath(new URL('../', import.meta.url))
const TAKEN = join(TESTS, '../taken')
const { only = '', without = '^$' }: { only?: string; without?: string } = JSON.parse(
  process.env.TESTS ?? '{}',
)

mkdirSync(TAKEN, { recursive: true })
for (const name of testFiles()) if (isOurs(name)) await run(name)

/** Returns the test files; those that start servers take longest, so they come first. */
function testFiles(): string[] {
  const names = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.[jt]s$/.test(name))
    .filter((name) => RegExp(only).test(name) && !RegExp(without).test(name))
    .sort()
  const startsServers = (name: string) =>
    /support\/spawn\./.test(readFileSync(join(TESTS, name), 'utf8'))
  return [...names.filter(startsServers), ...names.filter((name) => !startsServers(name))]
}

function isOurs(name: string): boolean {
  try {
    mkdirSync(join(TAKEN, name.replaceAll('/', '-')))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

function run(name: string): Promise<void> {
  return new Promise((resolve) => {
    describe(name, async () => {
      after(() => resolve())
      await import(pathToFileURL(join(TESTS, name)).href)
    })
  })
}
