import assert from 'node:assert/strict'
import { sha256 } from '../../support/imports.ts'
import type { Call } from '../worlds/steps.ts'

/** An object as the API shows it. */
// biome-ignore lint/suspicious/noExplicitAny: those who read it know of which kind it is
export type Shown = any

/** The most that a page may have. */
const LIMIT = 200

/** Returns an answer read as JSON; throws when it is none of success. */
export async function get(call: Call, path: string): Promise<Shown> {
  const response = await call('GET', path)
  const text = await response.text()
  assert.equal(response.status, 200, `GET ${path}: ${text}`)
  return JSON.parse(text)
}

/** Yields the items of all pages of a list that goes on by cursors. */
export async function* byCursor(call: Call, path: string): AsyncGenerator<Shown> {
  const joint = path.includes('?') ? '&' : '?'
  for (let cursor = ''; ; ) {
    const page = await get(call, `${path}${joint}limit=${LIMIT}${cursor}`)
    yield* page.items
    if (page.next_cursor === null) return
    cursor = `&cursor=${page.next_cursor}`
  }
}

/** Yields the items of all pages of a list that goes on by offsets. */
export async function* byOffset(call: Call, path: string): AsyncGenerator<Shown> {
  for (let offset = 0; ; offset += LIMIT) {
    const { items, total } = await get(call, `${path}?limit=${LIMIT}&offset=${offset}`)
    yield* items
    if (offset + LIMIT >= total) return
  }
}

/** Returns the items of a list in the order of their ids. */
export async function inOrder(items: AsyncGenerator<Shown>): Promise<Shown[]> {
  const all: Shown[] = []
  for await (const item of items) all.push(item)
  return all.sort((one, other) => (one.id < other.id ? -1 : 1))
}

/** Returns the SHA-256 of the content of a file, in hexadecimal. */
export async function contentDigest(call: Call, id: string): Promise<string> {
  const response = await call('GET', `/files/${id}/content`)
  assert.equal(response.status, 200, `the content of ${id}`)
  return sha256(new Uint8Array(await response.arrayBuffer()))
}

/**
 * Yields what two lists in the order of ids have: the items of one id together, and null in the place of one that only
 * the other list has.
 */
export async function* joined(
  left: AsyncIterator<Shown> | Iterator<Shown>,
  right: AsyncIterator<Shown> | Iterator<Shown>,
): AsyncGenerator<[Shown | null, Shown | null]> {
  let [one, other] = await Promise.all([left.next(), right.next()])
  while (!one.done || !other.done) {
    const isLeft = !one.done && (other.done || one.value.id <= other.value.id)
    const isRight = !other.done && (one.done || other.value.id <= one.value.id)
    yield [isLeft ? one.value : null, isRight ? other.value : null]
    ;[one, other] = await Promise.all([isLeft ? left.next() : one, isRight ? right.next() : other])
  }
}
