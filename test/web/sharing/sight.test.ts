import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  asOne,
  blindTo,
  type Draft,
  entriesAfter,
  hiddenTags,
  listsOf,
  openAmong,
  type Right,
  rightAfter,
  rightsBefore,
  sightAfter,
  withAdded,
  withSharing,
} from '../../../src/gallery/sharing/sight.ts'
import { fc } from '../../support/property.ts'

const ME = 0
const PEOPLE = [1, 2, 3]

/** A file as the server has it. */
interface Made {
  creator: number
  isPublic: boolean
  entries: Map<number, Right>
}

const file = fc
  .record({
    creator: fc.constantFrom(ME, ME, ...PEOPLE),
    isPublic: fc.boolean(),
    rights: fc.array(fc.constantFrom('view', 'edit', null), { minLength: 3, maxLength: 3 }),
  })
  .map(({ rights, ...rest }): Made => {
    const entries = PEOPLE.flatMap((id, at): [number, Right][] =>
      rights[at] ? [[id, rights[at]]] : [],
    )
    return { ...rest, entries: new Map(entries) }
  })
const change = fc.record({
  rights: fc
    .array(fc.constantFrom('view', 'edit', 'out', null), { minLength: 3, maxLength: 3 })
    .map((rights) => {
      const entries = PEOPLE.flatMap((id, at) => (rights[at] ? [[id, rights[at]] as const] : []))
      return new Map(entries) as Draft['rights']
    }),
  isPublic: fc.constantFrom(true, false, null),
})

/** The rule of the server: who made it and admins, those on its list, and all where it is public. */
function maySee({ creator, isPublic, entries }: Made, id: number, admins: number[]): boolean {
  return isPublic || creator === id || admins.includes(id) || entries.has(id)
}

function mayEdit({ creator, entries }: Made, id: number, admins: number[]): boolean {
  return creator === id || admins.includes(id) || entries.get(id) === 'edit'
}

/** What `POST /files/bulk/share` makes of a file, by its document. */
function shared(made: Made, draft: Draft): Made {
  const { add, remove } = listsOf(draft)
  const entries = new Map(made.entries)
  for (const id of remove) entries.delete(id)
  for (const { user_id, can_edit } of add) {
    if (can_edit || !entries.has(user_id)) entries.set(user_id, can_edit ? 'edit' : 'view')
  }
  return { ...made, entries, isPublic: draft.isPublic ?? made.isPublic }
}

describe('what somebody sees of pictures after a change', () => {
  it('is what the rules of the server make of it, or is said to be unknown', () => {
    const told = new Set<string>()
    const library = fc.array(file, { minLength: 1, maxLength: 5 })
    const admins = fc.subarray([ME, ...PEOPLE])
    fc.assert(
      fc.property(library, admins, change, (files, admins, draft) => {
        const own = files.filter(({ creator }) => admins.includes(ME) || creator === ME)
        const count = (files: Made[], id: number) => ({
          seen: files.filter((file) => maySee(file, id, admins)).length,
          edits: files.filter((file) => mayEdit(file, id, admins)).length,
        })
        const sights = new Map(PEOPLE.map((id) => [id, count(own, id)]))
        const pictures = {
          all: files.length,
          own: own.length,
          foreign: own.filter(({ creator }) => creator !== ME).length,
          sights,
          open: openAmong(sights.values(), own.length),
        }
        const changed = own.map((file) => shared(file, draft))
        for (const id of PEOPLE) {
          const after = sightAfter(pictures, draft, id)
          const { seen, edits } = count(changed, id)
          const open = changed.filter(({ isPublic }) => isPublic).length
          const named = changed.filter((file) => maySee({ ...file, isPublic: false }, id, admins))
          const kind = typeof after === 'string' ? after : 'known'
          told.add(kind)
          if (kind === 'open') assert.equal(seen, open)
          else if (kind === 'named') assert.equal(seen, named.length)
          else if (kind === 'unless') assert.ok(seen >= open)
          else if (typeof after !== 'string') {
            assert.equal(after.seen, seen)
            assert.ok(after.edits <= edits)
            if (draft.rights.get(id) === undefined) assert.equal(after.edits, edits)
          }
        }
      }),
      { numRuns: 3000 },
    )
    assert.deepEqual([...told].sort(), ['known', 'named', 'open', 'unless'])
  })

  it('is nothing for somebody who is taken out of what nobody else sees', () => {
    const sights = new Map([
      [1, { seen: 40, edits: 0 }],
      [2, { seen: 0, edits: 0 }],
    ])
    const pictures = { all: 52, own: 40, foreign: 0, sights, open: openAmong(sights.values(), 40) }
    const draft: Draft = { rights: new Map([[1, 'out']]), isPublic: null }
    assert.deepEqual(sightAfter(pictures, draft, 1), { seen: 0, edits: 0 })
    assert.deepEqual(sightAfter(pictures, draft, 2), { seen: 0, edits: 0 })
  })
})

describe('the right to one thing after a change', () => {
  const list = { entries: new Map<number, Right>([[1, 'edit']]), isPublic: false }
  const after = (rights: [number, Right | 'out'][], isPublic: boolean | null, id: number) =>
    rightAfter(list, { rights: new Map(rights), isPublic }, id)

  it('is that of its list, or to view what everybody may', () => {
    assert.equal(after([], null, 1), 'edit')
    assert.equal(after([], null, 2), null)
    assert.equal(after([[2, 'view']], null, 2), 'view')
    assert.equal(after([[1, 'view']], null, 1), 'view')
    assert.equal(after([[1, 'out']], null, 1), null)
    assert.equal(after([[1, 'out']], true, 1), 'view')
  })
})

describe('somebody who is added by name', () => {
  const draft: Draft = {
    rights: new Map([
      [1, 'edit'],
      [2, 'out'],
    ]),
    isPublic: null,
  }

  it('may view, but for more that they were given', () => {
    assert.deepEqual(withAdded(draft, 3).rights.get(3), 'view')
    assert.deepEqual(withAdded(draft, 2).rights.get(2), 'view')
    assert.equal(withAdded(draft, 1), draft)
  })
})

describe('an access list after a change', () => {
  it('keeps the entries of others', () => {
    const entries = [
      { user_id: 1, can_view: true, can_edit: true },
      { user_id: 2, can_view: false, can_edit: false },
      { user_id: 3, can_view: true, can_edit: false },
    ]
    const rights = new Map<number, Right | 'out'>([
      [1, 'out'],
      [3, 'edit'],
      [4, 'view'],
    ])
    assert.deepEqual(entriesAfter(entries, { rights, isPublic: null }), [
      { user_id: 2, can_view: false, can_edit: false },
      { user_id: 3, can_view: true, can_edit: true },
      { user_id: 4, can_view: true, can_edit: false },
    ])
  })
})

const [ANNA, EVE, KID] = PEOPLE as [number, number, number]
const draftOf = (
  rights: [number, Right | 'out'][],
  isPublic: boolean | null = null,
  more: Partial<Draft> = {},
): Draft => ({ rights: new Map(rights), isPublic, ...more })
const listOf = (...entries: [number, Right][]) => ({ entries: new Map(entries), isPublic: false })

describe('whether a pool shares its pictures', () => {
  const after = (draft: Draft, pool: Parameters<typeof withSharing>[1], chosen: boolean | null) =>
    withSharing(draft, pool, chosen).sharesFiles

  it('begins with the first people, and then stays until somebody switches it', () => {
    const nobody = { list: listOf(), sharesFiles: false }
    assert.equal(after(draftOf([]), nobody, null), undefined)
    assert.equal(after(draftOf([], true), nobody, null), undefined)
    assert.equal(after(draftOf([[ANNA, 'view']]), nobody, null), true)
    assert.equal(after(draftOf([[ANNA, 'view']]), nobody, false), undefined)

    const before = { list: listOf([ANNA, 'view']), sharesFiles: false }
    assert.equal(after(draftOf([[EVE, 'view']]), before, null), undefined)
    assert.equal(after(draftOf([]), before, true), true)

    const shared = { list: listOf([ANNA, 'view']), sharesFiles: true }
    assert.equal(after(draftOf([[EVE, 'edit']]), shared, null), undefined)
    assert.equal(after(draftOf([[ANNA, 'out']]), shared, null), undefined)
    assert.equal(after(draftOf([]), shared, false), false)
    assert.equal(after(draftOf([]), { list: listOf(), sharesFiles: true }, false), false)
  })
})

describe('the tags that are shared along', () => {
  const own = { id: 'own', creator_id: ME, seers: new Set([ANNA]) }
  const theirs = { id: 'theirs', creator_id: EVE, seers: new Set<number>() }
  const hidden = (draft: Draft) => hiddenTags([own, theirs], draft).map(({ id }) => id)

  it('are those hidden from somebody whom it is shared with', () => {
    assert.deepEqual(hidden(draftOf([[ANNA, 'view']])), ['theirs'])
    assert.deepEqual(hidden(draftOf([[EVE, 'edit']])), ['own'])
    assert.deepEqual(hidden(draftOf([[KID, 'view']])), ['own', 'theirs'])
    assert.deepEqual(hidden(draftOf([[KID, 'out']])), [])
    assert.deepEqual(hidden(draftOf([], true)), ['own', 'theirs'])
    assert.deepEqual(hidden(draftOf([], false)), [])
    const all = draftOf(PEOPLE.map((id) => [id, 'view']))
    assert.deepEqual(blindTo(own, all), [EVE, KID])
    assert.deepEqual(blindTo(theirs, all), [ANNA, KID])
  })
})

describe('taking back', () => {
  const seen = (...sights: [number, number][]) => ({
    all: 5,
    own: 5,
    foreign: 0,
    sights: new Map(sights.map(([id, seen]) => [id, { seen, edits: 0 }])),
    open: { least: 0, most: 0 },
  })
  const back = (draft: Draft | null) => draft && { ...draft, rights: [...draft.rights] }

  it('gives everybody the right that they had on one object', () => {
    const list = listOf([ANNA, 'view'], [EVE, 'edit'])
    const draft = draftOf([
      [ANNA, 'edit'],
      [EVE, 'out'],
      [KID, 'view'],
    ])
    const tag = { kind: 'tag', list, pictures: null, sharesFiles: false }
    assert.deepEqual(back(rightsBefore(tag, draft, true)), {
      rights: [
        [ANNA, 'view'],
        [EVE, 'edit'],
        [KID, 'out'],
      ],
      isPublic: null,
    })
  })

  it('is for many pictures only possible for people who saw none of them', () => {
    const files = {
      kind: 'files',
      list: null,
      pictures: seen([ANNA, 2], [EVE, 0]),
      sharesFiles: false,
    }
    assert.deepEqual(back(rightsBefore(files, draftOf([[EVE, 'view']]), true))!.rights, [
      [EVE, 'out'],
    ])
    assert.equal(rightsBefore(files, draftOf([[ANNA, 'view']]), true), null)
    assert.equal(rightsBefore(files, draftOf([[EVE, 'out']]), true), null)
    const pool = { ...files, kind: 'pool', list: listOf([ANNA, 'view']) }
    assert.equal(rightsBefore(pool, draftOf([[ANNA, 'out']]), true), null)
    assert.deepEqual(back(rightsBefore(pool, draftOf([[ANNA, 'out']]), false))!.rights, [
      [ANNA, 'view'],
    ])
  })

  it('takes a pool’s sharing back, unless others’ pictures would stay unshared', () => {
    const pool = { kind: 'pool', list: listOf([ANNA, 'view']), pictures: seen([ANNA, 5]) }
    const on = draftOf([], null, { sharesFiles: true })
    assert.deepEqual(back(rightsBefore({ ...pool, sharesFiles: false }, on, true)), {
      rights: [],
      isPublic: null,
      sharesFiles: false,
    })
    const out = draftOf([[ANNA, 'out']])
    const shared = { ...pool, sharesFiles: true }
    assert.deepEqual(back(rightsBefore(shared, out, true))!.rights, [[ANNA, 'view']])
    const partly = { ...shared, pictures: { ...pool.pictures, own: 3 } }
    assert.equal(rightsBefore(partly, out, true), null)
    assert.equal(rightsBefore(partly, draftOf([], null, { sharesFiles: false }), true), null)
    assert.deepEqual(back(rightsBefore(partly, draftOf([[EVE, 'view']]), true))!.rights, [
      [EVE, 'out'],
    ])
  })
})

describe('what people see of live photos', () => {
  const sum = (all: number, others: number, ...sights: [number, number, number][]) => ({
    all,
    others,
    sights: new Map(sights.map(([id, seen, edits]) => [id, { seen, edits }])),
  })
  const [ANNA, EVE, BOB] = PEOPLE as [number, number, number]

  it('counts a picture and its film once, and only where both are seen', () => {
    const pictures = sum(12, 2, [ANNA, 10, 4], [EVE, 7, 0], [BOB, 10, 10])
    const films = sum(5, 1, [ANNA, 4, 4], [EVE, 1, 0], [BOB, 3, 1])
    assert.deepEqual(asOne(pictures, films), {
      all: 12,
      others: 2,
      sights: new Map([
        [ANNA, { seen: 10, edits: 4 }],
        [EVE, { seen: 7, edits: 0 }],
        [BOB, { seen: 9, edits: 7 }],
      ]),
    })
  })
})
