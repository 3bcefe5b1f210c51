import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createLog, sameEntry } from '../../../src/base/log.ts'
import { commandLine } from '../../support/spawn.ts'

const PROGRAM = fileURLToPath(new URL('../../support/log-and-end.ts', import.meta.url))

/** Returns the messages that the program has left when it ended in some way. */
async function messagesOf(way: string): Promise<string[]> {
  const [program, ...args] = commandLine(undefined, PROGRAM)
  const printed = await new Promise<string>((resolve) => {
    execFile(program, [...args, way], (_error, stdout) => resolve(stdout))
  })
  return printed
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line).message)
}

describe('the log', () => {
  it('writes lines of JSON from its level upwards, in the order in which they were said', async () => {
    const to = new PassThrough()
    const log = createLog('info', to)
    const begun = Date.now()
    log.debug('too small')
    log.info('a request', { ms: 1.5, operation: 12n })
    log.error('a fault', { error: new Error('broken') })
    const [bytes] = await once(to, 'data')
    const lines = String(bytes)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      lines.map(({ level, message }) => `${level} ${message}`),
      ['info a request', 'error a fault'],
    )
    assert.equal(lines[0].ms, 1.5)
    assert.equal(lines[0].operation, '12')
    const said = Date.parse(lines[0].time)
    assert.ok(said >= begun && said <= Date.now(), lines[0].time)
    assert.match(lines[1].error, /^Error: broken\n {4}at /)
  })

  it('gathers lines that are not urgent into one write', async () => {
    const to = new PassThrough()
    const log = createLog('debug', to)
    for (let n = 1; n <= 100; n++) log.info(`line ${n}`)
    assert.equal(to.readableLength, 0)
    // The log's own timer keeps no process going.
    const going = setInterval(() => {}, 1000)
    const [bytes] = await once(to, 'data')
    clearInterval(going)
    assert.equal(String(bytes).split('\n').length, 101)
  })

  it('writes text for people, in which nothing looks like more than it is', async () => {
    const to = new PassThrough()
    const log = createLog('debug', to, 'text')
    log.debug('request', { request_id: 'x', method: 'GET', path: '/a', status: 200, ms: 1.5 })
    log.warn('login failed', { address: '::1', name: 'a b\x1b[2J\u202e"\n', count: 2, note: 'a b' })
    log.error('a fault', { error: new Error('broken'), request_id: 7 })
    to.end()
    const printed = Buffer.concat(await to.toArray()).toString()
    const [request, login, fault, stack, ...frames] = printed.trimEnd().split('\n')
    const time = '\\d\\d:\\d\\d:\\d\\d'
    assert.match(request!, new RegExp(`^${time} debug GET /a 200 1\\.5 ms$`))
    assert.match(
      login!,
      new RegExp(`^${time} warn login failed address=::1 name="(.*)" count=2 note="a b"$`),
    )
    assert.doesNotMatch(login!, /[\p{Cc}\p{Cf}]/u)
    assert.match(fault!, new RegExp(`^${time} error a fault request_id=7$`))
    assert.equal(stack, '  Error: broken')
    assert.ok(frames.length > 0)
    for (const frame of frames) assert.match(frame, /^ {6}at /)
  })

  it('is JSON where it goes into a file or another program, and text on a terminal', () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true })
    for (const [to, begins] of [
      [terminal, /^\d\d:/],
      [new PassThrough(), /^\{/],
    ] as const) {
      createLog('info', to).error('a fault')
      assert.match(String(to.read()), begins)
    }
  })

  it('writes what another process has logged as text, and what is no entry as it is', () => {
    const entry = '{"time":"2026-01-02T03:04:05.678Z","level":"info","message":"done"}'
    assert.equal(sameEntry(entry, new PassThrough(), 'json'), entry)
    assert.match(sameEntry(entry, new PassThrough(), 'text'), /done/)
    for (const odd of ['{ code: 1', '{}', '{"time":1}']) {
      assert.doesNotThrow(() => sameEntry(odd, new PassThrough(), 'text'), odd)
    }
    assert.equal(sameEntry('{ code: 1', new PassThrough(), 'text'), '{ code: 1')
  })

  it('has written all when the process ends by itself, exits, or breaks', async () => {
    for (const way of ['ends', 'exits', 'throws', 'rejects']) {
      assert.deepEqual(await messagesOf(way), ['the last line'], way)
    }
  })

  it('writes a warning, and what came before it, at once', async () => {
    assert.deepEqual(await messagesOf('is urgent'), ['the last line', 'a warning'])
  })

  it('gathers no more than 64 KiB', async () => {
    assert.deepEqual(await messagesOf('is full of it'), ['the last line', 'a long line'])
  })
})
