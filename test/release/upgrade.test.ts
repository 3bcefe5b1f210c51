import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/free-port.ts'
import { eventually } from '../support/small-server.ts'

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))
const BUN = path('node_modules/bun/bin/bun.exe')
const skip = (process.platform !== 'linux' || process.arch !== 'x64') && 'a release is for Linux'

/** A server that notes its version in the database each time that it starts; a broken one ends then. */
const serverOf = (version: string, isBroken: boolean) => `import { Database } from 'bun:sqlite'
if (process.argv[2] === '--version') {
  console.log('${version}')
  process.exit()
}
const database = new Database(process.env.DATA_DIR + '/tagstead.sqlite')
database.run('PRAGMA journal_mode = WAL')
database.run('CREATE TABLE IF NOT EXISTS starts (version)')
database.run("INSERT INTO starts VALUES ('${version}')")
if (${isBroken}) process.exit(1)
Bun.serve({ hostname: '127.0.0.1', port: process.env.PORT, fetch: () => new Response() })
`
/** What only root may do, what would take its time, and what fails or is noted when a test wants it. */
const STAND_INS = {
  id: '[ "$1" = -u ] && echo 0',
  useradd: '',
  chown: '',
  sync: 'echo sync >>"$LOG"',
  install: 'for folder; do :; done; exec mkdir -p "$folder"',
  runuser: 'shift 3; case "$*" in $RUNUSER_REFUSES) exit 1 ;; esac; exec "$@"',
  setpriv: 'shift 5; exec "$@"',
  sleep: 'exec /bin/sleep 0.2',
  mv: `echo "mv $2" >>"$LOG"
case $2 in $MV_REFUSES) exit 1 ;; $MV_SENDS_AT) kill -"$MV_SENDS" $PPID ;; esac
exec /bin/mv "$@"`,
  rm: `for it; do case $it in */run/*) ;; /*) [ ! -e "$it" ] || echo "rm $it" >>"$LOG" ;; esac; done
exec /bin/rm "$@"`,
  ln: 'case $2 in $LN_REFUSES) exit 1 ;; esac; exec /bin/ln "$@"',
  df: 'case $2 in $FULL) printf "of\\ndisk 9 9 8 50%% /\\n" ;; *) exec /bin/df "$@" ;; esac',
}
/** What the stand-ins look for in what they are given. */
const PATTERNS = ['MV_REFUSES', 'MV_SENDS_AT', 'RUNUSER_REFUSES', 'LN_REFUSES', 'FULL']

describe('install.sh, with a system that is played', { skip }, () => {
  let folder: string
  let port: number

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tagstead-upgrade-'))
    port = await freePort()
    for (const name of ['bin', 'opt', 'run', 'var/lib', 'var/log', 'etc/systemd/system', 'srv']) {
      mkdirSync(at(name), { recursive: true })
    }
    for (const [name, script] of Object.entries(STAND_INS)) sayIn(`bin/${name}`, `${script}\n`)
    const noted = 'case $1 in start | stop) echo $1 >>"$LOG" ;; esac\n'
    sayIn('bin/systemctl', noted + moved('test/release/systemctl'))
    lay('1.0.0')
    lay('2.0.0')
    lay('3.0.0', true)
  })

  after(() => {
    stop()
    rmSync(folder, { recursive: true })
  })

  beforeEach(() => {
    stop()
    for (const name of ['opt', 'var/lib']) {
      rmSync(at(name), { recursive: true })
      mkdirSync(at(name))
    }
    rmSync(at(unit), { force: true })
    writeFileSync(at('etc/tagstead.conf'), `PORT=${port}\n`)
  })

  const at = (name: string) => join(folder, name)
  const unit = 'etc/systemd/system/tagstead.service'
  const sayIn = (name: string, script: string) =>
    writeFileSync(at(name), `#!/bin/sh\n${script}`, { mode: 0o755 })
  /** A file with its places put below the folder, and with a patience that can be given. */
  const moved = (name: string) =>
    readFileSync(path(name), 'utf8')
      .replace(/(?<=[=\s-])\/(opt|var|etc|run)\//gm, `${folder}/$1/`)
      .replace(/>>\/var/g, `>>${folder}/var`)
      .replace(/^SOON=(\d+)$/m, `SOON=\${SOON:-$1}`)
  const lay = (version: string, isBroken = false) => {
    const release = `srv/${version}`
    for (const name of ['bin', 'src']) mkdirSync(at(`${release}/${name}`), { recursive: true })
    symlinkSync(BUN, at(`${release}/bin/bun`))
    cpSync(path('scripts/release/tagstead'), at(`${release}/tagstead`), { dereference: true })
    writeFileSync(at(`${release}/tagstead.service`), moved('scripts/release/tagstead.service'))
    writeFileSync(at(`${release}/src/main.ts`), serverOf(version, isBroken))
    writeFileSync(at(`${release}/install.sh`), moved('scripts/release/install.sh'), { mode: 0o755 })
  }
  const env = (more: Record<string, string> = {}) => ({
    PATH: `${at('bin')}:${process.env.PATH}`,
    LOG: at('log'),
    ...Object.fromEntries(PATTERNS.map((name) => [name, 'nothing'])),
    ...more,
  })
  const install = (version: string, args: string[] = [], more?: Record<string, string>) => {
    const line = [`srv/${version}/install.sh`, ...args]
    const done = spawnSync('sh', line, { cwd: folder, env: env(more), encoding: 'utf8' })
    return { code: done.status, stdout: done.stdout, stderr: done.stderr }
  }
  const installed = (version: string, more?: Record<string, string>) => {
    const { code, stderr } = install(version, [], more)
    assert.equal(code, 0, stderr)
  }
  const systemctl = (verb: string) =>
    spawnSync('systemctl', [verb, 'tagstead'], { env: env() }).status === 0
  const stop = () => systemctl('stop')
  /** The versions that a database has seen, in order. */
  const seen = (database = 'var/lib/tagstead/tagstead.sqlite') => {
    const script = `import { Database } from 'bun:sqlite'
      const rows = new Database(process.argv[1]).query('SELECT version FROM starts').values()
      console.log(rows.flat().join(' '))`
    const line = ['--no-env-file', '-e', script, at(database)]
    return execFileSync(BUN, line, { encoding: 'utf8' }).trim().split(' ')
  }
  const version = () =>
    execFileSync(at('opt/tagstead/tagstead'), ['--version'], { encoding: 'utf8' }).trim()
  const answers = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}`).catch(() => null)
    return answer?.ok === true
  }
  /** The database that was set aside last, of as many. */
  const aside = (count: number) => {
    const kept = readdirSync(at('var/lib/tagstead-replaced')).toSorted()
    assert.equal(kept.length, count)
    return `var/lib/tagstead-replaced/${kept.at(-1)}/tagstead.sqlite`
  }
  const isThere = (name: string) => existsSync(at(name))
  /** What the stand-ins have noted while a version was installed, where more than one sync counts as one. */
  const steps = (version: string) => {
    rmSync(at('log'))
    install(version)
    const lines = readFileSync(at('log'), 'utf8')
      .replaceAll(`${folder}/`, '')
      .replace(/(?<=replaced\/)\d\S+/g, 'DATE')
      .split('\n')
    return lines.filter((line, i) => line && !(line === 'sync' && lines[i - 1] === 'sync'))
  }
  /** The state of a power cut before a version in the place of 1.0.0 was started. */
  const cutOff = (to: string) => {
    installed('1.0.0')
    stop()
    cpSync(at('var/lib/tagstead'), at('var/lib/tagstead-before-upgrade'), { recursive: true })
    renameSync(at('opt/tagstead'), at('opt/tagstead.old'))
    cpSync(at(`srv/${to}`), at('opt/tagstead'), { recursive: true, verbatimSymlinks: true })
  }

  it('lets the user of the service read what was unpacked for root alone, under any CDPATH', () => {
    execFileSync('chmod', ['-R', 'go=', at('srv/1.0.0')])
    installed('1.0.0', { CDPATH: folder })
    const modes = ['src', 'src/main.ts', 'tagstead'].map(
      (name) => statSync(at(`opt/tagstead/${name}`)).mode & 0o777,
    )
    assert.deepEqual(modes, [0o755, 0o644, 0o755])
  })

  it('upgrades, and leaves nothing about', async () => {
    installed('1.0.0')
    installed('2.0.0')
    assert.deepEqual(readdirSync(at('opt')), ['tagstead'])
    assert.deepEqual(readdirSync(at('var/lib')), ['tagstead'])
    assert.deepEqual([version(), seen(), await answers()], ['2.0.0', ['1.0.0', '2.0.0'], true])
  })

  it('puts the old one back, and keeps the database of the new one', async () => {
    installed('1.0.0')
    const { code, stderr } = install('3.0.0')
    assert.equal(code, 1)
    assert.match(stderr, /until now is kept in .*\n.*3\.0\.0 did not answer, and 1\.0\.0 is back/)
    assert.deepEqual([version(), await answers()], ['1.0.0', true])
    assert.deepEqual(seen(), ['1.0.0', '1.0.0'])
    assert.deepEqual(seen(aside(1)), ['1.0.0', '3.0.0'])
    assert.equal(isThere('opt/tagstead.failed'), true)
  })

  it('keeps what a new version has taken since its upgrade was cut off, though it was stopped', async () => {
    cutOff('2.0.0')
    systemctl('start')
    await eventually(answers)
    stop()
    mkdirSync(at('var/lib/tagstead-replaced/unfinished'), { recursive: true })
    installed('2.0.0')
    assert.deepEqual(seen(), ['1.0.0', '2.0.0', '2.0.0', '2.0.0'])
    assert.deepEqual(readdirSync(at('var/lib/tagstead-replaced')), [])
  })

  it('puts back an upgrade that was cut off when its version does not answer', () => {
    cutOff('3.0.0')
    installed('2.0.0')
    assert.deepEqual(seen(), ['1.0.0', '1.0.0', '2.0.0'])
    assert.deepEqual(seen(aside(1)), ['1.0.0', '3.0.0'])
  })

  it('goes on with putting back where that was cut off', () => {
    cutOff('3.0.0')
    rmSync(at('opt/tagstead'), { recursive: true })
    installed('2.0.0')
    assert.deepEqual([version(), seen()], ['2.0.0', ['1.0.0', '1.0.0', '2.0.0']])
  })

  it('changes nothing when the running server is not where it is asked', async () => {
    installed('1.0.0')
    writeFileSync(at('etc/tagstead.conf'), 'PORT=1\n')
    const { code, stderr } = install('2.0.0', [], { SOON: '0' })
    const where = 'http://127.0.0.1:1; nothing was changed'
    assert.deepEqual(
      [code, stderr],
      [1, `install.sh: the running server does not answer at ${where}\n`],
    )
    assert.deepEqual([version(), seen(), await answers()], ['1.0.0', ['1.0.0'], true])
    assert.deepEqual(readdirSync(at('opt')), ['tagstead'])
  })

  it('changes nothing when there is too little room for the worst that may come', async () => {
    installed('1.0.0')
    for (const full of ['var/lib/tagstead', 'var/lib']) {
      const { code, stderr } = install('2.0.0', [], { FULL: at(full) })
      const told = `an upgrade needs 1 MB in ${at(full)}, where 0 MB are free; nothing was changed`
      assert.deepEqual([code, stderr], [1, `install.sh: ${told}\n`])
    }
    assert.deepEqual([version(), seen(), await answers()], ['1.0.0', ['1.0.0'], true])
    assert.deepEqual(
      [readdirSync(at('opt')), readdirSync(at('var/lib'))],
      [['tagstead'], ['tagstead']],
    )
  })

  it('changes nothing when the database can not be copied', async () => {
    installed('1.0.0')
    const { code, stderr } = install('2.0.0', [], { RUNUSER_REFUSES: '*VACUUM*' })
    assert.deepEqual(
      [code, stderr],
      [1, "install.sh: the database can't be copied, and nothing was changed\n"],
    )
    await eventually(answers)
    assert.deepEqual([version(), seen()], ['1.0.0', ['1.0.0', '1.0.0']])
    assert.deepEqual(
      [readdirSync(at('opt')), readdirSync(at('var/lib'))],
      [['tagstead'], ['tagstead']],
    )
  })

  it('can put back later what it had no room to put back', () => {
    installed('1.0.0')
    const { code, stderr } = install('3.0.0', [], { RUNUSER_REFUSES: '*cat*' })
    assert.equal(code, 1)
    assert.match(stderr, /the database can't be put back: look at the room in .*\/tagstead and run/)
    assert.equal(version(), '3.0.0')
    installed('2.0.0')
    assert.deepEqual([version(), seen()], ['2.0.0', ['1.0.0', '1.0.0', '2.0.0']])
    assert.deepEqual(seen(aside(1)).slice(0, 2), ['1.0.0', '3.0.0'])
  })

  it('copies the database that it replaces where no link can be made', () => {
    installed('1.0.0')
    install('3.0.0', [], { LN_REFUSES: '*' })
    assert.deepEqual([version(), seen()], ['1.0.0', ['1.0.0', '1.0.0']])
    assert.deepEqual(seen(aside(1)), ['1.0.0', '3.0.0'])
  })

  it('has on the disk what a step relies on before that begins', () => {
    installed('1.0.0')
    const begun = [
      'stop',
      'sync',
      'mv var/lib/tagstead-before-upgrade',
      'sync',
      'mv opt/tagstead.old',
      'mv opt/tagstead',
      'sync',
      'start',
    ]
    assert.deepEqual(steps('3.0.0'), [
      ...begun,
      'stop',
      'sync',
      'mv opt/tagstead.failed',
      'sync',
      'mv var/lib/tagstead-replaced/DATE',
      'sync',
      'mv tagstead.sqlite',
      'sync',
      'mv opt/tagstead',
      'sync',
      'rm var/lib/tagstead-before-upgrade',
      'sync',
      'start',
      'start',
    ])
    const removed = ['opt/tagstead.gone', 'opt/tagstead.failed', 'var/lib/tagstead-before-upgrade']
    assert.deepEqual(steps('2.0.0'), [
      ...begun,
      'mv opt/tagstead.gone',
      'sync',
      ...removed.map((name) => `rm ${name}`),
      'start',
    ])
  })

  it('waits for no command that is at work, but tells of it', async () => {
    installed('1.0.0')
    const bun = at('opt/tagstead/bin/bun')
    rmSync(bun)
    cpSync(BUN, bun)
    const ends = 'console.log("begun"); process.stdin.resume()'
    const command = spawn(bun, ['--no-env-file', '-e', ends], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const isOver = once(command, 'close')
    try {
      await once(command.stdout, 'data')
      const refused = async () => {
        const { code, stderr } = install('2.0.0')
        const told = `at work (process ${command.pid}): wait for it; nothing was changed`
        assert.deepEqual(
          [code, stderr],
          [1, `install.sh: a command of ${at('opt/tagstead')} is ${told}\n`],
        )
        await eventually(answers)
      }
      await refused()
      rmSync(bun)
      symlinkSync(BUN, bun)
      await refused()
    } finally {
      command.stdin.end()
      await isOver
    }
    assert.deepEqual([version(), seen()], ['1.0.0', ['1.0.0', '1.0.0', '1.0.0']])
    installed('2.0.0')
    assert.equal(version(), '2.0.0')
  })

  it('tells when what is installed does not start', async () => {
    installed('1.0.0')
    rmSync(at('opt/tagstead/src'), { recursive: true })
    const { code, stderr } = install('2.0.0')
    assert.equal(code, 1)
    assert.match(stderr, /what is in .*\/opt\/tagstead does not start: .*; nothing was changed\n$/)
    assert.equal(await answers(), true)
  })

  it('reads settings with indents, quotes and the line ends of Windows', () => {
    writeFileSync(at('etc/tagstead.conf'), `# PORT=1\r\n  PORT="${port}" \r\n`)
    installed('1.0.0')
    installed('2.0.0')
    assert.equal(version(), '2.0.0')
  })

  it('leaves the old one running when something fails after the stop', async () => {
    installed('1.0.0')
    const refused = { MV_REFUSES: at('var/lib/tagstead-before-upgrade') }
    assert.equal(install('2.0.0', [], refused).code, 1)
    await eventually(answers)
    assert.deepEqual([version(), seen()], ['1.0.0', ['1.0.0', '1.0.0']])
    const between = { MV_REFUSES: at('opt/tagstead') }
    assert.equal(install('2.0.0', [], between).code, 1)
    installed('2.0.0')
    assert.equal(version(), '2.0.0')
  })

  it('goes on when the terminal is closed, and leaves a server when it is ended', async () => {
    installed('1.0.0')
    assert.equal(install('2.0.0', [], { MV_SENDS: 'TERM', MV_SENDS_AT: '*' }).code, 1)
    await eventually(answers)
    assert.equal(version(), '1.0.0')
    installed('2.0.0', { MV_SENDS: 'HUP', MV_SENDS_AT: '*' })
    assert.deepEqual([version(), await answers()], ['2.0.0', true])
  })

  it('puts back to the end, however often it is interrupted', async () => {
    installed('1.0.0')
    const isBack = async () => {
      await eventually(answers)
      assert.deepEqual([version(), seen().at(-1)], ['1.0.0', '1.0.0'])
      assert.equal(isThere('opt/tagstead.old'), false)
    }
    const broken = install('3.0.0', [], { MV_SENDS: 'INT', MV_SENDS_AT: '*/opt/tagstead.failed' })
    assert.match(broken.stderr, /3\.0\.0 did not answer, and 1\.0\.0 is back/)
    await isBack()
    const twice = { MV_SENDS: 'TERM', MV_SENDS_AT: '*/opt/tagstead*' }
    assert.equal(install('2.0.0', [], twice).code, 1)
    await isBack()
  })

  it('upgrades where the unit is gone', () => {
    installed('1.0.0')
    stop()
    rmSync(at(unit))
    installed('2.0.0')
    assert.equal(version(), '2.0.0')
  })

  it('refuses to remove or replace a folder with a library in it', () => {
    installed('1.0.0')
    mkdirSync(at('opt/tagstead/data'))
    writeFileSync(at('opt/tagstead/data/tagstead.sqlite'), '')
    for (const args of [[], ['--remove']]) {
      const { code, stderr } = install('2.0.0', args)
      assert.equal(code, 1)
      assert.match(stderr, /there is a library in .*\/opt\/tagstead\/data: move it elsewhere first/)
    }
    assert.equal(isThere('opt/tagstead/data/tagstead.sqlite'), true)
  })

  it('refuses to remove what an upgrade has left half-way, and then removes it', () => {
    cutOff('2.0.0')
    assert.match(install('2.0.0', ['--remove']).stderr, /an upgrade was cut off/)
    assert.equal(isThere('opt/tagstead.old'), true)
    installed('2.0.0')
    for (const left of ['new', 'failed', 'gone']) mkdirSync(at(`opt/tagstead.${left}`))
    assert.equal(install('2.0.0', ['--remove']).code, 0)
    assert.deepEqual([readdirSync(at('opt')), isThere(unit)], [[], false])
    assert.deepEqual(seen(), ['1.0.0', '2.0.0', '2.0.0'])
  })

  it('refuses a folder that is no release', () => {
    mkdirSync(at('opt/tagstead/.git'), { recursive: true })
    assert.match(install('2.0.0').stderr, /is something else/)
    assert.match(install('2.0.0', ['--remove']).stderr, /is something else/)
  })
})
