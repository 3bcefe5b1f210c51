import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Draft,
  entriesAfter,
  listsOf,
  openAmong,
  type Right,
  rightAfter,
  sightAfter,
  withAdded,
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
