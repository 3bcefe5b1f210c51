import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  type FileSeed,
  fileSeed,
  idAt,
  idsOf,
  inOrder,
  insertFiles,
  ORDERS,
  pageFrom,
  pages,
  SORTS,
  shown,
} from '../support/file-rows.ts'
import { manyTimes } from '../support/filter-trees.ts'
import { type Library, openLibrary } from '../support/harness.ts'

const NAMES = [
  'Beach.JPG',
  'beach at night.jpg',
  'ΟΔΟΣ ΕΡΜΟΥ.jpg',
  'Προΰπολογισμός.png',
  'Москва.jpg',
  'İstanbul.jpg',
  'STRAẞE.jpg',
  'Ärger.jpg',
  'A\u0308pfel.jpg',
  '\u01f0.jpg',
  '𐐀𐐁.jpg',
  '100%.jpg',
  '1000.jpg',
  'a_b.jpg',
  'axb.jpg',
  '"quoted".jpg',
  "it's.jpg",
  'back\\slash.jpg',
  'star*.jpg',
  'a AND b NOT c.jpg',
  '(1) -x ^y {z}: +.jpg',
  '😀.jpg',
  '👨‍👩‍👧 family.jpg',
  '日本語.jpg',
  null,
  null,
]

let library: Library
let token: string
let get: ReturnType<typeof pages>
const files = NAMES.map((name, index) =>
  fileSeed(idAt(1.7e12 + (index % 5), index), {
    name,
    time: index % 3,
    type: index % 2 === 0 ? 'image/jpeg' : 'image/png',
  }),
)

/** The names that a search finds, gathered from its pages, in the order of the files. */
async function found(search: string, limit: number): Promise<(string | null)[]> {
  const names: (string | null)[] = []
  let page = await get({ search, limit, order: 'asc' })
  for (;;) {
    names.push(...page.items.map((file) => file.original_name))
    if (page.next_cursor === null) break
    page = await get({ search, limit, cursor: page.next_cursor })
  }
  return NAMES.filter((name) => name !== null && names.includes(name))
}

const STREET = 'ΟΔΟΣ ΕΡΜΟΥ.jpg'

/** What a search finds, by what it shows. */
const CASES: Record<string, [search: string, names: string[]][]> = {
  'finds names whatever the case of their letters, in every alphabet': [
    ['beach', ['Beach.JPG', 'beach at night.jpg']],
    ['BEACH.jpg', ['Beach.JPG']],
    // The small sigma that ends a word, and the one that doesn't.
    ['οδος', [STREET]],
    ['οδοσ', [STREET]],
    ['Σ ερμου', [STREET]],
    ['ς', [STREET, 'Προΰπολογισμός.png']],
    // A capital that needs two code points where the small letter is one.
    ['ΠΡΟΫ\u0301ΠΟΛ', ['Προΰπολογισμός.png']],
    ['J\u030c', ['\u01f0.jpg']],
    ['МОСК', ['Москва.jpg']],
    ['осква.JPG', ['Москва.jpg']],
    ['İSTANBUL', ['İstanbul.jpg']],
    ['i\u0307stanbul', ['İstanbul.jpg']],
    ['İ', ['İstanbul.jpg']],
    ['straße', ['STRAẞE.jpg']],
    ['ẞ', ['STRAẞE.jpg']],
    ['𐐨𐐩', ['𐐀𐐁.jpg']],
  ],
  'finds letters however their marks are written': [
    ['ä', ['Ärger.jpg', 'A\u0308pfel.jpg']],
    ['A\u0308', ['Ärger.jpg', 'A\u0308pfel.jpg']],
    ['äPFEL', ['A\u0308pfel.jpg']],
    ['a\u0308rger', ['Ärger.jpg']],
    ['apfel', []],
  ],
  'takes every character as it is': [
    ['%', ['100%.jpg']],
    ['00%', ['100%.jpg']],
    ['100%.', ['100%.jpg']],
    ['%%%', []],
    ['_', ['a_b.jpg']],
    ['a_b', ['a_b.jpg']],
    ['"', ['"quoted".jpg']],
    ['"quoted"', ['"quoted".jpg']],
    ['"""', []],
    ["'", ["it's.jpg"]],
    ["t's", ["it's.jpg"]],
    ['\\', ['back\\slash.jpg']],
    ['k\\s', ['back\\slash.jpg']],
    ['*', ['star*.jpg']],
    ['ar*', ['star*.jpg']],
    ['sta*', []],
    ['a and b', ['a AND b NOT c.jpg']],
    ['NOT', ['a AND b NOT c.jpg']],
    ['beach OR star', []],
    ['name_key:beach', []],
    ['(1) -x ^y {z}: +', ['(1) -x ^y {z}: +.jpg']],
    [
      ' ',
      [
        'beach at night.jpg',
        'ΟΔΟΣ ΕΡΜΟΥ.jpg',
        'a AND b NOT c.jpg',
        '(1) -x ^y {z}: +.jpg',
        '👨‍👩‍👧 family.jpg',
      ],
    ],
    [' at ', ['beach at night.jpg']],
    ['beach ', ['beach at night.jpg']],
    ['\0', []],
    ['bea\0ch', []],
    ['beach\0', []],
    ['bea\nch', []],
    ['\ufffd\ufffd\ufffd', []],
  ],
  'may be of one, two, three or more code points': [
    ['q', ['"quoted".jpg']],
    ['qu', ['"quoted".jpg']],
    ['quo', ['"quoted".jpg']],
    ['quot', ['"quoted".jpg']],
    ['😀', ['😀.jpg']],
    ['😀.', ['😀.jpg']],
    ['😀.j', ['😀.jpg']],
    ['😀😀😀', []],
    ['👨', ['👨‍👩‍👧 family.jpg']],
    ['👨‍👩‍👧', ['👨‍👩‍👧 family.jpg']],
    ['日', ['日本語.jpg']],
    ['日本', ['日本語.jpg']],
    ['日本語', ['日本語.jpg']],
    ['日本語.', ['日本語.jpg']],
    ['x'.repeat(3000), []],
  ],
}

describe('a search', () => {
  before(async () => {
    library = await openLibrary()
    token = (await library.join('Root', { is_admin: true })).token
    get = pages(library, token)
    insertFiles(library.deps.db, files)
  })
  after(() => library.close())

  for (const [behaviour, cases] of Object.entries(CASES)) {
    it(behaviour, async () => {
      for (const [search, names] of cases) {
        for (const limit of [1, 200]) assert.deepEqual(await found(search, limit), names, search)
      }
    })
  }

  it('finds every name by each of its parts, in capitals and in small letters', async () => {
    const fold = (text: string) => text.toLowerCase().replaceAll('ς', 'σ').normalize('NFC')
    for (const name of NAMES.filter((name) => name !== null)) {
      const points = [...fold(name)]
      for (const length of [1, 2, 3, 4]) {
        for (let at = 0; at + length <= points.length; at += length) {
          const part = points.slice(at, at + length).join('')
          const expected = NAMES.filter((other) => other !== null && fold(other).includes(part))
          assert.deepEqual(await found(part, 200), expected, part)
        }
      }
    }
  })

  it('that is empty leaves the list as it is, files without a name too', async () => {
    const all = idsOf(inOrder(files, 'created', 'desc'))
    assert.deepEqual(shown(await get({ search: '', limit: 200 })), pageFrom(all, 0, 200))
  })

  it('finds nothing where nothing matches, and then there are no cursors', async () => {
    const none = { items: [], next_cursor: null, prev_cursor: null }
    for (const search of ['ω', 'zz', 'zzz', 'zzzz']) {
      for (const direction of ['forward', 'backward']) {
        assert.deepEqual(await get({ search, direction }), none)
      }
    }
  })

  it('goes by the name of this moment', async () => {
    const { id } = files[0]!
    const rename = (original_name: string | null) =>
      library.call('PATCH', `/files/${id}`, { token, body: { original_name } })
    const finds = async (search: string) => shown(await get({ search })).items.includes(id)
    await rename('Mountain.jpg')
    assert.deepEqual([await finds('each.j'), await finds('moUNT')], [false, true])
    await rename(null)
    assert.deepEqual([await finds('moUNT'), await finds('')], [false, true])
    await rename('Beach.JPG')
    assert.deepEqual([await finds('each.j'), await finds('moUNT')], [true, false])
  })

  it('finds the same among so many files that the full-text index is asked', async () => {
    const unnamed = Array.from({ length: 5100 }, (_, index) => fileSeed(idAt(1.6e12, index)))
    insertFiles(library.deps.db, unnamed)
    for (const [search, names] of Object.values(CASES).flat()) {
      assert.deepEqual(await found(search, 200), names, search)
    }
  })
})

describe('a search beside a filter', () => {
  let own: Library
  let rare: string
  let common: string
  let many: FileSeed[]
  before(async () => {
    own = await openLibrary()
    const root = await own.join('Root', { is_admin: true })
    get = pages(own, root.token)
    const tag = async (name: string) => {
      const answer = await own.call('POST', '/tags', { token: root.token, body: { name } })
      return answer.body.id as string
    }
    // Their row numbers are 1 and 2.
    rare = await tag('rare')
    common = await tag('common')
    many = Array.from({ length: 90 }, (_, index) =>
      fileSeed(idAt(1.7e12 + (index % 5), index), {
        name: index % 9 === 0 ? null : `${'xyz'[index % 3]} Summer ${index % 4}`,
        time: index % 6,
        type: index % 2 === 0 ? 'image/jpeg' : 'image/png',
        tags: index % 5 === 0 ? [1, 2] : [2],
        trashed: index % 7 === 0,
      }),
    )
    insertFiles(own.deps.db, many)
  })
  after(() => own.close())

  it('holds together with it in every sort, both ways, in the trash too', async () => {
    const jpeg = '{m=image/jpeg}'
    // Too many conditions to be asked of each file.
    const wide = manyTimes(`t=${common},&,m=image/jpeg`)
    const isJpeg = (file: FileSeed) => file.type === 'image/jpeg'
    const filters: [string, (file: FileSeed) => boolean][] = [
      [jpeg, isJpeg],
      [wide, isJpeg],
      [`{t=${rare}}`, (file) => file.tags.includes(1)],
      [`{t=${common},&,!,t=${rare}}`, (file) => !file.tags.includes(1)],
      ['', () => true],
    ]
    for (const [filter, passes] of filters) {
      for (const search of ['X', 'SU', 'x summer', 'r 3']) {
        for (const trash of [false, true]) {
          const list = many.filter(
            (file) =>
              file.trashed === trash &&
              passes(file) &&
              file.name?.toLowerCase().includes(search.toLowerCase()),
          )
          const query = { filter, search, trash: String(trash) }
          for (const sort of SORTS) {
            for (const order of ORDERS) await pagesThrough({ ...query, sort, order }, list)
          }
        }
      }
    }
  })

  async function pagesThrough(
    query: Record<string, string> & { sort: (typeof SORTS)[number]; order: 'asc' | 'desc' },
    list: FileSeed[],
  ) {
    const expected = idsOf(inOrder(list, query.sort, query.order))
    const limit = 11
    const first = await get({ ...query, limit })
    const said = JSON.stringify(query)
    assert.deepEqual(shown(first), pageFrom(expected, 0, limit), said)
    if (first.next_cursor) {
      const second = await get({ ...query, limit, cursor: first.next_cursor })
      assert.deepEqual(shown(second), pageFrom(expected, limit, 2 * limit), said)
    }
    const last = await get({ ...query, limit, direction: 'backward' })
    const { length } = expected
    assert.deepEqual(shown(last), pageFrom(expected, length - limit, length), said)
  }
})
