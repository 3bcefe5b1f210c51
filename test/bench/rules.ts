import type { Db } from '../../src/db/client.ts'
import { write } from '../../src/db/write.ts'
import { loadTag } from '../../src/tags/queries.ts'
import { createRule } from '../../src/tags/rules.ts'
import { makeLibrary } from './library.ts'
import { printTable } from './measure.ts'
import { compare } from './tagging.ts'

const FILES = 30_000

/** Prints how long a rule takes on 30,000 files, compared with bare statements that do the same. */
export async function bench(): Promise<void> {
  const library = makeLibrary({ files: FILES })
  const db = library.reopen()
  try {
    const { root } = library.users
    const rows = []
    for (const length of [1, 5]) {
      const [when, ...then] = addChain(db, length)
      db.run('INSERT INTO file_tags (file_rid, tag_rid) SELECT rid, ? FROM files', when!.rid)
      const tags = then.map((tag) => tag.rid)
      const whenTag = loadTag(db, root, when!.id, 'edit')
      const thenTag = loadTag(db, root, then[0]!.id, 'view')
      const work = () =>
        write(db, { now: Date.now() }, (tx) => {
          const applied = createRule(tx, root, { whenTag, thenTag }, ACTIVE)
          db.run('DELETE FROM tag_rules WHERE when_tag_rid = ?', when!.rid)
          return applied
        })
      const files = db.all<{ rid: number }>('SELECT rid FROM files').map((file) => file.rid)
      rows.push({
        rule: `${FILES} files, a chain of ${length}`,
        ...compare(db, { files, tags, work }),
      })
    }
    printTable('a rule applied to all files that carry its when-tag', rows)
  } finally {
    db.close()
    library.remove()
  }
}

const ACTIVE = { is_active: true, apply_to_existing: true }

/** Adds tags, all but the first of which are chained by rules. */
function addChain(db: Db, length: number): { rid: number; id: string }[] {
  const tags = Array.from({ length: length + 1 }, (_, index) => {
    const name = `link ${index} of ${length}`
    return db.get<{ rid: number; id: string }>(
      `INSERT INTO tags (id, name, name_key, creator_id, is_public) VALUES (randomblob(16), ?, ?, 1, 0)
       RETURNING rid, lower(hex(id)) AS id`,
      name,
      name,
    )!
  })
  for (const [index, { rid }] of tags.entries()) {
    if (index > 1) db.run('INSERT INTO tag_rules VALUES (?, ?, 1)', tags[index - 1]!.rid, rid)
  }
  return tags
}
