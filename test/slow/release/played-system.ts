import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/free-port.ts'
import { THIS_RUNTIME } from '../../support/spawn.ts'

const path = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url))
/** Why no release is installed here, or false. */
export const withoutRelease =
  ((process.platform !== 'linux' || process.arch !== 'x64') && 'needs Linux on x86-64') ||
  (THIS_RUNTIME === 'node' && 'needs Bun, which runs a release')
/** The runtime that a release brings. */
const BUN = path('node_modules/bun/bin/bun.exe')

/** A server that notes its version in the database each time that it starts, and has a process; a broken one ends then. */
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
const child = Bun.spawn([process.execPath, '--no-env-file', '-e', 'setInterval(Boolean, 1e6)'])
process.on('SIGTERM', async () => {
  child.kill()
  await child.exited
  process.exit()
})
Bun.serve({ hostname: '127.0.0.1', port: process.env.PORT, fetch: () => new Response() })
`
/** What only root may do, what would take its time, and what fails or is noted when a test wants it. */
const STAND_INS = {
  id: '[ "$1" = -u ] && echo 0',
  useradd: '',
  chown: '',
  sync: 'echo sync >>"$LOG"',
  install: 'for folder; do :; done; exec mkdir -p "$folder"',
  runuser:
    'cut -d " " -f 6 /proc/$$/stat >>"$LOG.sessions"; shift 3; case "$*" in $RUNUSER_REFUSES) exit 1 ;; esac; exec "$@"',
  setpriv: 'shift 5; exec "$@"',
  sleep: 'exec /bin/sleep 0.05',
  'at-work': `/bin/ln -f "$BUN" "$1/bin/bun"
[ -e "$COMMAND.begun" ] || mkfifo "$COMMAND.begun"
"$1/bin/bun" --no-env-file -e 'console.log(1); setInterval(Boolean, 1e6)' \\
  </dev/null >"$COMMAND.begun" 2>/dev/null &
echo $! >"$COMMAND"
read begun <"$COMMAND.begun"`,
  mv: `echo "mv $2" >>"$LOG"
case $2 in $BEGINS_AT) [ ! -e "$BEGINS" ] || at-work "$BEGINS" ;; esac
case $2 in $MV_REFUSES) exit 1 ;; $MV_SENDS_AT) kill -"$MV_SENDS" $PPID ;; esac
exec /bin/mv "$@"`,
  rm: `for it; do case $it in */run/*) ;; /*) [ ! -e "$it" ] || echo "rm $it" >>"$LOG" ;; esac; done
exec /bin/rm "$@"`,
  ln: 'case $2 in $LN_REFUSES) exit 1 ;; esac; exec /bin/ln "$@"',
  df: 'case $2 in $FULL) printf "of\\ndisk 9 9 8 50%% /\\n" ;; *) exec /bin/df "$@" ;; esac',
}
/** What the stand-ins look for in what they are given. */
const PATTERNS = ['MV_REFUSES', 'MV_SENDS_AT', 'BEGINS_AT', 'RUNUSER_REFUSES', 'LN_REFUSES', 'FULL']

/** A folder in the place of /, with releases of 1.0.0, 2.0.0 and the broken 3.0.0 to install, and a systemd that is played. */
export function playedSystem() {
  let folder: string
  let port: number

  const at = (name: string) => join(folder, name)
  const command = () => Number(readFileSync(at('run/command'), 'utf8'))
  const unit = 'etc/systemd/system/tagstead.service'
  const sayIn = (name: string, script: string) =>
    writeFileSync(at(name), `#!/bin/sh\n${script}`, { mode: 0o755 })
  /** A file with its places put below the folder, and with a patience that can be given. */
  const moved = (name: string) =>
    readFileSync(path(name), 'utf8')
      .replace(/(?<=[=\s-])\/(opt|var|etc|run)\//gm, `${folder}/$1/`)
      .replace(/>>\/var/g, `>>${folder}/var`)
      .replace(/^(SOON|PATIENCE)=(\d+)$/gm, `$1=\${$1:-$2}`)
  const lay = (version: string, isBroken = false) => {
    const release = `srv/${version}`
    for (const name of ['bin', 'src']) mkdirSync(at(`${release}/${name}`), { recursive: true })
    symlinkSync(BUN, at(`${release}/bin/bun`))
    cpSync(path('src/bun.toml'), at(`${release}/src/bun.toml`))
    cpSync(path('scripts/release/tagstead'), at(`${release}/tagstead`), { dereference: true })
    writeFileSync(at(`${release}/tagstead.service`), moved('scripts/release/tagstead.service'))
    writeFileSync(at(`${release}/src/main.ts`), serverOf(version, isBroken))
    writeFileSync(at(`${release}/install.sh`), moved('scripts/release/install.sh'), { mode: 0o755 })
  }
  const env = (more: Record<string, string> = {}) => ({
    PATH: `${at('bin')}:${process.env.PATH}`,
    LOG: at('log'),
    BUN: at('srv/bun'),
    COMMAND: at('run/command'),
    ...Object.fromEntries(PATTERNS.map((name) => [name, 'nothing'])),
    ...more,
  })
  const install = (version: string, args: string[] = [], more?: Record<string, string>) => {
    const line = [`srv/${version}/install.sh`, ...args]
    const done = spawnSync('sh', line, { cwd: folder, env: env(more), encoding: 'utf8' })
    return { code: done.status, stdout: done.stdout, stderr: done.stderr }
  }
  /** The same while it goes on. */
  const installing = (version: string, more?: Record<string, string>) =>
    spawn('sh', [`srv/${version}/install.sh`], { cwd: folder, env: env(more) })
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
  /** Begins a command of what is in a folder, and returns its process, which goes on until `endCommand`. */
  const beginCommand = (place: string) => {
    execFileSync('at-work', [at(place)], { env: env() })
    return command()
  }
  const endCommand = async () => {
    const pid = command()
    // It may have begun where the others are ignored.
    process.kill(pid, 'SIGKILL')
    await eventually(() => !existsSync(`/proc/${pid}/exe`))
    rmSync(at('run/command'))
  }
  /** Has the server run what lies in its folder, as it does of a release, and not what is linked there. */
  const runOwnBun = () => {
    stop()
    execFileSync('ln', ['-f', at('srv/bun'), at('opt/tagstead/bin/bun')])
    systemctl('start')
  }
  /** The state of a power cut before a version in the place of 1.0.0 was started. */
  const cutOff = (to: string) => {
    installed('1.0.0')
    stop()
    cpSync(at('var/lib/tagstead'), at('var/lib/tagstead-before-upgrade'), { recursive: true })
    renameSync(at('opt/tagstead'), at('opt/tagstead.old'))
    cpSync(at(`srv/${to}`), at('opt/tagstead'), { recursive: true, verbatimSymlinks: true })
  }

  /** Takes away what was installed. */
  const empty = async () => {
    stop()
    if (isThere('run/command')) await endCommand()
    for (const name of ['opt', 'var/lib']) {
      rmSync(at(name), { recursive: true })
      mkdirSync(at(name))
    }
    rmSync(at(unit), { force: true })
    writeFileSync(at('etc/tagstead.conf'), `PORT=${port}\n`)
  }

  return {
    async make() {
      folder = mkdtempSync(join(tmpdir(), 'tagstead-upgrade-'))
      port = await freePort()
      for (const name of ['bin', 'opt', 'run', 'var/lib', 'var/log', 'etc/systemd/system', 'srv']) {
        mkdirSync(at(name), { recursive: true })
      }
      for (const [name, script] of Object.entries(STAND_INS)) sayIn(`bin/${name}`, `${script}\n`)
      const noted = `case $1 in start | stop) echo $1 >>"$LOG" ;; esac
case $1 in $BEGINS_AT) at-work "$BEGINS" ;; esac\n`
      sayIn('bin/systemctl', noted + moved('test/slow/release/systemctl'))
      cpSync(BUN, at('srv/bun'))
      lay('1.0.0')
      lay('2.0.0')
      lay('3.0.0', true)
    },
    empty,
    async remove() {
      await empty()
      rmSync(folder, { recursive: true })
    },
    port: () => port,
    at,
    unit,
    isThere,
    command,
    install,
    installing,
    installed,
    systemctl,
    stop,
    seen,
    version,
    answers,
    aside,
    cutOff,
    steps,
    beginCommand,
    endCommand,
    runOwnBun,
  }
}
