import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { write } from '../../../src/db/write.ts'
import type { CellPage, FileIdPage } from '../../../src/files/overview/schema.ts'
import {
  type FileSeed,
  fileSeed,
  idAt,
  insertFiles,
  queryText,
  randomNumbers,
  sees,
} from '../../support/file-rows.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { insertPool, insertTag, putTags, ridOf } from '../../support/object-rows.ts'
import { fc } from '../../support/property.ts'
import { setWalks } from '../../support/set-walks.ts'

const POOL = idAt(1.6e12, 100)
const PAIRED_POOL = idAt(1.6e12, 101)
const TAGS = [idAt(1.6e12, 1), idAt(1.6e12, 2)]
const PEOPLE = ['admin', 'owner', 'viewer', 'public']
const [PAIRS, ALONE] = [70, 60]

let library: Library
let walks: ReturnType<typeof setWalks>
const tokens: Record<string, string> = {}
const people: Record<string, number> = {}
const files = new Map<string, FileSeed>()
/** The film of each picture that has one. */
const films = new Map<string, string>()

// Films are near their pictures or far from them, and each half is hidden, in the trash or without a tag by itself.
before(async () => {
  library = await openLibrary()
  walks = setWalks(library, tokens)
  const { db } = library.deps
  for (const name of PEOPLE) {
    const user = await library.join(name, { is_admin: name === 'admin' })
    tokens[name] = user.token
    people[name] = user.id
  }
  const random = randomNumbers(11)
  const seeds: FileSeed[] = []
  const add = (type: string, name: string, time: number) => {
    seeds.push(
      fileSeed(idAt(Date.UTC(2026, 0, 31, 22) + random(9) * 3_600_000, random(2 ** 30)), {
        name,
        time,
        type,
        owner: people.owner!,
        isPublic: random(3) === 0,
        viewers: random(2) === 0 ? [people.viewer!] : [],
        trashed: random(8) === 0,
      }),
    )
    return seeds.at(-1)!.id
  }
  const someTime = () => Date.UTC(2018, 5 + random(2), 30, 20) + random(12) * 3_600_000
  for (let n = 0; n < ALONE; n++) {
    add(['image/jpeg', 'image/png', 'video/mp4'][random(3)]!, `${random(3)} alone`, someTime())
  }
  for (let n = 0; n < PAIRS; n++) {
    const [time, isFar] = [someTime(), random(3) === 0]
    const film = () => add('video/quicktime', `${isFar ? 'z' : n}.mov`, isFar ? someTime() : time)
    const first = random(2) === 0 ? film() : null
    const picture = add('image/heic', `${n}.heic`, time)
    films.set(picture, first ?? film())
  }
  for (const seed of seeds) files.set(seed.id, seed)
  // The halves of a pair are created far from each other.
  const ranks = new Map(seeds.map(({ id }) => [id, random(2 ** 30)]))
  insertFiles(
    db,
    seeds.toSorted((a, b) => ranks.get(a.id)! - ranks.get(b.id)!),
  )
  write(db, { now: 0 }, () => {
    for (const id of TAGS) insertTag(db, { id, name: id, owner: people.owner!, isPublic: true })
    for (const { id } of seeds) {
      putTags(
        db,
        id,
        TAGS.filter(() => random(2) === 0),
      )
    }
    for (const [picture, film] of films) {
      db.run(
        'INSERT INTO companions VALUES (?, ?)',
        ridOf(db, 'file', film),
        ridOf(db, 'file', picture),
      )
    }
    const pool = { owner: people.owner!, isPublic: true }
    const pooled = seeds.filter(() => random(3) > 0).map(({ id }) => id)
    insertPool(db, { ...pool, id: POOL, name: 'some', files: pooled })
    // All films first: a page of it passes them all.
    const paired = [...films.values(), ...films.keys()]
    insertPool(db, { ...pool, id: PAIRED_POOL, name: 'pairs', files: paired })
  })
})
after(() => library.close())

type Query = Record<string, string | number>

/** Returns the ids of a list, as they are without its films whose pictures it holds. */
function folded(ids: string[]): string[] {
  const all = new Set(ids)
  const gone = new Set([...films].filter(([picture]) => all.has(picture)).map(([, film]) => film))
  return ids.filter((id) => !gone.has(id))
}

/** Returns the film that a person sees of a picture in a list. */
function filmSeen(who: string, picture: string, trash: boolean): string | null {
  const film = files.get(films.get(picture) ?? '')
  if (!film || film.trashed !== trash) return null
  return who === 'admin' || sees(people[who]!, film) ? film.id : null
}

async function checkList(who: string, query: Query, limit: number): Promise<void> {
  const trash = query.trash === 'true'
  const all = (await walks.walkIds(who, query)).ids
  const expected = folded(all)
  const expectedFilms = expected.map((id) => filmSeen(who, id, trash))
  const asked = { ...query, pairs: '1', limit }
  const said = `${who} ${queryText(asked)}`
  const cells = await walks.walkCells(who, asked)
  assert.deepEqual(
    cells.map((cell) => cell.id),
    expected,
    said,
  )
  assert.deepEqual(await walks.walkCells(who, { ...asked, direction: 'backward' }), cells, said)
  // Each page and the ones at both of its sides.
  for (let at = 0, from: Query = {}; at < expected.length; at += limit) {
    const page = await walks.got<CellPage>(who, '/files/cells', { ...asked, ...from })
    assert.deepEqual(page.ids, expected.slice(at, at + limit), said)
    assert.deepEqual(page.c, expectedFilms.slice(at, at + limit), said)
    assert.equal(page.prev_cursor === null, at === 0, said)
    assert.equal(page.next_cursor === null, at + limit >= expected.length, said)
    from = { cursor: page.next_cursor! }
  }
  const ids: (string | null)[] = []
  const seen: (string | null)[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: FileIdPage = await walks.got(who, '/files/ids', {
      ...asked,
      ...(cursor && { cursor }),
    })
    assert.equal(page.total, expected.length, said)
    ids.push(...page.ids)
    seen.push(...page.films!)
    cursor = page.next_cursor
  }
  assert.deepEqual([ids, seen], [expected, expectedFilms], said)
  if (query.sort === 'created' || query.sort === 'content_datetime') {
    await walks.checkTimeline(who, { ...query, pairs: '1' }, cells)
  }
}

describe('a list with pairs=1', () => {
  it('holds no film of which it holds the picture, for everybody and in any order', async () => {
    const query = fc.record({
      who: fc.constantFrom(...PEOPLE),
      limit: fc.constantFrom(1, 7, 7, 30, 1000),
      list: fc.record({
        sort: fc.constantFrom('created', 'content_datetime', 'original_name', 'mime'),
        order: fc.constantFrom('asc', 'desc'),
        trash: fc.constantFrom('false', 'false', 'true'),
      }),
      more: fc.constantFrom<Query>(
        {},
        {},
        { filter: `{t=${TAGS[0]}}` },
        { filter: `{t=${TAGS[0]},&,!,t=${TAGS[1]}}` },
        { filter: '{m=video/quicktime}' },
        { filter: `{(,${Array(12).fill(`t=${TAGS[1]}`).join(',|,')},)}` },
        { search: '.mov' },
        { search: '1' },
        { search: 'z' },
      ),
      part: fc.constantFrom<Query>({}, {}, { from: '2018-07-01T00:00:00Z' }, { pool: POOL }),
    })
    await fc.assert(
      fc.asyncProperty(query, ({ who, limit, list, more, part }) =>
        checkList(who, { ...list, ...more, ...part }, limit),
      ),
      { numRuns: 40 },
    )
  })

  it('of a pool is in the order of the pool, also where all its films come first', async () => {
    for (const sort_key of ['manual', 'created', 'original_name']) {
      for (const pool of [POOL, PAIRED_POOL]) {
        const body = { sort_key, sort_order: 'asc' }
        await library.call('PATCH', `/pools/${pool}`, { token: tokens.admin!, body })
        for (const who of PEOPLE) await checkList(who, { pool }, 7)
      }
    }
  })

  it('begins at the picture where the anchor is the film', async () => {
    const lists: Query[] = [
      { sort: 'original_name' },
      { sort: 'mime' },
      { pool: POOL, sort: 'created' },
    ]
    for (const list of lists) {
      const expected = folded((await walks.walkIds('owner', list)).ids)
      for (const [picture, film] of films) {
        const at = expected.indexOf(picture)
        if (at < 0 || files.get(film)!.trashed) continue
        const query = { ...list, pairs: '1', limit: 3, anchor: film }
        const page = await walks.got<CellPage>('owner', '/files/cells', query)
        assert.deepEqual(page.ids, expected.slice(at, at + 3))
        assert.equal(page.prev_cursor === null, at === 0)
      }
    }
  })

  it('counts a pair once for each tag', async () => {
    for (const who of PEOPLE) {
      for (const trash of ['false', 'true']) {
        const { counts } = await walks.got<{ counts: Record<string, number> }>(
          who,
          '/tags/counts',
          {
            trash,
            pairs: '1',
          },
        )
        const shown = new Set(folded((await walks.walkIds(who, { trash })).ids))
        for (const tag of TAGS) {
          const tagged = (await walks.walkIds(who, { trash, filter: `{t=${tag}}` })).ids
          const count = tagged.filter((id) => shown.has(id)).length
          assert.equal(counts[tag] ?? 0, count, `${who} ${trash}`)
        }
      }
    }
  })

  it('is the plain list with nulls where there are no pairs, and tells no films unless asked', async () => {
    const { db } = library.deps
    const plain = await walks.got<CellPage>('owner', '/files/cells', { limit: 9 })
    assert.ok(!('c' in plain))
    assert.ok(!('films' in (await walks.got<FileIdPage>('owner', '/files/ids', {}))))
    write(db, { now: 0 }, () => db.run('DELETE FROM companions'))
    const query = { limit: 9, pairs: '1' }
    const { c, ...page } = await walks.got<CellPage>('owner', '/files/cells', query)
    assert.deepEqual(page, plain)
    assert.deepEqual(c, Array(9).fill(null))
  })
})
