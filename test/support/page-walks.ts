import assert from 'node:assert/strict'
import { pageFrom, type pages, shown } from './file-rows.ts'

type Get = ReturnType<typeof pages>
type Query = Record<string, string | number> & { limit: number }

/** A cursor alone goes on: it carries the sort and the order. */
function goOn(query: Query, cursor: string) {
  const { sort: _, order: __, ...rest } = query
  return { ...rest, cursor }
}

/** Pages forward through a list, and back from each page; it must hold the expected ids. */
export async function walkForward(get: Get, query: Query, expected: string[], said: string) {
  const { limit } = query
  let page = await get(query)
  for (let at = 0; ; at += limit) {
    assert.deepEqual(shown(page), pageFrom(expected, at, at + limit), `${said}: from ${at}`)
    if (page.prev_cursor) {
      const back = await get({ ...goOn(query, page.prev_cursor), direction: 'backward' })
      assert.deepEqual(shown(back), pageFrom(expected, at - limit, at), `${said}: back from ${at}`)
    }
    if (!page.next_cursor) return
    page = await get(goOn(query, page.next_cursor))
  }
}

/** Pages backward through a list, and on from each page; it must hold the expected ids. */
export async function walkBackward(get: Get, query: Query, expected: string[], said: string) {
  const { limit } = query
  let page = await get({ ...query, direction: 'backward' })
  for (let end = expected.length; ; end -= limit) {
    assert.deepEqual(shown(page), pageFrom(expected, end - limit, end), `${said}: up to ${end}`)
    if (page.next_cursor) {
      const on = await get(goOn(query, page.next_cursor))
      assert.deepEqual(shown(on), pageFrom(expected, end, end + limit), `${said}: on from ${end}`)
    }
    if (!page.prev_cursor) return
    page = await get({ ...goOn(query, page.prev_cursor), direction: 'backward' })
  }
}
