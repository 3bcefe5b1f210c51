import type { Db } from '../../src/db/client.ts'
import { write } from '../../src/db/write.ts'

/** Rounds, of which the median counts. */
const ROUNDS = 5

/**
 * Returns how many milliseconds `work` takes to put tags on files that lack them, and how many
 * times as long that is as the bare statements that put them on, without and with an audit entry
 * for each file. What is done is undone between the rounds.
 */
export function compare(
  db: Db,
  { files, tags, work }: { files: number[]; tags: number[]; work: () => unknown },
): Record<string, number> {
  const pairs = () => {
    db.run(
      `INSERT INTO file_tags (file_rid, tag_rid)
       SELECT f.value, t.value FROM json_each(?) f CROSS JOIN json_each(?) t`,
      JSON.stringify(files),
      JSON.stringify(tags),
    )
  }
  const entries = () => {
    db.run(
      `INSERT INTO audit_log (user_id, user_name, action, object_type, object_id, details, performed_at)
       SELECT 1, 'root', 'file_tag_add', 'file', f.id, ?, ?
       FROM json_each(?) j CROSS JOIN files f ON f.rid = j.value`,
      JSON.stringify({ tag_ids: tags.map(() => '018bcfe5-6805-7000-8000-000000000040') }),
      Date.now(),
      JSON.stringify(files),
    )
  }
  const bare = () => write(db, { now: 0 }, pairs)
  const audited = () =>
    write(db, { now: 0 }, () => {
      pairs()
      entries()
    })
  const times: { bare: number[]; audited: number[]; work: number[] } = {
    bare: [],
    audited: [],
    work: [],
  }
  const { last } = db.get<{ last: number }>('SELECT coalesce(max(id), 0) AS last FROM audit_log')!
  const undo = () => {
    db.run('DELETE FROM audit_log WHERE id > ?', last)
    db.run(
      'DELETE FROM file_tags WHERE tag_rid IN (SELECT value FROM json_each(?))',
      JSON.stringify(tags),
    )
    db.get('PRAGMA wal_checkpoint(TRUNCATE)')
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries({ bare, audited, work })) {
      const started = performance.now()
      run()
      times[name as keyof typeof times].push(performance.now() - started)
      undo()
    }
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!
  const [took, toBare, toAudited] = [times.work, times.bare, times.audited].map(median) as [
    number,
    number,
    number,
  ]
  return {
    took,
    bare: toBare,
    'bare, audited': toAudited,
    '× bare': took / toBare,
    '× audited': took / toAudited,
  }
}
