import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { assertError } from '../../support/files.ts'
import { type Answer, form, type Library, openLibrary, picture } from '../../support/harness.ts'
import { box } from '../../support/media/iso-film.ts'
import { operationOf } from '../../support/undo/undoing.ts'

type Name = 'root' | 'ann' | 'bob' | 'cat'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'
/** What is a film by its first bytes. */
const FILM = Buffer.concat([box('ftyp', Buffer.from('isom\0\0\u0002\0isommp41')), box('moov')])

let library: Library
const people = {} as Record<Name, { id: number; token: string }>
/** Ann's film and the picture that it belongs to, and another picture and film of hers. */
let film: string
let still: string
let other: { film: string; still: string }

const call = (by: Name, method: string, path: string, body?: unknown) =>
  library.call(method, path, { token: people[by].token, ...(body !== undefined && { body }) })
const get = async (id: string, by: Name = 'ann') => (await call(by, 'GET', `/files/${id}`)).body
const patch = (id: string, body: object, by: Name = 'ann') =>
  call(by, 'PATCH', `/files/${id}`, body)
const join = (id: string, companion_of: string | null, by: Name = 'ann') =>
  patch(id, { companion_of }, by)
const companionOf = async (id: string, by: Name = 'ann') => (await get(id, by)).companion_of
const undo = (operation: number, by: Name = 'ann') =>
  call(by, 'POST', `/operations/${operation}/undo`)
const purge = async (id: string) => {
  await call('ann', 'DELETE', `/files/${id}`)
  assert.equal((await call('ann', 'DELETE', `/files/${id}/permanent`)).status, 204)
}
/** Lets people view files, and those with a `+` edit them. */
const share = async (ids: string[], ...names: (Name | `${Name}+`)[]) => {
  const permissions = names.map((name) => {
    const can_edit = name.endsWith('+')
    return { user_id: people[name.replace('+', '') as Name].id, can_edit }
  })
  for (const id of ids) await call('ann', 'PUT', `/acl/file/${id}`, { permissions })
}
const rows = () => library.deps.db.get<{ n: number }>('SELECT count(*) AS n FROM companions')!.n

async function upload(kind: 'film' | 'still', by: Name = 'ann'): Promise<string> {
  const bytes = kind === 'film' ? FILM : await picture()
  const answer = await library.upload(people[by].token, bytes, kind === 'film' ? 'a.mp4' : 'a.jpg')
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}

before(async () => {
  library = await openLibrary()
  for (const name of ['root', 'ann', 'bob', 'cat'] as const) {
    people[name] = await library.join(name, { is_admin: name === 'root', can_create: true })
  }
})
after(() => library.close())
beforeEach(async () => {
  library.deps.db.run('DELETE FROM companions')
  film = await upload('film')
  still = await upload('still')
  other = { film: await upload('film'), still: await upload('still') }
  assert.equal((await join(film, still)).status, 200)
})

describe('a film of a picture', () => {
  it('names it, in each answer that shows the file, and not the other way round', async () => {
    assert.deepEqual([await companionOf(film), await companionOf(still)], [still, null])
    const { items } = (await call('ann', 'GET', '/files')).body
    const named = items.filter((file: { companion_of: string | null }) => file.companion_of)
    assert.deepEqual(
      named.map((file: { id: string; companion_of: string }) => [file.id, file.companion_of]),
      [[film, still]],
    )
    assert.deepEqual(library.audit().at(-1), {
      user_id: people.ann.id,
      user_name: 'ann',
      action: 'file_edit',
      details: { changes: { companion_of: { from: null, to: still } } },
    })
  })

  it('does not name a picture that the caller may not view', async () => {
    await share([film], 'bob+', 'cat')
    assert.equal(await companionOf(film, 'bob'), null)
    assert.equal(await companionOf(film, 'root'), still)
    const seen = async (by: Name) =>
      (await call(by, 'GET', `/files/${film}/history`)).body.items.map(
        ({ action, details }: { action: string; details: unknown }) => [action, details],
      )
    const edit = ['file_edit', { changes: { companion_of: { from: null, to: still } } }]
    assert.deepEqual((await seen('ann'))[1], edit)
    for (const by of ['bob', 'cat'] as const) {
      const actions = (await seen(by)).map(([action]: string[]) => action)
      assert.deepEqual(actions, ['file_create'], by)
    }
    // What Bob sees is no change, and takes nothing apart that he doesn't see.
    assert.equal((await join(film, null, 'bob')).status, 200)
    assert.equal(await companionOf(film), still)
    await share([still], 'bob', 'cat')
    assert.equal(await companionOf(film, 'bob'), still)
    assert.deepEqual((await seen('bob'))[0], edit)
    assert.deepEqual((await seen('cat'))[0], ['file_edit', { fields: ['companion_of'] }])
    assert.equal((await join(film, null, 'cat')).status, 403)
    assert.equal((await join(film, null, 'bob')).status, 200)
    assert.equal(await companionOf(film), null)
  })

  it('stays so through the trash, edits, turns and a content of the same kind', async () => {
    const { token } = people.ann
    for (const id of [film, still]) {
      await call('ann', 'DELETE', `/files/${id}`)
      assert.equal(await companionOf(film), still)
      await call('ann', 'POST', `/files/${id}/restore`)
    }
    await patch(film, { notes: 'n', companion_of: still })
    await patch(still, { rotation: 90 })
    const body = form(await picture(2), 'b.jpg')
    await library.call('PUT', `/files/${still}/content`, { token, body })
    await library.call('PUT', `/files/${film}/content`, { token, body: form(FILM, 'b.mp4') })
    assert.equal(await companionOf(film), still)
  })

  it('is one no longer once either content is of the other kind', async () => {
    const put = async (id: string, bytes: Uint8Array, name: string) =>
      library.call('PUT', `/files/${id}/content`, {
        token: people.ann.token,
        body: form(bytes, name),
      })
    const replaced = async (pair: { film: string; still: string }, answer: Answer) => {
      assert.equal(answer.status, 200, answer.text)
      assert.equal(rows(), 0)
      const edits = library.audit().filter(({ action }) => action === 'file_edit')
      assert.deepEqual(edits.at(-1)!.details, {
        changes: { companion_of: { from: pair.still, to: null } },
      })
      const { body } = await undo(operationOf(answer))
      assert.deepEqual([body.undone, body.kept.length], [0, body.kept_total])
      assert.equal(rows(), 0)
    }
    await replaced({ film, still }, await put(still, FILM, 'c.mp4'))
    await join(other.film, other.still)
    await replaced(other, await put(other.film, await picture(3), 'c.jpg'))
  })

  it('is alone when the picture is deleted for good, as is the picture', async () => {
    await purge(still)
    assert.equal(await companionOf(film), null)
    await join(other.film, other.still)
    await purge(other.film)
    assert.equal(rows(), 0)
    assert.equal((await join(film, other.still)).status, 200)
  })
})

describe('companion_of in a PATCH', () => {
  const refused = async (id: string, to: string, by: Name = 'ann') => {
    const entries = library.audit().length
    const answer = await patch(id, { companion_of: to, notes: 'not written' }, by)
    assert.equal(library.audit().length, entries)
    assert.notEqual((await get(id)).notes, 'not written')
    return answer
  }

  it('refuses what can be no pair', async () => {
    const bobs = { film: await upload('film', 'bob'), still: await upload('still', 'bob') }
    await call('bob', 'PUT', `/acl/file/${bobs.still}`, {
      permissions: [{ user_id: people.ann.id, can_edit: true }],
    })
    for (const [id, to] of [
      [other.still, film],
      [other.still, still],
      [other.film, film],
      [other.film, other.film],
      [other.film, still],
      [other.film, bobs.still],
    ] as const) {
      assertError(await refused(id, to), 400, 'validation_error', ['companion_of'])
    }
    assertError(await refused(other.film, UNKNOWN), 404, 'not_found')
    assertError(await refused(other.film, 'x'), 400, 'validation_error', ['companion_of'])
    assert.equal(rows(), 1)
  })

  it('gives a film to another picture, and back again', async () => {
    const operation = operationOf(await join(film, other.still))
    assert.equal(await companionOf(film), other.still)
    assert.deepEqual((await undo(operation)).body.kept, [])
    assert.equal(await companionOf(film), still)
  })

  it('needs the right to edit both', async () => {
    await share([other.film], 'bob+')
    await share([other.still], 'bob')
    assertError(await refused(other.film, other.still, 'bob'), 403, 'forbidden')
    await share([other.film], 'bob')
    await share([other.still], 'bob+')
    assertError(await refused(other.film, other.still, 'bob'), 403, 'forbidden')
    await share([other.film], 'bob+')
    assert.equal((await join(other.film, other.still, 'bob')).status, 200)
    assert.equal(await companionOf(other.film, 'bob'), other.still)
  })

  it('changes nothing where it says what is so', async () => {
    const entries = library.audit().length
    assert.equal((await join(film, still)).status, 200)
    assert.equal((await join(film, still.toUpperCase())).status, 200)
    assert.equal((await join(other.film, null)).status, 200)
    assert.equal((await join(still, null)).status, 200)
    assert.equal(library.audit().length, entries)
    assert.equal(await companionOf(film), still)
  })

  it('is not for many files at once', async () => {
    const body = { file_ids: [film], set: { companion_of: null } }
    await call('ann', 'POST', '/files/bulk/update', body)
    assert.equal(await companionOf(film), still)
  })
})

describe('an undo', () => {
  const apart = async () => operationOf(await patch(film, { companion_of: null, notes: 'alone' }))
  const kept = (reason: string) => [{ object_type: 'file', object_id: film, reason }]

  it('puts a pair together again, and takes one apart', async () => {
    const operation = await apart()
    assert.equal(await companionOf(film), null)
    const undone = await undo(operation)
    assert.deepEqual([undone.body.undone, undone.body.kept], [1, []])
    assert.deepEqual([await companionOf(film), (await get(film)).notes], [still, null])
    assert.deepEqual((await undo(operationOf(undone))).body.kept, [])
    assert.deepEqual([await companionOf(film), (await get(film)).notes], [null, 'alone'])
    const joined = operationOf(await join(other.film, other.still))
    assert.deepEqual((await undo(joined)).body.kept, [])
    assert.equal(await companionOf(other.film), null)
  })

  it('leaves the film alone where the picture is gone or in another pair, or the film is', async () => {
    let operation = await apart()
    await join(other.film, still)
    assert.deepEqual((await undo(operation)).body.kept, kept('changed'))
    assert.deepEqual([await companionOf(film), (await get(film)).notes], [null, null])
    await join(other.film, null)
    await join(film, still)

    operation = await apart()
    await join(film, other.still)
    assert.deepEqual((await undo(operation)).body.kept, kept('changed'))
    assert.equal(await companionOf(film), other.still)
    await join(film, null)
    await join(film, still)

    operation = await apart()
    await purge(still)
    assert.deepEqual((await undo(operation)).body.kept, kept('gone'))
    assert.deepEqual([await companionOf(film), (await get(film)).notes], [null, null])
  })

  it('needs the right to edit the picture again', async () => {
    await share([film, still], 'bob+')
    const operation = operationOf(await join(film, null, 'bob'))
    await share([still], 'bob')
    assert.deepEqual((await undo(operation, 'bob')).body.kept, kept('forbidden'))
    assert.equal(await companionOf(film), null)
  })
})

describe('a half that is merged into another file', () => {
  const merge = (keep: string, discard: string, more: object = {}, by: Name = 'ann') =>
    call(by, 'POST', '/files/duplicates/resolve', { keep, discard, ...more })
  const trashed = async (id: string) => (await get(id)).is_deleted

  it('leaves its place in the pair to that file, be it the picture or the film', async () => {
    const merged = operationOf(await merge(other.still, still))
    assert.deepEqual([await companionOf(film), await trashed(film)], [other.still, false])
    assert.deepEqual((await undo(merged)).body.kept, [])
    assert.deepEqual([await companionOf(film), await trashed(still)], [still, false])

    const films = operationOf(await merge(other.film, film))
    assert.deepEqual([await companionOf(other.film), await companionOf(film)], [still, null])
    assert.deepEqual((await undo(films)).body.kept, [])
    assert.deepEqual([await companionOf(other.film), await companionOf(film)], [null, still])
  })

  it('stays in its pair where the other is in one, is not to go, or nobody may edit the other half', async () => {
    await merge(other.still, still, { delete_discarded: false })
    assert.equal(await companionOf(film), still)
    await share([other.still, still], 'bob+')
    assert.equal((await merge(other.still, still, {}, 'bob')).status, 200)
    assert.equal(await companionOf(film), still)
    await call('ann', 'POST', `/files/${still}/restore`)
    await join(other.film, other.still)
    await merge(other.still, still)
    assert.deepEqual([await companionOf(film), await companionOf(other.film)], [still, other.still])
  })
})
