import assert from 'node:assert/strict'
import { it } from 'node:test'
import { write } from '../../../src/db/write.ts'
import { fileSeed, idAt, insertFiles, queryText } from '../../support/file-rows.ts'
import { openLibrary } from '../../support/harness.ts'
import { insertPool } from '../../support/object-rows.ts'

const POOL = idAt(1.6e12, 1)

/** The answers to who sees 200 files, in a library with or without 1,000 others among them. */
async function answers(hasHidden: boolean): Promise<string[]> {
  const library = await openLibrary()
  try {
    const owner = await library.addUser('owner')
    const { token, id } = await library.join('viewer')
    const files = Array.from({ length: 1200 }, (_, n) =>
      fileSeed(idAt(1.7e12 + n, n), {
        time: Date.UTC(2018, 0, 1) + ((n * 7919) % 1200) * 3_600_000,
        owner,
        viewers: n % 6 === 0 && n % 4 === 0 ? [id] : [],
        isPublic: n % 6 === 0 && n % 4 !== 0,
        trashed: n % 18 === 0,
      }),
    ).filter((_, n) => hasHidden || n % 6 === 0)
    insertFiles(library.deps.db, files)
    write(library.deps.db, { now: 0 }, () => {
      const ids = files.map((file) => file.id)
      insertPool(library.deps.db, { id: POOL, name: 'pool', owner, isPublic: true, files: ids })
    })
    const texts: string[] = []
    for (const set of ['timeline', 'cells', 'ids']) {
      for (const sort of ['created', 'content_datetime']) {
        for (const order of ['asc', 'desc']) {
          for (const more of MORE) {
            let cursor: string | null = null
            do {
              const query = queryText({
                sort,
                order,
                limit: 90,
                ...more,
                ...(cursor && { cursor }),
              })
              const answer = await library.call('GET', `/files/${set}?${query}`, { token })
              assert.equal(answer.status, 200)
              texts.push(answer.text)
              cursor = answer.body.next_cursor ?? null
            } while (cursor)
          }
        }
      }
    }
    return texts
  } finally {
    await library.close()
  }
}

const MORE: Record<string, string>[] = [
  {},
  { trash: 'true' },
  { pool: POOL },
  { filter: '{r=1,&,!,m=image/png}' },
  { search: 'none' },
  { from: '2018-01-20T00:00:00Z', to: '2018-02-03T00:00:00Z' },
]

it('no byte of cells, ids and timeline tells of a thousand hidden files', async () => {
  const [full, bare] = [await answers(true), await answers(false)]
  assert.ok(bare[0]!.includes('"total":133'), bare[0])
  assert.deepEqual(full, bare)
})
