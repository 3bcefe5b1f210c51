// Runs the tests of one name below, gives them a folder that they share, and says at the end what was skipped and
// what failed. `test/README.md` says which tests are where.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('../', import.meta.url)))

/** What a runtime can change, and the contract of each endpoint; the rest is the same code on both. */
const FAST_OF_RUNTIME =
  '^(db|http|client|media|dav)/|^(app|log|permissions|smoke)\\.|^auth/(password|tokens)|^files/(upload|content|archive|derivatives)|^imports/(import|folder)\\.'
const SLOW_OF_RUNTIME = '^slow/(db|http|base|media|commands|dav)/'

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
const failures = []
try {
  for (const run of runs) run()
  tell()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failures.length > 0 ? 1 : 0

function onBun(path) {
  const program = fileURLToPath(new URL('../node_modules/bun/bin/bun.exe', import.meta.url))
  const flags = ['--no-env-file', '--timeout=120000', '--parallel=3', '--no-isolate']
  if (path === './test') flags.push('--path-ignore-patterns=test/slow/**')
  const report = ['--reporter=junit', `--reporter-outfile=${join(folder, 'Bun')}`]
  const run = call(program, ['test', ...flags, ...report, path])
  if (path === './test') readReport('Bun', run, '', '^slow/')
  else readReport('Bun', run, path.replace('./test/', '^'))
}

function onNode(only, without = '^$') {
  const transpiled = call('node', ['test/on-node/transpile.mjs'])
  if (transpiled.status !== 0) return failures.push('Node: the tests could not be transpiled')
  env.TESTS = JSON.stringify({ only, without })
  const flags = ['--enable-source-maps', '--test', '--test-concurrency=3']
  for (const [reporter, destination] of [
    ['spec', 'stdout'],
    ['junit', join(folder, 'Node')],
  ]) {
    flags.push(`--test-reporter=${reporter}`, `--test-reporter-destination=${destination}`)
  }
  const processes = [1, 2, 3].map((number) => `build/test/on-node/process-${number}.js`)
  readReport('Node', call('node', [...flags, ...processes]), only, without)
}

function call(program, args) {
  return spawnSync(program, args, { env, stdio: 'inherit' })
}

/**
 * Adds what failed by the JUnit report of a runtime: tests, and files without a suite there. These couldn't be loaded,
 * or their process ended, which Node doesn't always call a failure.
 */
function readReport(runtime, { status, signal }, only, without = '^$') {
  const report = join(folder, runtime)
  const text = existsSync(report) ? readFileSync(report, 'utf8') : ''
  const isOfRun = (name) =>
    /\.test\.ts$/.test(name) && RegExp(only).test(name) && !RegExp(without).test(name)
  const files = new Set(text ? readdirSync('test', { recursive: true }).filter(isOfRun) : [])
  const failed = []
  const path = []
  // Node names a suite that didn't end `undefined`.
  const tags =
    /<(\/?)(testsuite|testcase|undefined|failure)\b(?: name="([^"]*)")?(?: \w+="[^"]*")*\s*(\/?)>/g
  for (const [, isEnd, kind, name = '', isAlone] of text.matchAll(tags)) {
    if (kind === 'failure' && !isEnd) failed.push(path.join(' > '))
    if (!isEnd) path.push(path.length > 0 ? name : name.replace(/^test\//, '').replace(/js$/, 'ts'))
    if (path.length === 1 && kind !== 'undefined') files.delete(path[0])
    if (isEnd || isAlone) path.pop()
  }
  failed.unshift(...[...files].map((name) => `${name} did not end`))
  if (status !== 0 && failed.length === 0)
    failed.push(`${signal ?? status}, by an error outside of tests`)
  for (const name of failed) failures.push(`${runtime}: ${name.replace(/&(amp;)?apos;/g, "'")}`)
}

/** Says the seed of what was random, how many tests were skipped for each reason, and what failed. */
function tell() {
  process.stdout.write(`\nseed: ${seed}, for another run with the same: SEED=${seed}\n`)
  const path = join(folder, 'skipped')
  const reasons = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
  const counts = new Map()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  for (const [reason, count] of [...counts].sort()) {
    const words = count === 1 ? reason : reason.replace(/^needs /, 'need ')
    process.stdout.write(`skipped: ${count} ${words}\n`)
  }
  for (const name of failures) process.stdout.write(`failed: ${name}\n`)
}
