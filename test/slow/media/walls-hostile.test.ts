import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import sharp from 'sharp'
import { eventually } from '../../support/eventually.ts'
import { WEBM } from '../../support/media/fake-ffmpeg.ts'
import { ffmpegOf, walledDecoder, withoutWalls } from '../../support/media/walls.ts'
import { after, afterEach, before, describe, it } from '../../support/test.ts'

const SERVER = { host: '127.0.0.1', port: 9 }
const READY = { cpu: 1, rss: 1, ready: true, slowness: 1, opened: [] as string[] }

const { PATH, LD_LIBRARY_PATH } = process.env
/** Returns where a program is that is installed, whatever stands before it by now. */
const pathOf = (program: string) =>
  execFileSync('/bin/sh', ['-c', `command -v ${program}`], {
    env: { PATH },
    encoding: 'utf8',
  }).trim()

/** A child that is not what it should be stands where bubblewrap is looked for, and becomes a real one after that. */
describe('a child that a stranger has taken over', () => {
  let folder: string
  let picture: Uint8Array
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tagstead-hostile-'))
    chmodSync(folder, 0o755)
    const create = { width: 60, height: 40, channels: 3, background: '#467' } as const
    picture = await sharp({ create }).png().toBuffer()
  })
  afterEach(() => {
    process.env.PATH = PATH
    if (LD_LIBRARY_PATH === undefined) delete process.env.LD_LIBRARY_PATH
    else process.env.LD_LIBRARY_PATH = LD_LIBRARY_PATH
  })
  after(() => rm(folder, { recursive: true }))

  /** Has a script run, and then the program, where that is started. */
  const runBefore = async (program: 'bwrap' | 'setpriv', script: string) => {
    const file = join(folder, program)
    await writeFile(file, `#!/bin/sh\n${script}\nexec '${pathOf(program)}' "$@"\n`)
    chmodSync(file, 0o755)
    process.env.PATH = `${folder}${delimiter}${PATH}`
  }
  const beforeBubblewrap = (script: string) => runBefore('bwrap', script)
  const says = (lines: string[]) => {
    writeFileSync(join(folder, 'lines'), lines.map((line) => `${line}\n`).join(''))
    return `cat '${folder}/lines'`
  }
  const once = (script: string) =>
    `if mkdir '${folder}/${script.length}' 2>/dev/null; then ${script}; fi`
  const decoder = async () => {
    const walled = await walledDecoder('namespaces')
    walled.decoder.begin(SERVER)
    return walled
  }
  type Walled = Awaited<ReturnType<typeof decoder>>
  const isMade = async (walled: Walled) => {
    const content = await walled.add(picture)
    assert.equal((await walled.derive(content, 'image/png')).state, 'made')
  }
  /** Has a decoder that starts beside a stray `sleep` die, and be there again. */
  const dieBeside = async (stray: string, mark: string) => {
    // What comes about only once the decoder has ended is nobody's to kill.
    const hasBegun = 'until grep -q sleep /proc/$!/comm; do :; done'
    await runBefore('setpriv', `case "$*" in *main*) ${stray} ${hasBegun};; esac`)
    const walled = await walledDecoder('user')
    await isMade(walled)
    await eventually(() => running(mark).length > 0)
    process.kill(Number((await walled.told('decoder ready')).pid), 'SIGKILL')
    await walled.told('decoder died')
    await isMade(walled)
    await walled.end()
  }
  const warnings = (walled: Walled) =>
    walled.said.filter(({ level }) => /warn|error/.test(level)).map(({ message }) => message)

  it('is no worse with a bubblewrap that lacks an option', {
    skip: withoutWalls('namespaces'),
  }, async () => {
    await beforeBubblewrap(
      'case " $* " in *" --disable-userns "*) echo "bwrap: Unknown option --disable-userns" >&2; exit 1;; esac',
    )
    const walled = await decoder()
    assert.deepEqual(await walled.told('the walls of the decoder'), { walls: 'namespaces' })
    await isMade(walled)
    assert.deepEqual(warnings(walled), [])
    await walled.end()
  })

  it('costs no wall by being killed before it has begun', {
    skip: withoutWalls('namespaces'),
  }, async () => {
    await beforeBubblewrap(once('exit 137'))
    const walled = await decoder()
    await isMade(walled)
    assert.deepEqual(await walled.told('the walls of the decoder'), { walls: 'namespaces' })
    assert.deepEqual(warnings(walled), ['decoder died'])
    await walled.end()
  })

  it('is not heard when what it says has another shape', {
    skip: withoutWalls('namespaces'),
  }, async () => {
    const taken = { cpu: 1, rss: 1 }
    const odd = [
      ...[null, [], 5, 'text', {}, { id: 1 }, { id: 1, result: null }, { ready: true }],
      ...[{ ready: true }, { error: null, id: 1 }, { error: 'text', id: 1 }].map((said) => ({
        ...taken,
        ...said,
      })),
      ...[null, '__proto__', {}, 1, 99].map((id) => ({ ...taken, id, result: null })),
    ]
    await beforeBubblewrap(says([...odd.map((one) => JSON.stringify(one)), '{"cpu":', '\u0000']))
    const walled = await decoder()
    await isMade(walled)
    assert.deepEqual(await walled.told('the walls of the decoder'), { walls: 'namespaces' })
    assert.deepEqual(warnings(walled), [])
    await walled.end()
  })

  it('can not take back what it said of its walls', {
    skip: withoutWalls('namespaces'),
  }, async () => {
    const open = { ...READY, opened: ['its input'] }
    await beforeBubblewrap(says([READY, open].map((one) => JSON.stringify(one))))
    const held = await decoder()
    await isMade(held)
    assert.deepEqual(await held.told('the walls of the decoder'), { walls: 'namespaces' })
    assert.deepEqual(warnings(held), [])
    await held.end()

    await beforeBubblewrap(says([open, READY].map((one) => JSON.stringify(one))))
    const fallen = await decoder()
    await isMade(fallen)
    const told = await fallen.told('the walls of the decoder')
    assert.equal(told.namespaces, 'open: its input')
    assert.notEqual(told.walls, 'namespaces')
    await fallen.end()
  })

  it('ends no server by results of another shape', {
    skip: withoutWalls('namespaces'),
  }, async () => {
    const results = [null, 5, [], {}, { phash: {}, thumbnail: 7, exif: [], duration: 'long' }]
    for (const result of results) {
      const answer = `{"cpu":1,"rss":1,"id":%s,"result":${JSON.stringify(result)}}\\n`
      const script = `${says([JSON.stringify(READY)])}
while read -r line; do id=\${line#*:}; printf '${answer}' "\${id%%,*}"; done; exit`
      await beforeBubblewrap(script)
      const walled = await decoder()
      const content = await walled.add(picture)
      const ended = await walled.derive(content, 'image/png').then(
        ({ state }) => state,
        () => 'refused',
      )
      assert.ok(ended === 'failed' || ended === 'refused', `${JSON.stringify(result)}: ${ended}`)
      await walled.end()
    }
  })

  it('is not let near a key that lies, by a link, where it may look', {
    skip: withoutWalls('namespaces'),
  }, async () => {
    const seen = join(folder, 'seen')
    mkdirSync(seen)
    writeFileSync(join(seen, 'secret.key'), 'a secret', { mode: 0o600 })
    symlinkSync(join(seen, 'secret.key'), join(folder, 'link.key'))
    symlinkSync(seen, join(folder, 'folder'))
    process.env.LD_LIBRARY_PATH = seen
    for (const path of ['link.key', 'folder/secret.key']) {
      const walled = await walledDecoder('namespaces', { secrets: [join(folder, path)] })
      walled.decoder.begin(SERVER)
      const told = await walled.told('the walls of the decoder')
      assert.equal(told.namespaces, 'open: secret.key', path)
      await walled.end()
    }
  })

  for (const level of ['namespaces', 'user'] as const) {
    it(`behind ${level} stops nobody by closing its folder`, {
      skip: withoutWalls(level),
    }, async () => {
      const ffmpeg = await ffmpegOf(folder, 'chmod 000 out; frame')
      const walled = await walledDecoder(level, { ffmpeg })
      const film = await walled.add(WEBM)
      const [{ state }] = await Promise.all([walled.derive(film, 'video/webm'), isMade(walled)])
      assert.equal(state, 'failed')
      await isMade(walled)
      assert.deepEqual(readFileSync(film), WEBM)
      const { how } = await walled.told('decoder died', 2)
      assert.equal(how, 'closed its folder')
      assert.deepEqual(warnings(walled), ['decoder died', 'decoder died'])
      await walled.end()
    })
  }

  for (const level of ['namespaces', 'user'] as const) {
    it(`behind ${level} leaves no program in a session of its own`, {
      skip: withoutWalls(level),
    }, async () => {
      const mark = `stray ${process.pid} ${level}`
      // It says that it has ended, and stops whoever is there once the decoder has.
      const stray = `: ${mark}; printf 'x) Z' >/proc/$$/comm; echo $$ >out/stray
while kill -0 "$0"; do :; done; while :; do kill -s STOP -- -1; done`
      const script = `decoder=$(cut -d ' ' -f 4 /proc/$PPID/stat)
setsid sh -c '${stray.replaceAll("'", "'\\''")}' "$decoder" </dev/null >/dev/null 2>&1 & frame`
      const walled = await walledDecoder(level, { ffmpeg: await ffmpegOf(folder, script) })
      const film = await walled.add(WEBM)
      assert.equal((await walled.derive(film, 'video/webm')).state, 'made')
      await eventually(() => walled.roomPaths().some((room) => existsSync(join(room, 'out/stray'))))
      assert.equal(running(mark).length, 1)
      await walled.end()
      await eventually(() => running(mark).length === 0)
    })
  }

  it('as another user leaves none that lives too shortly to be found', {
    skip: withoutWalls('user'),
  }, async () => {
    const beats = join(folder, 'beats')
    await writeFile(beats, '')
    chmodSync(beats, 0o666)
    const forks = `n() { echo >>${beats}; (n) & exit; }; n`
    const script = `setsid sh -c '${forks}' </dev/null >/dev/null 2>&1 & frame`
    const walled = await walledDecoder('user', { ffmpeg: await ffmpegOf(folder, script) })
    const film = await walled.add(WEBM)
    assert.equal((await walled.derive(film, 'video/webm')).state, 'made')
    // On a busy machine it may be found before the end, by chance.
    await eventually(() => statSync(beats).size > 0)
    await walled.end()
    // What was killed may still be ending. One that lives on is rarely seen, but goes on writing.
    await eventually(() => running(beats).length === 0)
    const { size } = statSync(beats)
    for (let look = 0; look < 100; look++) assert.deepEqual(running(beats), [])
    assert.equal(statSync(beats).size, size)
  })

  it('as another user hides its end from nobody', { skip: withoutWalls('user') }, async () => {
    const [time, mark] = [`${process.pid}.75`, `sleep\0${process.pid}.75`]
    // Its output is the decoder's.
    await dieBeside(`setsid ${pathOf('setpriv')} $1 $2 $3 $4 $5 sleep ${time} &`, mark)
    await eventually(() => running(mark).length === 0)
  })

  it('as another user hides its end from nobody by what can not be killed', {
    skip: withoutWalls('user'),
  }, async () => {
    const [time, mark] = [`${process.pid}.5`, `sleep\0${process.pid}.5`]
    try {
      await dieBeside(`setsid sleep ${time} &`, mark)
    } finally {
      for (const pid of running(mark)) process.kill(pid, 'SIGKILL')
    }
  })

  it('as another user is so to each other decoder, too', {
    skip: withoutWalls('user'),
  }, async () => {
    const all = await Promise.all([walledDecoder('user'), walledDecoder('user')])
    const users = new Set<number>()
    for (const walled of all) {
      walled.decoder.begin(SERVER)
      const { pid } = await walled.told('decoder ready')
      users.add(statSync(`/proc/${pid}`).uid)
      assert.match(readFileSync(`/proc/${pid}/limits`, 'utf8'), /^Max processes +256 +256 /m)
    }
    assert.equal(users.size, 2)
    assert.ok(!users.has(0))
    for (const walled of all) await walled.end()
  })
})

/** Returns the processes that have a text in their command line. */
function running(text: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)
      } catch {
        return false
      }
    })
}
