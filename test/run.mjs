// Runs the tests of one name below, gives them a folder that they share, and tells at the end what was left out.
// `test/README.md` says which tests are where.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('../', import.meta.url)))

/** What a runtime can change, and the contract of each endpoint; the rest is the same code on both. */
const FAST_OF_RUNTIME =
  '^(db|http|client|media)/|^(app|log|permissions|smoke)\\.|^auth/(password|tokens)|^files/(upload|content|archive|derivatives)|^imports/(import|folder)\\.'
const SLOW_OF_RUNTIME = '^slow/(db|http|base|media|commands)/'

const [name = 'fast'] = process.argv.slice(2)
const runs = {
  fast: [() => onBun('./test'), () => onNode(FAST_OF_RUNTIME, '^slow/')],
  node: [() => onNode('', '^slow/')],
  rest: [() => onNode('', `^slow/|${FAST_OF_RUNTIME}`)],
  slow: [() => onBun('./test/slow'), () => onNode(SLOW_OF_RUNTIME)],
  browser: [() => onBun('./test/slow/gallery/every')],
}[name]
if (runs === undefined) throw new Error(`no tests are called ${name}`)

const folder = mkdtempSync(join(tmpdir(), 'tagstead-run-'))
const seed = process.env.SEED ?? String(Math.floor(Math.random() * 2 ** 31))
const env = {
  ...process.env,
  TAGSTEAD_TEST_RUN: folder,
  SEED: seed,
  ...(name === 'browser' && { MATRIX: 'all' }),
}
let failed = false
try {
  for (const run of runs) failed = run() !== 0 || failed
  tell()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0

function onBun(...paths) {
  const program = fileURLToPath(new URL('../node_modules/bun/bin/bun.exe', import.meta.url))
  const flags = ['--no-env-file', '--timeout=120000', '--parallel=3', '--no-isolate']
  if (!paths[0].startsWith('./test/slow')) flags.push('--path-ignore-patterns=test/slow/**')
  return call(program, ['test', ...flags, ...paths])
}

function onNode(only, without = '^$') {
  const code = call('node', ['test/on-node/transpile.mjs'])
  if (code !== 0) return code
  env.TESTS = JSON.stringify({ only, without })
  const flags = ['--enable-source-maps', '--test', '--test-concurrency=3', '--test-reporter=spec']
  const processes = [1, 2, 3].map((number) => `build/test/on-node/process-${number}.js`)
  return call('node', [...flags, ...processes])
}

function call(program, args) {
  return spawnSync(program, args, { env, stdio: 'inherit' }).status ?? 1
}

/** Tells the seed of what was random, and how many tests were left out for each reason. */
function tell() {
  process.stdout.write(`\nseed: ${seed}, for another run with the same: SEED=${seed}\n`)
  const path = join(folder, 'skipped')
  if (!existsSync(path)) return
  const counts = new Map()
  for (const reason of readFileSync(path, 'utf8').trim().split('\n')) {
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  for (const [reason, count] of [...counts].sort()) {
    const words = count === 1 ? reason : reason.replace(/^needs /, 'need ')
    process.stdout.write(`skipped: ${count} ${words}\n`)
  }
}
