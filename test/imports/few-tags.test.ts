import assert from 'node:assert/strict'
import { inventory } from '../support/files.ts'
import { picture } from '../support/harness.ts'
import { type Folders, openFolders } from '../support/import-folders.ts'
import { namesIn, putFile, runImport } from '../support/imports.ts'
import { after, before, beforeEach, describe, it } from '../support/test.ts'
import { xmpText } from '../support/xmp-text.ts'

let on: Folders
let kid: { id: number; token: string }
before(async () => {
  on = await openFolders()
  kid = await on.library.join('kid', { can_create: true })
  makeTags(9990)
})
after(() => on.close())
beforeEach(async () => {
  on.clear()
  await put('a.jpg', 1, ['Sea', 'Sun', 'Sand', 'Salt', 'Sky', 'Swim'])
  await put('b.jpg', 2, ['Sea', 'Cat', 'Cow', 'Crow', 'Crab', 'Carp'])
})

function makeTags(count: number) {
  on.library.deps.db.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO tags (id, name, name_key, creator_id, is_public)
     SELECT unhex('018bcfe5680070008000' || printf('%012x', i)), 'many ' || i, 'many ' || i, ?, 0 FROM n`,
    count,
    kid.id,
  )
}

async function put(name: string, at: number, subject: string[]) {
  putFile(on.base, name, await picture(at), at)
  putFile(on.base, `${name}.xmp`, xmpText({ subject }), at)
}

const run = (options: Parameters<typeof runImport>[3] = {}) =>
  runImport(on.library, on.admin, undefined, { keyword_tags: true, owner: kid.id, ...options })

describe('an import after which its owner would have too many tags', () => {
  it('is refused before its first file, with the number', async () => {
    const before = inventory(on.library)
    assert.deepEqual(await run(), [
      { type: 'start', total: 4 },
      { type: 'error', reason: 'The owner would have 10001 tags, and may have at most 10000' },
    ])
    assert.deepEqual(inventory(on.library), before)
    assert.deepEqual(namesIn(on.base), ['a.jpg', 'a.jpg.xmp', 'b.jpg', 'b.jpg.xmp'])
    assert.deepEqual(on.stillOpen(), [])
  })

  it('comes in without as many as are too many', async () => {
    const done = (await run({ leave_out: [['Crow']] })).at(-1)
    assert.deepEqual([done?.imported, done?.errors], [2, 0])
    assert.deepEqual(namesIn(on.base), [])
  })

  it('counts only what is new, and nothing of what is not imported', async () => {
    await put('c.jpg', 3, ['Sea', 'Salt', 'Cat'])
    putFile(on.base, 'd.txt', 'no picture', 4)
    putFile(on.base, 'd.txt.xmp', xmpText({ subject: ['One', 'Two'] }), 4)
    const done = (await run({ on_duplicate: 'skip', leave_out: [['Crow']] })).at(-1)
    assert.deepEqual([done?.type, done?.imported, done?.errors], ['done', 1, 0])
  })

  it('is asked of nobody who may make any number', async () => {
    const done = (await run({ owner: undefined })).at(-1)
    assert.deepEqual([done?.type, done?.imported], ['done', 2])
  })
})
