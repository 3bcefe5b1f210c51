import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const LAUNCHER = fileURLToPath(new URL('../../../scripts/release/tagstead', import.meta.url))
const WANTS =
  "Tagstead can't start: it needs Linux on x86-64 with glibc 2.31 or later and libstdc++, and "

describe('what starts a release', () => {
  let folder: string
  let program: string

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'tagstead-launcher-'))
    program = join(folder, 'release/tagstead')
    mkdirSync(join(folder, 'release/bin'), { recursive: true })
    cpSync(LAUNCHER, program, { dereference: true })
    say(join(folder, 'release/bin/bun'), 'printf "%s\\n" "$@"')
  })

  after(() => rmSync(folder, { recursive: true }))

  const say = (path: string, script: string) =>
    writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  /** Runs it where these programs say something else than they do here. */
  const among = (others: Record<string, string>, path = program) => {
    const bin = mkdtempSync(join(folder, 'bin-'))
    for (const [name, script] of Object.entries(others)) say(join(bin, name), script)
    const env = { PATH: `${bin}:${process.env.PATH}` }
    const { status, stdout, stderr } = spawnSync(path, ['help', 'two words'], {
      env,
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }
  const GLIBC = { uname: 'echo x86_64', getconf: 'echo glibc 2.31' }

  it('passes everything on, from wherever it is called', () => {
    const settings = `--config=${join(folder, 'release/src/bun.toml')}`
    const line = ['--no-env-file', '--no-install', settings, join(folder, 'release/src/main.ts')]
    const expected = {
      status: 0,
      stdout: `${[...line, 'help', 'two words'].join('\n')}\n`,
      stderr: '',
    }
    assert.deepEqual(among(GLIBC), expected)
    mkdirSync(join(folder, 'links'))
    symlinkSync('../release/tagstead', join(folder, 'links/one'))
    symlinkSync(join(folder, 'links/one'), join(folder, 'links/two'))
    assert.deepEqual(among(GLIBC, join(folder, 'links/two')), expected)
    const besides = execFileSync('sh', ['tagstead'], {
      cwd: join(folder, 'release'),
      encoding: 'utf8',
    })
    assert.equal(besides, `${line.join('\n')}\n`)
    const below = execFileSync('sh', ['release/tagstead'], {
      cwd: folder,
      env: { ...process.env, CDPATH: folder },
      encoding: 'utf8',
    })
    assert.equal(below, besides)
  })

  const refused: [string, Record<string, string>, string][] = [
    ['another processor', { uname: 'echo aarch64' }, 'this machine is aarch64'],
    ['an older glibc', { getconf: 'echo glibc 2.30' }, 'this system has glibc 2.30'],
    [
      'an older glibc without getconf',
      { getconf: 'exit 1', ldd: 'echo "ldd (Debian GLIBC 2.28-10+deb10u2) 2.28"' },
      'this system has glibc 2.28',
    ],
    [
      'another C library',
      { getconf: 'exit 1', ldd: 'echo "musl libc (x86_64)" >&2; exit 1' },
      'this system has another C library',
    ],
  ]
  for (const [what, others, reason] of refused) {
    it(`tells of ${what} in a line`, () => {
      const expected = { status: 1, stdout: '', stderr: `${WANTS}${reason}\n` }
      assert.deepEqual(among({ ...GLIBC, ...others }), expected)
    })
  }

  it('takes later ones', () => {
    for (const glibc of ['2.31', '2.36', '2.100', '2.31.9000']) {
      assert.equal(among({ ...GLIBC, getconf: `echo glibc ${glibc}` }).status, 0, glibc)
    }
    const ldd = 'echo "ldd (GNU libc) 2.41"'
    assert.equal(among({ ...GLIBC, getconf: 'exit 1', ldd }).status, 0)
  })
})
