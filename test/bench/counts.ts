import { setTimeout } from 'node:timers/promises'
import type { Db } from '../../src/db/client.ts'
import { countTagsOfFiles } from '../../src/files/counts/counts.ts'
import type { User } from '../../src/user.ts'
import { makeLibrary } from './library.ts'
import { measure, measureOnce, printTable } from './measure.ts'

const FILES = 100_000

/**
 * Prints how long the tags of all files and of some take to be counted: the first time since a start,
 * for a viewer, for a filter, and again within 30 seconds, compared with the statement that counts the
 * same.
 */
export async function bench(): Promise<void> {
  const files = Number(process.env.BENCH_FILES ?? FILES)
  const library = makeLibrary({ files })
  const db = library.reopen()
  try {
    const { root, ann, ben, cat } = library.users
    const half = `{t=${library.tags[0]!.id}}`
    const few = `{t=${library.tags[60]!.id}}`
    const rows = []
    rows.push(await row(db, 'all files, first of all', ben))
    for (const viewer of [root, ann, cat]) rows.push(await row(db, 'all files', viewer))
    for (const viewer of [root, ann, ben]) {
      rows.push(await row(db, 'half of the files', viewer, half))
      rows.push(await row(db, '1 % of the files', viewer, few))
    }
    printTable(`tags of ${files} files counted`, rows)
  } finally {
    db.close()
    library.remove()
  }
}

async function row(db: Db, counted: string, viewer: User, filter?: string) {
  let now = 0
  const query = { trash: false, ...(filter && { filter }) }
  const ask = () => countTagsOfFiles(db, () => now, viewer, query)
  const bare = await measureOnce(() =>
    db.all('SELECT tag_rid, count(*) FROM file_tags GROUP BY tag_rid'),
  )
  await setTimeout(0)
  const first = await measureOnce(ask)
  const again = await measure(() => {
    now += 30_001
    return ask()
  })
  const kept = await measure(ask)
  return {
    counted,
    who: viewer.name,
    first: first.ms,
    'first hold': first.hold,
    'p50 anew': again.p50,
    'p99 anew': again.p99,
    'hold anew': again.hold,
    'p99 kept': kept.p99,
    '× bare': again.p50 / bare.ms,
  }
}
