import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Draft,
  type List,
  type Pictures,
  type Right,
  sumOf,
} from '../../../src/gallery/sharing/sight.ts'
import type { State } from '../../../src/gallery/sharing/state.ts'
import { gapsOf, linesAfter, linesNow, linesOfSome } from '../../../src/gallery/sharing/words.ts'

const NO_ALBUM = { through_pools: 0, pools: [] }
const PEOPLE = ['Anna', 'Grandma', 'Jonas'].map((name, at) => ({ id: at + 1, name }))
const [ANNA, GRANDMA, JONAS] = [1, 2, 3]

function pictures(all: number, own: number, seen: [number, number][] = [], edits = 0): Pictures {
  const sights = new Map(seen.map(([id, seen]) => [id, { seen, edits }]))
  return { all, own, foreign: 0, sights, open: { least: 0, most: 0 } }
}

const stateOf = (state: Partial<State>): State => ({
  kind: 'files',
  name: 'Arezzo',
  creator: 'me',
  isOwn: true,
  isMine: true,
  people: PEOPLE,
  list: null,
  sharesFiles: false,
  isSmart: false,
  pictures: null,
  ids: async () => [],
  ...state,
})
const listOf = (entries: [number, Right][], isPublic = false): List => ({
  entries: new Map(entries),
  isPublic,
})
const draftOf = (rights: [number, Right | 'out'][], isPublic: boolean | null = null): Draft => ({
  rights: new Map(rights),
  isPublic,
})
const after = (state: State, draft: Draft, hasPictures = true) =>
  linesAfter(state, draft, hasPictures).map(({ text, isNew }) => (isNew ? `**${text}**` : text))

describe('the words of who sees pictures', () => {
  const state = stateOf({
    pictures: pictures(52, 52, [
      [GRANDMA, 12],
      [ANNA, 6],
    ]),
  })

  it('tell how many each sees, before and after', () => {
    assert.deepEqual(linesNow(state), ['Grandma sees 12 of these 52, Anna 6.'])
    assert.deepEqual(after(state, draftOf([[ANNA, 'view']])), [
      '**Anna sees all 52.**',
      'Grandma sees 12, as before.',
    ])
    assert.deepEqual(
      after(
        state,
        draftOf([
          [ANNA, 'edit'],
          [GRANDMA, 'out'],
        ]),
      ),
      ['**Anna sees and may edit all 52.**', '**Grandma sees none of these 52.**'],
    )
    assert.deepEqual(after(state, draftOf([], true)), ['**Everybody here sees all 52.**'])
    assert.deepEqual(after(state, draftOf([[JONAS, 'edit']], true)), [
      '**Everybody here sees all 52.**',
      '**Jonas sees and may edit all 52.**',
    ])
  })

  it('count what belongs to others, and nothing of these', () => {
    const partly = stateOf({ pictures: pictures(52, 40, [[GRANDMA, 12]]) })
    assert.deepEqual(after(partly, draftOf([[ANNA, 'view']])), [
      '**Anna sees 40 of these 52; 12 belong to others.**',
      'Grandma sees 12, as before.',
    ])
    assert.deepEqual(linesNow(stateOf({ pictures: pictures(52, 40) })), [
      'Only you; 12 belong to others.',
    ])
  })

  it('say what is not known', () => {
    const open = { ...state.pictures!, open: { least: 0, most: 6 } }
    const some = stateOf({ pictures: open })
    assert.deepEqual(after(some, draftOf([[ANNA, 'out']])), [
      '**Anna sees only what everybody may view.**',
      'Grandma sees 12, as before.',
    ])
    assert.deepEqual(after(some, draftOf([], false)), [
      '**Anna sees only what is shared by name.**',
      '**Grandma sees only what is shared by name.**',
    ])
  })

  it('name each of some, and those who see nothing', () => {
    const people = PEOPLE.slice(0, 1)
    assert.deepEqual(linesOfSome(stateOf({ people, pictures: pictures(2, 2, [[ANNA, 2]]) })), [
      'Anna sees all 2.',
    ])
    assert.deepEqual(linesOfSome(stateOf({ people, pictures: pictures(2, 2) })), [
      'Anna sees none of these 2.',
    ])
  })

  it('are of one by its list, and know an admin', () => {
    const one = stateOf({
      kind: 'file',
      list: listOf([[ANNA, 'view']]),
      pictures: pictures(1, 1, [
        [ANNA, 1],
        [JONAS, 1],
      ]),
    })
    assert.deepEqual(linesNow(one), ['Anna sees it.', 'Jonas sees it.'])
    assert.deepEqual(after(one, draftOf([[ANNA, 'out']])), [
      '**Anna doesn’t see it.**',
      'Jonas sees it, as before.',
    ])
  })
})

describe('the words of who sees a tag', () => {
  it('are those of its list', () => {
    const tag = stateOf({ kind: 'tag', list: listOf([[GRANDMA, 'edit']]) })
    assert.deepEqual(linesNow(tag), ['Grandma sees and may edit it.'])
    assert.deepEqual(
      after(
        tag,
        draftOf([
          [ANNA, 'view'],
          [GRANDMA, 'out'],
        ]),
      ),
      ['**Anna sees it.**', '**Grandma doesn’t see it.**'],
    )
    assert.deepEqual(linesNow(stateOf({ kind: 'tag', list: listOf([]) })), ['Only you.'])
    const theirs = stateOf({ kind: 'tag', list: listOf([]), isOwn: false, creator: 'Eve' })
    assert.deepEqual(linesNow(theirs), ['Only Eve.'])
    assert.deepEqual(linesNow(stateOf({ kind: 'tag', list: listOf([], true) })), [
      'Everybody here sees it.',
    ])
  })
})

describe('the words of who sees a pool', () => {
  const pool = stateOf({
    kind: 'pool',
    list: listOf([[GRANDMA, 'view']]),
    pictures: pictures(52, 40, [
      [GRANDMA, 40],
      [JONAS, 3],
    ]),
  })

  it('tell of its pictures, too', () => {
    assert.deepEqual(linesNow(pool), [
      'Grandma sees the album and 40 of its 52 photos; 12 belong to others.',
    ])
    assert.deepEqual(after(pool, draftOf([[ANNA, 'view']])), [
      '**Anna sees the album and 40 of its 52 photos; 12 belong to others.**',
      'Grandma sees the album and 40 of its 52 photos; 12 belong to others, as before.',
    ])
  })

  it('leave the pictures as they are where these don’t follow', () => {
    const [line] = after(pool, draftOf([[ANNA, 'view']]), false)
    assert.equal(line, '**Anna sees the album and none of its 52 photos; 12 belong to others.**')
  })

  it('tell that people see all of its pictures through one that shares them', () => {
    const others = '12 belong to others'
    const shared = { ...pool, sharesFiles: true }
    const [line] = after(shared, draftOf([[ANNA, 'edit']]), false)
    assert.equal(line, `**Anna may edit the album and sees 40 of its 52 photos; ${others}.**`)
    const begun = { ...pool, list: listOf([[JONAS, 'view']]) }
    assert.deepEqual(linesAfter(begun, { ...draftOf([]), sharesFiles: true }, true), [
      { text: `Jonas sees the album and 40 of its 52 photos; ${others}.`, isNew: true },
    ])
    // What is shared by name stays, and nobody can know what that is.
    assert.deepEqual(linesAfter(shared, { ...draftOf([]), sharesFiles: false }, true), [
      { text: 'Grandma sees the album. Grandma sees only what is shared by name.', isNew: true },
    ])
    assert.deepEqual(after(shared, draftOf([[GRANDMA, 'out']])), [
      '**Grandma doesn’t see the album.**',
    ])
  })

  it('have a gap when somebody sees it and not all that could be shared', () => {
    assert.deepEqual(gapsOf(pool), { people: [], isOpen: false })
    const shared = { ...pool, list: listOf([[JONAS, 'view']]) }
    const jonas = { id: JONAS, name: 'Jonas', count: 37 }
    assert.deepEqual(gapsOf(shared), { people: [jonas], isOpen: false })
    const open = { ...pool, list: listOf([], true) }
    assert.deepEqual(gapsOf(open), {
      people: [{ id: ANNA, name: 'Anna', count: 40 }, jonas],
      isOpen: true,
    })
    // One that shares its pictures doesn't share those of others that an editor has added.
    assert.deepEqual(gapsOf({ ...shared, sharesFiles: true }).people, [jonas])
    assert.deepEqual(gapsOf({ ...open, isMine: false }), { people: [], isOpen: false })
  })
})

describe('what several requests tell of who sees files', () => {
  it('is added up by slices of files, and put together by slices of users', () => {
    const user = (user_id: number, seen: number, can_edit = 0) => ({
      user_id,
      seen,
      can_edit,
      ...NO_ALBUM,
    })
    const sum = sumOf([
      [
        { files: 10_000, not_yours: 100, users: [user(1, 9000, 5)] },
        { files: 10_000, not_yours: 100, users: [user(2, 3)] },
      ],
      [
        { files: 500, not_yours: 0, users: [user(1, 400, 2)] },
        { files: 500, not_yours: 0, users: [user(2, 0)] },
      ],
    ])
    assert.equal(sum.all, 10_500)
    assert.equal(sum.others, 100)
    assert.deepEqual(
      [...sum.sights],
      [
        [1, { seen: 9400, edits: 7 }],
        [2, { seen: 3, edits: 0 }],
      ],
    )
  })
})

it('tells through which albums people see pictures, and that they go on to', () => {
  const sums = sumOf([
    [
      {
        files: 1,
        not_yours: 0,
        users: [
          { user_id: ANNA, seen: 1, can_edit: 0, through_pools: 1, pools: [] },
          {
            user_id: GRANDMA,
            seen: 1,
            can_edit: 0,
            through_pools: 1,
            pools: [{ id: 'p', name: 'Alps' }],
          },
        ],
      },
    ],
  ])
  const open = { least: 0, most: 0 }
  const state = stateOf({
    kind: 'file',
    list: listOf([]),
    pictures: { all: 1, own: 1, foreign: 0, sights: sums.sights, open },
  })
  const now = ['Anna sees it, through an album.', 'Grandma sees it, through the album Alps.']
  assert.deepEqual(linesNow(state), now)
  const named = { ...state, list: listOf([[GRANDMA, 'edit']]) }
  assert.equal(after(named, draftOf([[GRANDMA, 'out']]))[0], `**${now[1]}**`)
})
