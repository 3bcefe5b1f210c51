import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { handmade } from '../support/file-rows.ts'
import { type Library, openLibrary } from '../support/harness.ts'

const NOBODY = '01234567-89ab-7def-8123-456789abcdef'

let library: Library
let ann: { id: number; token: string }

before(async () => {
  library = await openLibrary()
  ann = await library.join('Ann')
})
after(() => library.close())

describe('a parameter of the list of files', () => {
  it('that is wrong, empty or repeated is 400 and named', async () => {
    const cursor = handmade(['files', 'created', 'desc', null, NOBODY, 'after'])
    const wrong: [string, string[]][] = [
      ...['', '0', '201', '-1', '1.5', '1e1', '0x10', '+5', ' 5', 'ten', '99999999999999999'].map(
        (limit): [string, string[]] => [`limit=${encodeURIComponent(limit)}`, ['limit']],
      ),
      ...['', 'name', 'CREATED', 'id', '__proto__'].map((sort): [string, string[]] => [
        `sort=${sort}`,
        ['sort'],
      ]),
      ...['', 'ASC', 'up'].map((order): [string, string[]] => [`order=${order}`, ['order']]),
      ...['', 'back', 'Forward'].map((way): [string, string[]] => [
        `direction=${way}`,
        ['direction'],
      ]),
      ...['', '1', '0', 'yes', 'TRUE', 'on'].map((trash): [string, string[]] => [
        `trash=${trash}`,
        ['trash'],
      ]),
      ...['', 'x', NOBODY.slice(1), `${NOBODY}0`, `{${NOBODY}}`].map((id): [string, string[]] => [
        `anchor=${id}`,
        ['anchor'],
      ]),
      ...['', '2018', '2018-07-01', '2018-07-01T00:00:00', '2018-02-30T00:00:00Z', 'July'].flatMap(
        (time): [string, string[]][] => [
          [`from=${time}`, ['from']],
          [`to=${time}`, ['to']],
        ],
      ),
      ['cursor=', ['cursor']],
      [`cursor=${cursor}&anchor=${NOBODY}`, ['anchor']],
      ['filter=r', ['filter']],
      ['limit=0&sort=x&order=x&direction=x&trash=x&anchor=x', PARAMETERS],
      ...[...PARAMETERS, 'cursor', 'filter', 'search', 'from', 'to'].map(
        (name): [string, string[]] => [`${name}=${VALID[name]}&${name}=${VALID[name]}`, [name]],
      ),
    ]
    for (const [query, fields] of wrong) {
      const { status, body } = await library.call('GET', `/files?${query}`, { token: ann.token })
      assert.equal(status, 400, query)
      assert.equal(body.code, 'validation_error')
      const named = body.details.map((detail: { field: string }) => detail.field)
      assert.deepEqual(named.sort(), fields.toSorted(), query)
    }
  })

  it('that is unknown, or at the edge of what is allowed, is taken', async () => {
    for (const query of ['limit=1', 'limit=200', 'limit=007', 'search=', 'filter=', 'page=3&x']) {
      const { status } = await library.call('GET', `/files?${query}`, { token: ann.token })
      assert.equal(status, 200, query)
    }
  })

  it('is not looked at before the caller has said who they are', async () => {
    const { status, body } = await library.call('GET', '/files?limit=0')
    assert.deepEqual([status, body.code], [401, 'unauthorized'])
  })
})

const PARAMETERS = ['limit', 'sort', 'order', 'direction', 'trash', 'anchor']
const VALID: Record<string, string> = {
  limit: '5',
  sort: 'created',
  order: 'asc',
  direction: 'forward',
  trash: 'false',
  anchor: NOBODY,
  cursor: handmade(['files', 'created', 'desc', null, NOBODY, 'after']),
  filter: '%7B%7D',
  from: '2018-07-01T00:00:00Z',
  to: '2018-07-01T00:00:00%2B02:00',
  search: 'x',
}
