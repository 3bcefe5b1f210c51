import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { readEnvironment } from '../../../src/base/env-file.ts'
import { commandLine, THIS_RUNTIME } from '../../support/spawn.ts'

const [BUN] = commandLine('bun')

describe('what somebody has put into the folder where Tagstead is started', () => {
  let folder: string
  let planted: string
  let mark: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'tagstead-planted-'))
    planted = join(folder, 'planted')
    mark = join(folder, 'mark')
    mkdirSync(planted)
    const code = `import { writeFileSync } from 'node:fs'
      writeFileSync(${JSON.stringify(mark)}, '')
      export * from ${JSON.stringify(resolve('node_modules/zod/index.js'))}\n`
    writeFileSync(join(planted, 'code.ts'), code)
    writeFileSync(join(planted, 'bunfig.toml'), 'preload = ["./code.ts"]\n')
    const paths = { zod: ['./code.ts'] }
    const tsconfig = {
      compilerOptions: { baseUrl: '.', paths },
      include: [`${resolve('src')}/**/*`],
    }
    writeFileSync(join(planted, 'tsconfig.json'), JSON.stringify(tsconfig))
  })
  after(() => rmSync(folder, { recursive: true }))

  /** Runs a program there, and returns what it says and whether the code ran. */
  const runThere = (program: string, args: string[]) => {
    rmSync(mark, { force: true })
    const env = { PATH: process.env.PATH, HOME: folder, TAGSTEAD_RUNTIME: THIS_RUNTIME }
    const { stdout, stderr } = spawnSync(program, args, { cwd: planted, env, encoding: 'utf8' })
    return { stdout, stderr, hasRun: existsSync(mark) }
  }
  const VERSION = { stdout: '3.0.0\n', stderr: '', hasRun: false }

  it('is not run by bin/', () => {
    const node = THIS_RUNTIME === 'node' ? process.execPath : 'node'
    assert.deepEqual(runThere(node, [resolve('bin/tagstead.mjs'), '--version']), VERSION)
    // It reads settings, for which it loads packages.
    const { stdout, hasRun } = runThere(node, [resolve('bin/tagstead.mjs'), 'config'])
    assert.match(stdout, /^DATA_DIR/m)
    assert.equal(hasRun, false)
  })

  it('is not run by a release', () => {
    const release = join(folder, 'release')
    mkdirSync(join(release, 'bin'), { recursive: true })
    cpSync('scripts/release/tagstead', join(release, 'tagstead'))
    symlinkSync(BUN, join(release, 'bin/bun'))
    for (const name of ['src', 'node_modules', 'package.json']) {
      symlinkSync(resolve(name), join(release, name))
    }
    const bare = ['--no-env-file', '--no-install', join(release, 'src/main.ts'), '--version']
    assert.equal(runThere(BUN, bare).hasRun, true, 'it would be')
    assert.deepEqual(runThere(join(release, 'tagstead'), ['--version']), VERSION)
  })

  it('gives no settings when it is of another account, and says so by name', () => {
    const own = mkdtempSync(join(folder, 'env-'))
    const path = join(own, '.env')
    writeFileSync(path, 'FFMPEG_PATH=/tmp/evil\n')
    const uid = process.getuid!()
    const read = (asked = uid) => readEnvironment({}, own, ['FFMPEG_PATH'], asked).values
    assert.deepEqual(read(), { FFMPEG_PATH: '/tmp/evil' })
    // What root owns, all trust; whoever else owns it, others don't.
    if (uid === 0) for (const one of [own, path]) chownSync(one, 1234, 1234)
    const of = (one: string) =>
      new RegExp(`^Error: ${path} is not read: ${one} belongs to neither root nor this account`)
    assert.throws(() => read(uid + 1), of(own))
    if (uid !== 0) return
    chownSync(own, 0, 0)
    assert.throws(() => read(), of(path))
  })
})
