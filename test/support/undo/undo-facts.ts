import {
  arrangePool,
  type Fact,
  type Fields,
  isNameTaken,
  may,
  mayThing,
  middleOf,
  type Person,
  remove,
  removeFromPool,
  restore,
  sameJson,
  setFields,
  setRule,
  setTag,
  sizesOf,
  type Thing,
  turnTag,
  type World,
} from './model.ts'

/** What became of a fact: taken back, in part or not at all, or there was nothing to take back. */
type Outcome = 'taken' | 'partly' | 'kept' | 'nothing'

/** Takes back what still stands of the facts, newest first; the ids of the objects are returned. */
export function undoFacts(
  world: World,
  by: Person,
  facts: Fact[],
): { taken: Set<string>; kept: Set<string> } {
  const [taken, kept] = [new Set<string>(), new Set<string>()]
  for (const fact of facts.toReversed()) {
    const outcome = undoFact(world, by, fact)
    if (outcome === 'taken' || outcome === 'partly') taken.add(fact.id)
    if (outcome === 'kept' || outcome === 'partly') kept.add(fact.id)
  }
  return { taken, kept }
}

function undoFact(world: World, by: Person, fact: Fact): Outcome {
  if (fact.is === 'deleted') return undoDeleted(world, by, fact)
  if (fact.joined) return undoJoined(world, by, fact as Joined)
  if (fact.merged && !world.things.has(fact.merged)) return 'kept'
  if (fact.is === 'final' || !may(world, by, fact.id, 'edit')) return 'kept'
  if (fact.is === 'merge') return 'nothing'
  const thing = world.things.get(fact.id)!
  if (fact.is === 'fields') return undoFields(world, fact)
  if (fact.is === 'added') {
    const present = fact.files.filter((file) => thing.files.includes(file))
    removeFromPool(world, fact.id, present)
    return part(present.length, fact.files.length)
  }
  if (fact.is === 'removed') return undoRemoved(world, thing, fact)
  if (fact.is === 'moved') return undoMoved(world, thing, fact)
  if (fact.is === 'created') {
    const names = Object.keys(thing.fields)
    if (names.some((name) => !sameJson(thing.fields[name], fact.fields[name]))) return 'kept'
    if (sizesOf(world, fact.id).some((size, index) => size > fact.sizes[index]!)) return 'kept'
    remove(world, fact.id)
    return 'taken'
  }
  if (fact.is === 'tag') {
    // A tag that came by a rule and was put on by hand since stands for more than the rule.
    const present = thing.tags.get(fact.tag) ?? null
    if (!world.things.has(fact.tag) || present !== fact.to) return 'kept'
    if (fact.from === null || fact.to === null) setTag(world, fact.id, fact.tag, fact.from)
    else turnTag(world, fact.id, fact.tag, fact.from)
    return 'taken'
  }
  const present = world.rules.get(`${fact.id} ${fact.then}`) ?? null
  if (!may(world, by, fact.then, 'view') || present !== fact.to) return 'kept'
  setRule(world, [fact.id, fact.then], fact.from)
  return 'taken'
}

function part(done: number, of: number): Outcome {
  if (of === 0) return 'nothing'
  if (done === of) return 'taken'
  return done > 0 ? 'partly' : 'kept'
}

/** What is gone has no rights any more: those count that it had. */
function undoDeleted(world: World, by: Person, { id, was }: Fact & { is: 'deleted' }): Outcome {
  const { thing } = was
  if (!mayThing(by, thing, 'edit') || world.things.has(id)) return 'kept'
  if (isNameTaken(world, thing.type, thing.fields.name, id)) return 'kept'
  restore(world, id, was)
  return was.rules.every(([rule]) => world.rules.has(rule)) ? 'taken' : 'partly'
}

/** The same time is another date when it is from elsewhere, or when more or less of it is known. */
const DATE = ['content_datetime', 'date_source', 'date_precision']

type Changes = (Fact & { is: 'fields' })['changes']

/** A name that is taken keeps all fields of the edit, a category that is gone only itself. */
function undoFields(world: World, { id, changes }: Fact & { is: 'fields' }): Outcome {
  const { type, fields } = world.things.get(id)!
  const stands = ([name, { to }]: [string, { to: unknown }]) => sameJson(fields[name], to)
  const isOfDate = ([name]: [string, unknown]) => DATE.includes(name)
  const dateStands = [...changes].filter(isOfDate).every(stands) && fits(fields, changes)
  const standing = [...changes].filter((one) => (isOfDate(one) ? dateStands : stands(one)))
  const update: Fields = Object.fromEntries(standing.map(([name, { from }]) => [name, from]))
  if ('name' in update && isNameTaken(world, type, update.name, id)) return 'kept'
  const isGone = update.category_id && !world.things.has(String(update.category_id))
  if (isGone) delete update.category_id
  setFields(world, id, update)
  return part(Object.keys(update).length, changes.size)
}

/** Of a time that was no middle, nothing was known in part. */
function fits({ date_precision: precision }: Fields, changes: Changes): boolean {
  const time = changes.get('content_datetime')
  if (time === undefined || changes.has('date_precision') || precision === null) return true
  return time.from === middleOf(time.from, precision)
}

function undoRemoved(world: World, pool: Thing, { id, places }: Fact & { is: 'removed' }): Outcome {
  const missing = places.filter(([file]) => world.things.has(file) && !pool.files.includes(file))
  for (const [file, position] of missing) pool.files.splice(position, 0, file)
  const files = missing.map(([file]) => file)
  if (files.length > 0) world.facts.push({ is: 'added', id, files })
  return part(missing.length, places.length)
}

type Joined = Fact & { is: 'added'; joined: string }

/** Of a pool that the person does not see, nothing is told. */
function undoJoined(world: World, by: Person, { id, files, joined }: Joined): Outcome {
  const pool = world.things.get(id)
  if (!pool) return 'nothing'
  const file = files[0]!
  // Without the other file, the kept one stands for it.
  const isDone =
    may(world, by, file, 'edit') && pool.files.includes(joined) && pool.files.includes(file)
  if (isDone) removeFromPool(world, id, [file])
  if (!may(world, by, id, 'view')) return 'nothing'
  return isDone ? 'taken' : 'kept'
}

function undoMoved(world: World, pool: Thing, { id, from, to }: Fact & { is: 'moved' }): Outcome {
  const isLeft = (file: string) => pool.files.includes(file)
  const present = pool.files.filter((file) => to.includes(file))
  if (present.length === 0 || !sameJson(present, to.filter(isLeft))) return 'kept'
  const former = from.filter(isLeft)
  const order = pool.files.map((file) => (to.includes(file) ? former.shift()! : file))
  if (sameJson(order, pool.files)) return 'kept'
  arrangePool(world, id, order)
  return 'taken'
}
