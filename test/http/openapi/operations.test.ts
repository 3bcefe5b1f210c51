import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type AskOf, ROWS, type Row } from '../../support/contract/asks.ts'
import type { ContractOperation } from '../../support/contract/contract.ts'
import {
  type Ask,
  IDS,
  openWorld,
  UNKNOWN_NUMBER,
  type World,
} from '../../support/contract/world.ts'

/** They need a slow client, one of many requests, a broken machine, or the HTTP layer. */
const ELSEWHERE = [408, 431, 500, 503, 507]
/** Enough at once for every limit. */
const CROWD = 30
const UPLOAD_LIMIT = 64 * 1024

describe('every operation of the document', () => {
  let world: World

  before(async () => {
    world = await openWorld({ AUTH_RATE_LIMIT: '1', MAX_UPLOAD_SIZE: '64KiB' })
  })
  after(() => world.close())

  it('stands in the table, and the table names no other', () => {
    const documented = world.library.contract.operations.map((operation) => operation.id)
    assert.deepEqual(Object.keys(ROWS).sort(), documented.sort())
  })

  for (const [id, row] of Object.entries(ROWS)) {
    it(`${id} answers with each of its statuses`, async () => {
      const operation = world.library.contract.operations.find((each) => each.id === id)
      assert.ok(operation)
      const documented = Object.keys(operation.description.responses)
        .map(Number)
        .filter((status) => !ELSEWHERE.includes(status))
      const found = []
      for (const status of documented) found.push(await answerTo(operation, row, status))
      assert.deepEqual(found, documented)
      const extra = Object.keys(row).filter((status) => !documented.includes(Number(status)))
      assert.deepEqual(extra, [])
    })
  }

  async function answerTo(operation: ContractOperation, row: Row, status: number) {
    world.reset()
    const { done, ...ask } = await askFor(operation, row, status)
    const answers = await world.ask(operation, ask, status === 429 ? CROWD : 1)
    await done?.()
    world.library.deps.db.run('DELETE FROM user_changes')
    return answers.includes(status) ? status : answers[0]
  }

  async function askFor(
    operation: ContractOperation,
    row: Row,
    status: number,
  ): Promise<Ask & { done?: () => unknown }> {
    const own = row[status]
    if (own) return made(own)
    if (status === 429) fillDay()
    const success = Object.entries(row).find(([key]) => key < '300')![1]
    return plainAsk(operation, await made(success), status)
  }

  /** As if all had written as much into the log as they may in a day. */
  function fillDay() {
    const { db } = world.library.deps
    db.run(
      'INSERT INTO user_changes (user_id, day, bytes, text_bytes) SELECT id, ?, 1e9, 0 FROM users',
      Math.floor(world.library.time.now / 86_400_000),
    )
  }

  async function made(ask: AskOf): Promise<Ask & { done?: () => unknown }> {
    return typeof ask === 'function' ? ask(world) : ask
  }
})

const isForBearers = ({ security }: ContractOperation['description']) =>
  security.some((way) => 'bearer' in way)

/** Returns the request for a success, spoilt in the way that most operations answer with the status. */
function plainAsk({ path, description }: ContractOperation, success: Ask, status: number): Ask {
  const content = Object.keys(description.requestBody?.content ?? {})[0]
  const first = /\{(\w+)\}/.exec(path.replace('{object_type}', ''))?.[1]
  switch (status) {
    case 429:
      return success
    case 400:
      if (first) return { ...success, path: { [first]: 'nonsense' } }
      if (description.parameters) return { ...success, query: '?limit=none&limit=1' }
      return { ...success, file: undefined, body: '[]' }
    case 401:
      return { ...success, as: 'nobody' }
    case 403:
      return { ...success, as: isForBearers(description) ? 'former admin' : 'stranger' }
    case 404:
      assert.ok(first, 'there is no id in the path')
      return {
        ...success,
        path: { [first]: first === 'user_id' ? UNKNOWN_NUMBER : IDS.unknown },
      }
    case 413:
      if (content === 'multipart/form-data') return { file: Buffer.alloc(UPLOAD_LIMIT + 1) }
      return { ...success, body: `{${' '.repeat(2 ** 20)}}` }
    default:
      throw new Error(`the table has no request for ${status}`)
  }
}
