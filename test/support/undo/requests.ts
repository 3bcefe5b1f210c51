import { fc } from '../property.ts'
import * as model from './model.ts'
import { type Fields, may, type Person, type Type, type World } from './model.ts'

/** How many files there are at first. */
export const FILES = 5
const TYPES = ['file', 'tag', 'category', 'pool'] as const
const PATHS = { file: '/files', tag: '/tags', category: '/categories', pool: '/pools' }

// Objects are named by their number among all of their type that there ever were, such as `tag#2`:
// mostly the first two, so that changes meet.
const numbered = (type: Type, max: number) =>
  fc.oneof(fc.nat(1), fc.nat(max)).map((n) => `${type}#${n}`)
const REFS = {
  file: numbered('file', FILES - 1),
  tag: numbered('tag', 5),
  category: numbered('category', 2),
  pool: numbered('pool', 2),
}
const { file, tag, pool } = REFS
const file_ids = fc.uniqueArray(file, { maxLength: 4 })
const tag_ids = fc.uniqueArray(tag, { maxLength: 3 })
const flag = fc.boolean()
const rule = { tag: numbered('tag', 2), then_tag_id: numbered('tag', 3) }
const switched = { ...rule, is_active: flag, apply_to_existing: flag }
const choice = fc.constantFrom('keep', 'discard')
const both = fc.constantFrom('keep', 'both', 'both')
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const name = fc.constantFrom('red', 'green', 'blue')
const color = maybe(fc.constantFrom(null, 'c0ffee'))
const COMMON = {
  notes: maybe(fc.constantFrom(null, 'one', 'two')),
  metadata: maybe(fc.constantFrom(null, { a: 1 }, { b: 1 }, { a: 2 })),
  is_public: maybe(flag),
}
const TAKEN = '2020-05-06T07:08:09.000Z'
// The same time for a moment, a day and a year.
const MIDDLE_OF_2020 = '2020-07-02T12:00:00.000Z'
const FIELDS: Record<Type, Record<string, fc.Arbitrary<unknown>>> = {
  file: {
    ...COMMON,
    original_name: maybe(fc.constantFrom(null, 'x', 'y')),
    rotation: maybe(fc.constantFrom(0, 90, 180)),
    content_datetime: maybe(fc.constantFrom(TAKEN, MIDDLE_OF_2020, MIDDLE_OF_2020)),
    date_precision: fc.constantFrom(undefined, null, 'day', 'month', 'year'),
  },
  tag: { ...COMMON, name, color, category_id: maybe(fc.option(REFS.category)) },
  category: { ...COMMON, name, color },
  pool: { ...COMMON, name },
}
const { notes, is_public } = COMMON
const { content_datetime, date_precision } = FIELDS.file
const SET = {
  notes,
  is_public,
  content_datetime: content_datetime!,
  date_precision: date_precision!,
}
const sort_key = maybe(fc.constantFrom('manual', 'manual', 'created', 'original_name'))
const sort_order = maybe(fc.constantFrom('asc', 'desc'))
const EITHER = { original_name: choice, notes: choice, content_datetime: choice, is_public: choice }
const metadata = fc.constantFrom('keep', 'discard', 'merge')
const fields = fc.record({ ...EITHER, metadata, tags: both, pools: both })

type Needs<Given> = { readonly [Name in keyof Given]?: 'view' | 'edit' }
type Act<Given> = (world: World, given: Given & { by: Person }, id: string) => unknown
/** A kind of request: what it may name, and the rights that it needs to that. */
interface Command {
  given: fc.Arbitrary<object>
  needs: Needs<Fields>
  /** Does it in the model, or returns false to refuse it; `id` is that of a new object. */
  act: Act<Fields>
}

function on<Given extends object>(
  given: { [Name in keyof Given]: fc.Arbitrary<Given[Name]> },
  needs: Needs<NoInfer<Given>>,
  act: Act<Given>,
): Command {
  return { given: fc.record(given), needs, act } as unknown as Command
}

const FILE = { file: 'edit' } as const
const TAGGED = { file: 'edit', tag: 'view' } as const
const TAGS = { file: 'edit', tag_ids: 'view' } as const
const RULE = { tag: 'edit', then_tag_id: 'view' } as const
const hasRule = (world: World, when: string, then: string) => world.rules.has(`${when} ${then}`)

/** Requests; what is not in the path goes into the body. */
export const COMMANDS: Record<string, Command> = {
  'PUT /files/{file}/tags/{tag}': on({ file, tag }, TAGGED, (world, { file, tag }) =>
    model.nameTags(world, file, [tag]),
  ),
  'DELETE /files/{file}/tags/{tag}': on({ file, tag }, TAGGED, (world, { file, tag }) =>
    model.setTag(world, file, tag, null),
  ),
  'PUT /files/{file}/tags': on({ file, tag_ids }, TAGS, (world, { by, file, tag_ids }) =>
    model.replaceTags(world, by, file, tag_ids),
  ),
  'POST /files/bulk/tags': on(
    { file_ids, tag_ids, action: fc.constantFrom('add', 'remove') },
    { tag_ids: 'view' },
    (world, { by, file_ids, tag_ids, action }) => {
      for (const file of model.editable(world, by, file_ids)) {
        if (action === 'add') model.nameTags(world, file, tag_ids)
        else for (const tag of tag_ids) model.setTag(world, file, tag, null)
      }
    },
  ),
  'DELETE /files/{file}': on({ file }, FILE, (world, { file }) =>
    model.setFields(world, file, { is_deleted: true }),
  ),
  'POST /files/{file}/restore': on({ file }, FILE, (world, { file }) =>
    model.setFields(world, file, { is_deleted: false }),
  ),
  'DELETE /files/{file}/permanent': on({ file }, FILE, (world, it) => model.purge(world, it.file)),
  'POST /files/bulk/review': on({ file_ids, needs_review: flag }, {}, (world, given) => {
    for (const file of model.editable(world, given.by, given.file_ids)) {
      model.setFields(world, file, { needs_review: given.needs_review })
    }
  }),
  'POST /files/bulk/update': on(
    {
      file_ids,
      set: fc.record(SET),
      shift_minutes: maybe(fc.constantFrom(-90, 1, 525_600)),
      turn: maybe(fc.constantFrom(90, 270)),
    },
    {},
    (world, { by, file_ids, set, shift_minutes, turn = 0 }) => {
      if (set.content_datetime && shift_minutes !== undefined) return false
      if (model.lacksDate(set)) return false
      const shift = shift_minutes ?? 0
      for (const file of model.editable(world, by, file_ids)) {
        const { content_datetime, date_precision, rotation } = world.things.get(file)!.fields
        const isWhole = date_precision === 'day' && shift % (24 * 60) === 0
        if (shift !== 0 && date_precision !== null && !isWhole) continue
        const moved = Date.parse(String(content_datetime)) + shift * 60_000
        const date = { content_datetime: new Date(moved).toISOString(), date_source: 'given' }
        const turned = { rotation: (Number(rotation) + turn) % 360 }
        const update = model.withDate(world, file, set)
        model.setFields(world, file, { ...turned, ...(shift !== 0 && date), ...update })
      }
    },
  ),
  'POST /files/bulk/restore': on({ file_ids }, {}, (world, { by, file_ids }) => {
    for (const file of model.editable(world, by, file_ids)) {
      model.setFields(world, file, { is_deleted: false })
    }
  }),
  'POST /files/bulk/permanent': on({ file_ids }, {}, (world, { by, file_ids }) => {
    for (const file of model.editable(world, by, file_ids)) model.purge(world, file)
  }),
  'POST /files/duplicates/resolve': on(
    { keep: file, discard: file, fields, delete_discarded: flag },
    { keep: 'edit', discard: 'edit' },
    (world, { keep, discard, fields, delete_discarded }) => {
      return model.merge(world, { keep, discard, isTrashed: delete_discarded }, fields)
    },
  ),
  'POST /tags/{tag}/rules': on(switched, RULE, (world, { tag, then_tag_id: then, ...rule }) => {
    if (hasRule(world, tag, then) || tag === then) return false
    model.switchRule(world, [tag, then], rule)
  }),
  'PATCH /tags/{tag}/rules/{then_tag_id}': on(switched, RULE, (world, given) => {
    const { tag, then_tag_id: then } = given
    return hasRule(world, tag, then) && model.switchRule(world, [tag, then], given)
  }),
  'DELETE /tags/{tag}/rules/{then_tag_id}': on(rule, RULE, (world, { tag, then_tag_id: then }) => {
    return hasRule(world, tag, then) && model.setRule(world, [tag, then], null)
  }),
  'POST /pools/{pool}/files': on(
    { pool, file_ids, position: maybe(fc.nat(6)) },
    { pool: 'edit', file_ids: 'view' },
    (world, { pool, ...given }) =>
      model.addToPool(world, pool, given.file_ids, { position: given.position ?? 1000 }),
  ),
  'POST /pools/{pool}/files/remove': on({ pool, file_ids }, { pool: 'edit' }, (world, given) => {
    const seen = given.file_ids.filter((file) => may(world, given.by, file, 'view'))
    model.removeFromPool(world, given.pool, seen)
  }),
  'PUT /pools/{pool}/files/reorder': on({ pool, file_ids }, { pool: 'edit' }, (world, given) =>
    model.arrangeSeen(world, given.by, given.pool, given.file_ids),
  ),
}

for (const type of TYPES) {
  const id = REFS[type]
  const { name, ...others } = FIELDS[type]
  if (name) others.name = maybe(name)
  if (type === 'pool') Object.assign(others, { sort_key, sort_order })
  const edited: Record<string, fc.Arbitrary<unknown>> = { ...others, id }
  const needs = { category_id: 'view' } as const
  COMMANDS[`PATCH ${PATHS[type]}/{id}`] = on(edited, { ...needs, id: 'edit' }, (world, given) => {
    const { by, id, ...update } = given
    return model.edit(world, by, String(id), update)
  })
  const right = fc.constantFrom<('view' | 'edit' | null)[]>(null, 'view', 'edit')
  // Only who made an object may share it.
  COMMANDS[`PUT /acl/${type}/{id}`] = on({ id, right }, {}, (world, { by, id, right }) =>
    model.share(world, by, id, right),
  )
  if (type === 'file') continue
  COMMANDS[`POST ${PATHS[type]}`] = on<Fields>(FIELDS[type], needs, (world, given, id) => {
    const { by, ...fields } = given
    return model.create(world, by, type, id, fields)
  })
  COMMANDS[`DELETE ${PATHS[type]}/{id}`] = on({ id }, { id: 'edit' }, (world, { id }) =>
    model.remove(world, id),
  )
}
