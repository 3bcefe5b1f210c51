import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { write } from '../../../src/db/write.ts'
import { RAW_TYPES } from '../../../src/media/endings.ts'
import { fileSeed, idAt, insertFiles, queryText, randomNumbers } from '../../support/file-rows.ts'
import { assertError } from '../../support/files.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { photographed, placeFile } from '../../support/object-rows.ts'
import { type OracleLibrary, openOracleLibrary } from '../../support/oracle/library.ts'

const KINDS = ['camera', 'town', 'type', 'creator', 'size', 'shape', 'review']
const id = (n: number) => idAt(Date.UTC(2026, 0, 1), n)

type Item = { token: string; name: string; count: number }

async function facets(library: Library, token: string, query: Record<string, string>) {
  const answer = await library.call('GET', `/files/facets?${queryText(query)}`, { token })
  assert.equal(answer.status, 200, answer.text)
  return (answer.body.items as Item[]).map(({ token, name, count }) => [token, name, count])
}

describe('the facets of files', () => {
  let library: Library
  let ann: { id: number; token: string }
  let bob: { id: number; token: string }
  const FILES = [id(1), id(2), id(3), id(4), id(5)] as const
  const MB = 1_000_000

  before(async () => {
    library = await openLibrary()
    ann = await library.join('Ann')
    bob = await library.join('Bob')
    const { db } = library.deps
    const of = (size: number, more: object) => ({ owner: ann.id, size, ...more })
    insertFiles(db, [
      fileSeed(FILES[0], of(MB - 1, { type: 'image/heic', viewers: [bob.id] })),
      fileSeed(FILES[1], of(MB, { type: 'image/x-canon-cr2', isPublic: true })),
      fileSeed(FILES[2], of(MB + 1, { type: 'video/mp4', viewers: [bob.id] })),
      fileSeed(FILES[3], of(21 * MB, { type: 'image/heic' })),
      fileSeed(FILES[4], of(500 * MB, { trashed: true, isPublic: true })),
    ])
    write(db, { now: 0 }, () => {
      db.run('UPDATE files SET needs_review = rid = 1')
      db.run(`INSERT INTO file_looks (file_rid, width, height, decoder)
        VALUES (1, 3, 4, 'x'), (2, 4, 3, 'x'), (3, 4, 4, 'x'), (4, 3, 4, 'x'), (5, NULL, NULL, 'x')`)
      db.run('INSERT INTO companions (film_rid, picture_rid) VALUES (3, 1)')
      photographed(db, FILES[0], 'Canon EOS 5D')
      photographed(db, FILES[1], 'Apple (iPhone)')
      photographed(db, FILES[3], 'CANON EOS 5D')
      placeFile(db, FILES[0], 'FR.93.Nice')
      placeFile(db, FILES[1], 'FR.84.L’Isle-d’Abeau')
      placeFile(db, FILES[2], null)
      placeFile(db, FILES[3], 'US.DC.Washington, D.C.')
    })
  })
  after(() => library.close())

  it('are of the files that the viewer sees, most first', async () => {
    const seen = (who: { token: string }, of: string) => facets(library, who.token, { of })
    assert.deepEqual(await seen(ann, 'camera'), [
      ['k~Canon_EOS_5D', 'Canon EOS 5D', 2],
      ['k~Apple__iPhone_', 'Apple (iPhone)', 1],
    ])
    assert.deepEqual(await seen(bob, 'camera'), [
      ['k~Apple__iPhone_', 'Apple (iPhone)', 1],
      ['k~Canon_EOS_5D', 'Canon EOS 5D', 1],
    ])
    assert.deepEqual(await seen(ann, 'town'), [
      ['l=FR', 'France', 2],
      ['l=FR.84.L_Isle-d_Abeau', 'L’Isle-d’Abeau', 1],
      ['l=FR.93.Nice', 'Nice', 1],
      ['l=US', 'United States', 1],
      ['l=US.DC.Washington__D.C.', 'Washington, D.C.', 1],
    ])
    assert.deepEqual(await seen(ann, 'type'), [
      ['m=image/heic', 'image/heic', 2],
      ['m=image/x-canon-cr2', 'image/x-canon-cr2', 1],
      ['m=video/mp4', 'video/mp4', 1],
    ])
    assert.deepEqual(await seen(bob, 'creator'), [[`u=${ann.id}`, 'Ann', 3]])
    assert.deepEqual(await seen(ann, 'size'), [
      ['b>1000000', '> 1 MB', 2],
      ['b<1000000', '< 1 MB', 1],
      ['b>20000000', '> 20 MB', 1],
      ['b>5000000', '> 5 MB', 1],
    ])
    assert.deepEqual(await seen(ann, 'shape'), [
      ['x=portrait', 'portrait', 2],
      ['m~video/%', 'video', 1],
      ['x=landscape', 'landscape', 1],
      ['x=raw', 'raw', 1],
    ])
    assert.deepEqual(await seen(bob, 'review'), [
      ['r=0', 'reviewed', 2],
      ['r=1', 'needs review', 1],
    ])
    for (const of of KINDS)
      assert.deepEqual(await seen(await library.join(`Eve ${of}`), of), [
        ...(of === 'camera' ? [['k~Apple__iPhone_', 'Apple (iPhone)', 1]] : []),
        ...(of === 'town'
          ? [
              ['l=FR', 'France', 1],
              ['l=FR.84.L_Isle-d_Abeau', 'L’Isle-d’Abeau', 1],
            ]
          : []),
        ...(of === 'type' ? [['m=image/x-canon-cr2', 'image/x-canon-cr2', 1]] : []),
        ...(of === 'creator' ? [[`u=${ann.id}`, 'Ann', 1]] : []),
        ...(of === 'shape'
          ? [
              ['x=landscape', 'landscape', 1],
              ['x=raw', 'raw', 1],
            ]
          : []),
        ...(of === 'review' ? [['r=0', 'reviewed', 1]] : []),
      ])
  })

  it('are of the list that is asked for', async () => {
    const of = (query: Record<string, string>) =>
      facets(library, bob.token, { of: 'type', ...query })
    assert.deepEqual(await of({ filter: '{x=portrait}' }), [['m=image/heic', 'image/heic', 1]])
    assert.deepEqual(await of({ trash: 'true' }), [['m=image/jpeg', 'image/jpeg', 1]])
    assert.deepEqual(await of({ pairs: '1' }), [
      ['m=image/heic', 'image/heic', 1],
      ['m=image/x-canon-cr2', 'image/x-canon-cr2', 1],
    ])
    assert.deepEqual(await of({ from: '2021-01-01T00:00:00Z', sort: 'content_datetime' }), [])
    assert.equal((await of({ from: '2021-01-01T00:00:00Z' })).length, 3)
  })

  it('are refused without a token, and for a filter or a kind that is none', async () => {
    assertError(await library.call('GET', '/files/facets?of=type'), 401, 'unauthorized')
    const kind = await library.call('GET', '/files/facets', bob)
    assertError(kind, 400, 'validation_error', ['of'])
    const filter = await library.call('GET', '/files/facets?of=type&filter={', bob)
    assertError(filter, 400, 'validation_error', ['filter'])
  })
})

describe('for every viewer and list, the facets', () => {
  let oracle: OracleLibrary
  const CAMERAS = ['Canon EOS 5D', 'Canon EOS R', 'Pixel 8']
  const TOWNS = ['FR.93.Nice', 'FR.11.Paris', 'IT.07.Roma', null]
  before(async () => {
    oracle = await openOracleLibrary(randomNumbers(5))
    const { db } = oracle.library.deps
    write(db, { now: 0 }, () => {
      for (const table of ['file_cameras', 'file_positions']) db.run(`DELETE FROM ${table}`)
      for (const [n, file] of oracle.files.entries()) {
        if (n % 3 > 0) photographed(db, file, CAMERAS[(n % 5) % 3]!)
        if (n % 4 > 0) placeFile(db, file, TOWNS[(n % 7) % 4]!)
      }
      db.run('UPDATE file_details SET size = size * 9000')
    })
  })
  after(() => oracle.library.close())

  it('count what looking at each file counts', async () => {
    const { library, people } = oracle
    const lists: Record<string, string>[] = [
      {},
      { filter: '{r=1}' },
      { filter: '{x=landscape,&,!,m=image/jpeg}' },
      { filter: '{b>5000000,|,f=1}', trash: 'true' },
      { search: 'img_2017' },
    ]
    for (const { token, name } of people) {
      for (const list of lists) {
        const { body } = await library.call('GET', `/files/ids?${queryText(list)}`, { token })
        const ids = new Set<string>(body.ids)
        for (const of of KINDS) {
          const found = await facets(library, token, { of, ...list })
          const counts = Object.fromEntries(found.map(([token, , count]) => [token, count]))
          assert.deepEqual(
            counts,
            counted(oracle, of, ids),
            `${name} ${of} ${JSON.stringify(list)}`,
          )
          const order = found.map(([, , count]) => Number(count))
          assert.deepEqual(
            order,
            order.toSorted((a, b) => b - a),
          )
        }
      }
    }
  })
})

/** How many of the files have each token, looking at one after another. */
function counted({ library, files }: OracleLibrary, of: string, ids: Set<string>) {
  const { db } = library.deps
  const rows = db.all<Record<string, string | number | null>>(
    `SELECT mime_type, creator_id, needs_review, size, width, height, is_animated, town, name
     FROM files f JOIN file_details d ON d.file_rid = f.rid LEFT JOIN file_looks l ON l.file_rid = f.rid
     LEFT JOIN file_positions p ON p.file_rid = f.rid LEFT JOIN file_cameras k ON k.file_rid = f.rid
     LEFT JOIN cameras c ON c.rid = k.camera_rid ORDER BY f.rid`,
  )
  const counts: Record<string, number> = {}
  for (const [n, row] of rows.entries()) {
    if (!ids.has(files[n]!)) continue
    for (const token of tokensOf(row, of)) counts[token] = (counts[token] ?? 0) + 1
  }
  return counts
}

function tokensOf(row: Record<string, string | number | null>, of: string): string[] {
  const { mime_type, creator_id, needs_review, size, width, height, town, name } = row
  const type = String(mime_type)
  const if_ = (holds: boolean, token: string) => (holds ? [token] : [])
  switch (of) {
    case 'camera':
      return if_(name !== null, `k~${String(name).replaceAll(' ', '_')}`)
    case 'town':
      return town === null ? [] : [`l=${String(town).slice(0, 2)}`, `l=${town}`]
    case 'type':
      return [`m=${type}`]
    case 'creator':
      return [`u=${creator_id}`]
    case 'size':
      return [
        ...if_(Number(size) < 1e6, 'b<1000000'),
        ...[1e6, 5e6, 2e7, 1e8].flatMap((bound) => if_(Number(size) > bound, `b>${bound}`)),
      ]
    case 'shape':
      return [
        ...if_(width !== null && width! < height!, 'x=portrait'),
        ...if_(width !== null && width! > height!, 'x=landscape'),
        ...if_(row.is_animated === 1, 'x=animated'),
        ...if_(type.startsWith('video/'), 'm~video/%'),
        ...if_(RAW_TYPES.has(type), 'x=raw'),
      ]
    default:
      return [`r=${needs_review}`]
  }
}
