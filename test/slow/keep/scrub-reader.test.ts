import assert from 'node:assert/strict'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { Hono } from 'hono'
import { createActivity } from '../../../src/http/clients/activity.ts'
import type { AppEnv } from '../../../src/http/env.ts'
import { type Reader, startReader } from '../../../src/keep/scrub/reader.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { sha256 } from '../../support/backups.ts'
import { eventually } from '../../support/eventually.ts'
import { isRunning, stateOf } from '../../support/processes.ts'
import { contentsIn, readersOf } from '../../support/scrubbing.ts'

/** A name of a content. */
const BLOB = 'aa'.repeat(16)

describe('the reader of contents', () => {
  let folder: string
  let ending: AbortController
  let reader: Reader | undefined
  /** What is waited for, and how it is over. */
  let waits: { ms: number; end: () => void }[]
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'tagstead-reader-'))
  })
  afterEach(async () => {
    reader?.end()
    await eventually(() => readersOf(process.pid).length === 0)
  })
  after(() => rmSync(folder, { recursive: true }))

  const start = async () => {
    waits = []
    ending = new AbortController()
    const activity = createActivity(
      (ms) => new Promise((resolve) => waits.push({ ms, end: resolve })),
    )
    reader = await startReader(folder, activity, ending.signal)
    const app = new Hono<AppEnv>()
    app.use(activity.watch)
    app.get('/', (c) => c.text('done'))
    // A program has no command line at the very moment when it starts.
    await eventually(() => readersOf(process.pid).length > 0)
    const [pid] = readersOf(process.pid)
    return { reader, pid: pid!, ask: () => app.request('/') }
  }
  const calm = async () => {
    await eventually(() => waits.length > 0)
    for (const { end } of waits.splice(0)) end()
  }
  const pathOf = (blob: string) => dataFolder(folder).content(blob)
  const content = (blob: string, bytes: Uint8Array | string) => {
    mkdirSync(dirname(pathOf(blob)), { recursive: true })
    writeFileSync(pathOf(blob), bytes)
    return { blob, isWhole: true }
  }

  it('tells what files are, one after the other, or why they are not to be had', async () => {
    const { reader, pid } = await start()
    await calm()
    const bytes = Buffer.alloc(2 ** 20 + 1, 'abc')
    const [one, two] = [content(BLOB, bytes), content('bb'.repeat(16), 'x')]
    const [none, below, inPlace] = ['cc', 'dd', 'ee'].map((digits) => digits.repeat(16))
    writeFileSync(dirname(pathOf(below!)), '')
    mkdirSync(pathOf(inPlace!), { recursive: true })
    assert.deepEqual(await reader.read(one), { size: bytes.length, sha256: sha256(bytes) })
    assert.deepEqual(await reader.read(two), { size: 1, sha256: sha256(Buffer.from('x')) })
    const codeOf = (blob: string) => reader.read({ blob, isWhole: true })
    assert.deepEqual(await codeOf(none!), { code: 'ENOENT' })
    assert.deepEqual(await codeOf(below!), { code: 'ENOTDIR' })
    assert.deepEqual(await codeOf(inPlace!), { code: 'EISDIR' })
    assert.deepEqual(await reader.read({ blob: none!, isWhole: false }), { code: 'ENOENT' })
    assert.ok('size' in (await reader.read({ ...one, isWhole: false })))
    // The nineteenth field is how nice it is; the second, in brackets, may have spaces.
    const [, rest] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    assert.equal(rest!.split(' ')[19 - 3], '19')
  })

  it('reads at most 10 MB in a second', async () => {
    const { reader } = await start()
    await calm()
    const bytes = Buffer.alloc(5_000_000)
    const large = content(BLOB, bytes)
    await reader.read(content('bb'.repeat(16), 'x'))
    const begun = performance.now()
    assert.deepEqual(await reader.read(large), { size: bytes.length, sha256: sha256(bytes) })
    // The machine's clock may be read a moment later here than there.
    assert.ok(performance.now() - begun > 490)
  })

  it('stands still until two seconds passed without a request, even inside a file', async () => {
    const { reader, pid, ask } = await start()
    await eventually(() => stateOf(pid) === 'T')
    await calm()
    const { path } = contentsIn(folder)
    mkdirSync(join(path(BLOB), '..'), { recursive: true })
    contentsIn(folder).hang(BLOB)
    const reading = reader.read({ blob: BLOB, isWhole: true })
    await eventually(() => stateOf(pid) === 'S')
    await ask()
    await eventually(() => stateOf(pid) === 'T')
    await eventually(() => waits.length > 0)
    assert.deepEqual(
      waits.map(({ ms }) => ms),
      [2000],
    )
    await calm()
    await eventually(() => stateOf(pid) !== 'T')
    closeSync(openSync(path(BLOB), 'w'))
    // Nothing can be read at a place of a pipe.
    assert.deepEqual(await reading, { code: 'ESPIPE' })
  })

  it('is ended while it stands still, and whoever waits for it is told', async () => {
    const { reader, pid } = await start()
    await eventually(() => stateOf(pid) === 'T')
    const reading = reader.read({ blob: BLOB, isWhole: true })
    const told = assert.rejects(reading, /The reader of contents has ended/)
    reader.end()
    await told
    await eventually(() => !isRunning(pid))
    await assert.rejects(reader.read({ blob: BLOB, isWhole: true }), /has ended/)
  })

  it('keeps nobody waiting who is told to end', async () => {
    const { reader } = await start()
    const reading = reader.read({ blob: BLOB, isWhole: true })
    const told = assert.rejects(reading, { name: 'AbortError' })
    ending.abort()
    await told
  })
})
