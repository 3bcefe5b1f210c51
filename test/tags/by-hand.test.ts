import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { fileSeed, idAt, insertFiles } from '../support/file-rows.ts'
import { type Answer, type Library, openLibrary, picture } from '../support/harness.ts'
import { allRows, insertRule, insertTag, ridOf } from '../support/object-rows.ts'

const NAMES = [
  'start',
  'fresh',
  'risen',
  'held',
  'both',
  'after',
  'end',
  'kept',
  'low',
  'apart',
] as const
type Name = (typeof NAMES)[number]
/** The tags of a file, each with 1 when it is there by hand. */
type Tags = Partial<Record<Name, 0 | 1>>

const TAG = Object.fromEntries(NAMES.map((name, n) => [name, idAt(1, n + 1)])) as Record<
  Name,
  string
>
const [FULL, BARE, DISCARD] = [idAt(0, 1), idAt(0, 2), idAt(0, 3)]
const RULES: [when: Name, then: Name][] = [
  ['fresh', 'both'],
  ['fresh', 'kept'],
  ['fresh', 'low'],
  ['fresh', 'after'],
  ['after', 'end'],
]

let library: Library
let ann: { id: number; token: string }
before(async () => {
  library = await openLibrary()
  ann = await library.join('Ann', { can_create: true })
})
after(() => library.close())
beforeEach(() => {
  const { db } = library.deps
  for (const table of ['files', 'tags']) db.run(`DELETE FROM ${table}`)
  for (const name of NAMES) insertTag(db, { id: TAG[name], name, owner: ann.id })
  for (const [when, then] of RULES) insertRule(db, TAG[when], TAG[then])
  insertFiles(
    db,
    [FULL, BARE, DISCARD].map((id) => fileSeed(id, { owner: ann.id })),
  )
})

const idsOf = (names: Name[]) => names.map((name) => TAG[name])
const namesOf = (ids: string[]) =>
  ids.map((id) => NAMES.find((name) => TAG[name] === id)!).toSorted()

function carry(file: string, tags: Tags): void {
  const { db } = library.deps
  for (const [name, byHand] of Object.entries(tags)) {
    const rids = [ridOf(db, 'file', file), ridOf(db, 'tag', TAG[name as Name])]
    db.run('INSERT INTO file_tags (file_rid, tag_rid, by_hand) VALUES (?, ?, ?)', ...rids, byHand)
  }
}

/** Returns the tags of every file, the oldest file first. */
function carried(): Tags[] {
  const files = new Map<number, Tags>()
  const rows = library.deps.db.all<{ rid: number; name: Name; by_hand: 0 | 1 }>(
    `SELECT f.rid, t.name, ft.by_hand FROM files f JOIN file_tags ft ON ft.file_rid = f.rid
     JOIN tags t ON t.rid = ft.tag_rid ORDER BY f.rid`,
  )
  for (const { rid, name, by_hand } of rows) {
    files.set(rid, { ...files.get(rid), [name]: by_hand })
  }
  return [...files.values()]
}

async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await library.call(method, path, { token: ann.token, body })
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
  return answer
}

async function inTurn<T>(items: T[], request: (item: T) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const item of items) answers.push(await request(item))
  return answers
}

/** Puts tags on files in one way; a rule puts them on as what follows from `start`. */
type Act = (named: Name[], files: string[]) => Promise<Answer[]>

const upload: Act = async (named) => {
  const fields = { tag_ids: idsOf(named).join() }
  const answer = await library.upload(ann.token, await picture(), 'a.jpg', fields)
  assert.equal(answer.status, 201, answer.text)
  return [answer]
}
const putOne: Act = (named, files) =>
  inTurn(
    files.flatMap((file) => idsOf(named).map((tag) => `/files/${file}/tags/${tag}`)),
    (path) => ask('PUT', path),
  )
const replaceAll: Act = (named, files) =>
  inTurn(files, (file) => ask('PUT', `/files/${file}/tags`, { tag_ids: idsOf(named) }))
const addInBulk: Act = async (named, file_ids) => [
  await ask('POST', '/files/bulk/tags', { file_ids, action: 'add', tag_ids: idsOf(named) }),
]
const createRules: Act = (then) =>
  inTurn(idsOf(then), (then_tag_id) =>
    ask('POST', `/tags/${TAG.start}/rules`, { then_tag_id, apply_to_existing: true }),
  )
const switchOnRules: Act = async (then) => {
  const rules = `/tags/${TAG.start}/rules`
  const off = await inTurn(idsOf(then), (then_tag_id) =>
    ask('POST', rules, { then_tag_id, is_active: false }),
  )
  const on = { is_active: true, apply_to_existing: true }
  return inTurn(off, ({ body }) => ask('PATCH', `${rules}/${body.then_tag_id}`, on))
}
/** What it names is what the discard carries. */
const merge: Act = (_, files) =>
  inTurn(files, (keep) =>
    ask('POST', '/files/duplicates/resolve', {
      keep,
      discard: DISCARD,
      delete_discarded: false,
      fields: { tags: 'both' },
    }),
  )

describe('a tag is by hand when a request names it, and not when it follows from a rule', () => {
  const NAMED: Name[] = ['fresh', 'risen', 'held', 'both']
  const full: Tags = { start: 0, risen: 0, held: 1, kept: 1, low: 0, apart: 0 }
  const bare: Tags = { start: 1 }
  const discard: Tags = { fresh: 1, risen: 1, held: 1, both: 1, kept: 0, low: 0, after: 0 }

  const named: Tags = { fresh: 1, risen: 1, held: 1, both: 1 }
  const followed: Tags = { fresh: 0, risen: 0, held: 0, both: 0 }
  const following: Tags = { after: 0, end: 0, kept: 0, low: 0 }
  const added: Tags[] = [
    { ...full, ...named, ...following, kept: 1 },
    { ...bare, ...named, ...following },
    discard,
  ]
  const replaced: Tags[] = [
    { ...named, ...following, kept: 1 },
    { ...named, ...following },
    discard,
  ]
  const applied: Tags[] = [
    { ...full, ...followed, ...following, held: 1, kept: 1 },
    { ...bare, ...followed, ...following },
    discard,
  ]
  const rows: { path: string; act: Act; expected: Tags[] }[] = [
    {
      path: 'an upload',
      act: upload,
      expected: [full, bare, discard, { ...named, ...following }],
    },
    { path: 'a PUT of one tag', act: putOne, expected: added },
    { path: 'a PUT of all tags', act: replaceAll, expected: replaced },
    { path: 'an addition in bulk', act: addInBulk, expected: added },
    { path: 'a new rule', act: createRules, expected: applied },
    { path: 'a rule that is switched on', act: switchOnRules, expected: applied },
    { path: 'a merge', act: merge, expected: added },
  ]
  for (const { path, act, expected } of rows) {
    it(`after ${path}`, async () => {
      carry(FULL, full)
      carry(BARE, bare)
      carry(DISCARD, discard)
      await act(NAMED, [FULL, BARE])
      assert.deepEqual(carried(), expected)
    })
  }
})

describe('a tag that was there by a rule and is named changes nothing else', () => {
  /** Counters, versions and all else but the tags of files and the log. */
  const otherRows = () => {
    const { file_tags: _, audit_log: __, user_changes: ___, ...rows } = allRows(library.deps.db)
    return rows
  }
  const others: Tags = { both: 0, kept: 1, low: 0, after: 0, end: 0 }
  const rows: { path: string; act: Act; entries: unknown[] }[] = [
    { path: 'a PUT of one tag', act: putOne, entries: [] },
    { path: 'a PUT of all tags', act: replaceAll, entries: [] },
    { path: 'an addition in bulk', act: addInBulk, entries: [] },
    { path: 'a merge', act: merge, entries: [['file_merge', []]] },
  ]
  for (const { path, act, entries } of rows) {
    it(`by ${path}`, async () => {
      carry(FULL, { fresh: 0, ...others })
      carry(DISCARD, { fresh: 1 })
      const unchanged = otherRows()
      const last = library.audit().length
      const answers = await act(['fresh'], [FULL])
      assert.deepEqual(carried(), [{ fresh: 1, ...others }, { fresh: 1 }])
      assert.deepEqual(otherRows(), unchanged)
      const written = library.audit().slice(last)
      assert.deepEqual(
        written.map(({ action, details }) => [action, details.tag_ids]),
        entries,
      )
      const numbered = answers.map(({ headers }) => headers.has('Operation'))
      assert.deepEqual(numbered, [entries.length > 0])
    })
  }
})

describe('the entry of a removal tells which tags were only there by a rule', () => {
  const removeOne = (name: Name) => () => ask('DELETE', `/files/${FULL}/tags/${TAG[name]}`)
  const removed = (tags: Name[], byRule: Name[]) => ({ tag_ids: tags, by_rule: byRule })
  const rows: { path: string; act: () => Promise<unknown>; expected: object[] }[] = [
    {
      path: 'of one that was by hand',
      act: removeOne('held'),
      expected: [removed(['held'], [])],
    },
    {
      path: 'of one that followed',
      act: removeOne('risen'),
      expected: [removed(['risen'], ['risen'])],
    },
    {
      path: 'in bulk, for each file',
      act: () =>
        ask('POST', '/files/bulk/tags', {
          file_ids: [FULL, BARE, DISCARD],
          action: 'remove',
          tag_ids: idsOf(['fresh', 'held', 'low', 'risen']),
        }),
      expected: [removed(['held', 'low', 'risen'], ['low', 'risen']), removed(['held'], ['held'])],
    },
    {
      path: 'by a PUT of others, without those that follow from them',
      act: () => replaceAll(['fresh'], [FULL]),
      expected: [removed(['apart', 'held', 'risen'], ['apart', 'risen'])],
    },
  ]
  for (const { path, act, expected } of rows) {
    it(path, async () => {
      carry(FULL, { held: 1, kept: 1, risen: 0, low: 0, apart: 0 })
      carry(BARE, { held: 0, kept: 0 })
      carry(DISCARD, { kept: 0 })
      const last = library.audit().length
      await act()
      const entries = library.audit().slice(last)
      const found = entries
        .filter(({ action }) => action === 'file_tag_remove')
        .map(({ details }) => removed(namesOf(details.tag_ids), namesOf(details.by_rule)))
      assert.deepEqual(found, expected)
    })
  }
})
