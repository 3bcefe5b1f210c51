import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import { signal } from '@preact/signals'
import { ApiError } from '../../../src/gallery/base/error.ts'
import type { Picked } from '../../../src/gallery/upload/pick.ts'
import {
  createQueue,
  keyOf,
  mayHelp,
  type Queue,
  type Send,
} from '../../../src/gallery/upload/queue.ts'

function file(name: string, size = 10): Picked {
  const file = new File([new Uint8Array(size)], name, { lastModified: 1_531_526_400_000 })
  return { file, folders: [] }
}

/** A connection that holds each file until a test says what becomes of it. */
function connection() {
  const under = new Map<string, { end(error?: Error): void; onProgress(bytes: number): void }>()
  const send: Send = ({ file: { name } }, { signal, onProgress }) =>
    new Promise((resolve, reject) => {
      const end = (error?: Error) => {
        under.delete(name)
        if (error) reject(error)
        else resolve(`id of ${name}`)
      }
      under.set(name, { end, onProgress })
      signal.addEventListener('abort', () => end(signal.reason))
    })
  return { send, under }
}

function open() {
  const { send, under } = connection()
  const arrived = new Map<string, string>()
  const isHeld = signal(false)
  const queue = createQueue({
    send,
    isDone: (key) => arrived.has(key),
    onDone: ({ key }, id) => arrived.set(key, id),
    isHeld,
  })
  const end = async (name: string, error?: Error) => {
    under.get(name)!.end(error)
    await turn()
  }
  return { queue, under, arrived, isHeld, end }
}

/** Lets what has been settled be noticed. */
async function turn() {
  for (let n = 0; n < 5; n++) await Promise.resolve()
}

const states = ({ items }: Queue) => items.map(({ state }) => state)

describe('the queue of uploads', () => {
  afterEach(() => mock.timers.reset())

  it('sends three at a time, in order', async () => {
    const { queue, under, arrived, end } = open()
    queue.add(['a', 'b', 'c', 'd', 'e'].map((name) => file(name)))
    assert.deepEqual([...under.keys()], ['a', 'b', 'c'])
    await end('b')
    assert.deepEqual([...under.keys()], ['a', 'c', 'd'])
    assert.deepEqual(states(queue), ['sending', 'done', 'sending', 'sending', 'waiting'])
    assert.deepEqual([...arrived], [[keyOf(file('b').file), 'id of b']])
  })

  it('skips what is here already, and what has arrived before', async () => {
    const { queue, arrived } = open()
    arrived.set(keyOf(file('old').file), 'id of old')
    const [old, again] = [file('old'), file('new')]
    assert.deepEqual(queue.add([old, file('new'), again, file('old', 11)]), [old, again])
    assert.deepEqual(
      queue.items.map((item) => item.file.name),
      ['new', 'old'],
    )
  })

  it('sends what has arrived and was deleted since', async () => {
    const { queue, under, arrived, end } = open()
    queue.add([file('a')])
    await end('a')
    const again = file('a')
    assert.deepEqual(queue.add([again]), [again])
    arrived.clear()
    assert.deepEqual(queue.add([file('a')]), [])
    assert.deepEqual([...under.keys()], ['a'])
    assert.deepEqual(states(queue), ['sending'])
  })

  it('keeps from which folders a file came', () => {
    const { queue } = open()
    const from = (...folders: string[]) => ({ ...file('a'), folders })
    queue.add([from('Trip', 'Rome')])
    queue.add([from('Trip', 'Best')])
    assert.deepEqual(queue.items[0]!.folders, ['Trip', 'Rome', 'Best'])
  })

  it('gives files tags of their own, what is still to be sent too', async () => {
    const { queue, end } = open()
    queue.add([file('a'), file('b')])
    await end('a')
    queue.add([file('a'), file('b'), file('c')], ['beach'])
    queue.add([file('c')], ['beach', 'holiday'])
    assert.deepEqual(
      queue.items.map(({ tags }) => tags),
      [[], ['beach'], ['beach', 'holiday']],
    )
  })

  it('tries what was cut off again by itself, after a while that grows, and then tells', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    const { queue, under, end } = open()
    queue.add([file('film')])
    for (const wait of [2000, 8000, 30_000]) {
      await end('film', new ApiError(0, 'no_connection'))
      assert.deepEqual(states(queue), ['waiting'])
      assert.equal(queue.items[0]!.again, Date.now() + wait)
      mock.timers.tick(wait - 1)
      assert.equal(under.size, 0)
      mock.timers.tick(1)
      assert.equal(under.size, 1)
    }
    await end('film', new ApiError(500, 'internal_error'))
    assert.deepEqual(states(queue), ['failed'])
    assert.equal(queue.items[0]!.error!.code, 'internal_error')
  })

  it('waits for a lost server as long as it takes, and counts no tries', async () => {
    const { queue, under, isHeld, end } = open()
    queue.add(['a', 'b', 'c', 'd'].map((name) => file(name)))
    isHeld.value = true
    for (const name of ['a', 'b']) await end(name, new ApiError(0, 'no_connection'))
    await end('c')
    assert.deepEqual([...under.keys()], [])
    assert.deepEqual(states(queue), ['waiting', 'waiting', 'done', 'waiting'])
    isHeld.value = false
    assert.deepEqual([...under.keys()], ['a', 'b', 'd'])
    assert.deepEqual(
      queue.items.map(({ tries }) => tries),
      [1, 1, 1, 1],
    )
  })

  it('waits as long as the server says', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    const { queue, under, end } = open()
    queue.add([file('a')])
    await end('a', new ApiError(429, 'rate_limited', { retryAfter: 60 }))
    mock.timers.tick(59_999)
    assert.equal(under.size, 0)
    mock.timers.tick(1)
    assert.equal(under.size, 1)
  })

  it('sends again what failed, and what the server refused only when it is asked for', async () => {
    const { queue, under, end } = open()
    queue.add(['notes.docx', 'huge', 'over', 'right', 'tag', 'disk', 'b'].map((name) => file(name)))
    await end('notes.docx', new ApiError(415, 'unsupported_mime'))
    await end('huge', new ApiError(413, 'payload_too_large'))
    await end('over', new ApiError(507, 'insufficient_storage', { field: 'file' }))
    await end('right', new ApiError(403, 'forbidden'))
    await end('tag', new ApiError(404, 'not_found'))
    await end('disk', new ApiError(507, 'insufficient_storage'))
    assert.deepEqual(states(queue), [
      ...['refused', 'refused', 'refused'],
      ...['failed', 'failed', 'failed', 'sending'],
    ])
    assert.deepEqual(queue.items.map(mayHelp), [
      ...[false, false, true],
      ...[true, true, true, false],
    ])
    queue.retry()
    assert.deepEqual([...under.keys()], ['b', 'right', 'tag'])
    await end('b')
    queue.retry(queue.items[2])
    await end('tag')
    assert.deepEqual([...under.keys()], ['right', 'disk', 'over'])
    assert.deepEqual(states(queue).slice(0, 3), ['refused', 'refused', 'sending'])
  })

  it('tries at once what is to be tried later when it is asked for', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    const { queue, under, end } = open()
    queue.add([file('a'), file('b')])
    await end('a', new ApiError(0, 'no_connection'))
    await end('b', new ApiError(0, 'no_connection'))
    queue.retry(queue.items[1])
    assert.deepEqual([...under.keys()], ['b'])
    mock.timers.tick(2000)
    assert.deepEqual([...under.keys()], ['b', 'a'])
  })

  it('begins anew what was under way when it was paused', async () => {
    const { queue, under, end } = open()
    queue.add([file('a', 100), file('b')])
    under.get('a')!.onProgress(60)
    assert.equal(queue.items[0]!.sent, 60)
    queue.pause()
    await turn()
    assert.deepEqual(states(queue), ['waiting', 'waiting'])
    queue.add([file('c')])
    assert.equal(under.size, 0)
    queue.goOn()
    assert.deepEqual([...under.keys()], ['a', 'b', 'c'])
    assert.equal(queue.items[0]!.tries, 1)
    await end('a')
    assert.equal(queue.items[0]!.sent, 100)
  })

  it('lets what has left whole arrive when it is paused', async () => {
    const { queue, under, end } = open()
    queue.add([file('whole', 100), file('half', 100), file('next')])
    under.get('whole')!.onProgress(100)
    under.get('half')!.onProgress(50)
    queue.pause()
    await turn()
    assert.deepEqual([...under.keys()], ['whole'])
    await end('whole')
    assert.deepEqual(states(queue), ['done', 'waiting', 'waiting'])
  })

  it('doubts whether what has left whole is there unless the server has said so', async () => {
    const { queue, under, end } = open()
    const errors = {
      lost: new ApiError(0, 'no_connection'),
      foreign: new ApiError(200, 'unknown'),
      refused: new ApiError(500, 'internal_error'),
    }
    queue.add(Object.keys(errors).map((name) => file(name, 100)))
    for (const [name, error] of Object.entries(errors)) {
      under.get(name)!.onProgress(100)
      await end(name, error)
    }
    assert.deepEqual(
      queue.items.map(({ isUncertain = false }) => isUncertain),
      [true, true, false],
    )
    for (const item of [...queue.items]) queue.drop(item)
  })

  it('gives a file up that is under way', async () => {
    const { queue, under, end } = open()
    queue.add(['a', 'b', 'c', 'd'].map((name) => file(name)))
    queue.drop(queue.items[0]!)
    await turn()
    assert.deepEqual([...under.keys()], ['b', 'c', 'd'])
    const settled = queue.settled()
    for (const name of ['b', 'c', 'd']) await end(name)
    await settled
    queue.clear()
    assert.deepEqual(queue.items, [])
  })

  it('gives all up that is neither waiting nor under way, what failed too', async () => {
    const { queue, end } = open()
    queue.add(['done', 'refused', 'failed', 'a', 'b', 'c', 'd'].map((name) => file(name)))
    await end('done')
    await end('refused', new ApiError(415, 'unsupported_mime'))
    await end('failed', new ApiError(403, 'forbidden'))
    queue.clear()
    assert.deepEqual(states(queue), ['sending', 'sending', 'sending', 'waiting'])
  })
})
