import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { fileSeed, idAt, insertFiles } from '../support/file-rows.ts'
import { addTag } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'

type Name = 'root' | 'ann' | 'vic' | 'sam'
const NAMES: Name[] = ['root', 'ann', 'vic', 'sam']
/** The names of files, in the order of the alphabet, or `many`; people without a change are left out. */
type Said = Partial<Record<Name, string>>

let library: Library
const people = {} as Record<Name, { id: number; token: string }>
/** Ann's files by name. */
const files: Record<string, string> = {}
const since = {} as Record<Name, string>
let shade = 0

const call = async (by: Name, method: string, path: string, body?: object) => {
  const answer = await library.call(method, path, {
    token: people[by].token,
    ...(body && { body }),
  })
  assert.ok(answer.status < 300, `${by} ${method} ${path}: ${answer.text}`)
  return answer
}
const add = async (...names: string[]) => {
  for (const name of names) {
    files[name] = (await library.upload(people.ann.token, await picture(shade++))).body.id
  }
}
const edit = (name: string, body: object = { notes: `${shade++}` }) =>
  call('ann', 'PATCH', `/files/${files[name]}`, body)
const allow = (type: string, id: string | undefined, ...names: Name[]) =>
  call('ann', 'PUT', `/acl/${type}/${id}`, {
    permissions: names.map((name) => ({ user_id: people[name].id, can_edit: false })),
  })
const trash = (name: string) => call('ann', 'DELETE', `/files/${files[name]}`)
const purge = (name: string) => call('ann', 'DELETE', `/files/${files[name]}/permanent`)

/** Returns what each one is told of what has happened since the last time. */
async function said(): Promise<Said> {
  const all: Said = {}
  for (const name of NAMES) {
    const { body } = await call(name, 'GET', `/changes?since=${since[name]}&wait=0`)
    since[name] = body.next
    if (body.files.length > 0) all[name] = namesOf(body.files)
  }
  return all
}

function namesOf(told: string[] | 'many'): string {
  if (told === 'many') return told
  const name = (id: string) => Object.keys(files).find((one) => files[one] === id) ?? id
  assert.equal(new Set(told).size, told.length)
  return told.map(name).sort().join(' ')
}

before(async () => {
  library = await openLibrary()
  for (const name of NAMES) {
    people[name] = await library.join(name, {
      is_admin: name === 'root',
      can_create: name === 'ann',
    })
  }
  for (const name of NAMES) since[name] = (await call(name, 'GET', '/changes')).body.next
})
after(() => library.close())

describe('what GET /changes tells', () => {
  it('is the files that the caller sees', async () => {
    await add('hidden', 'open', 'shown')
    assert.deepEqual(await said(), { root: 'hidden open shown', ann: 'hidden open shown' })
    await edit('hidden')
    assert.deepEqual(await said(), { root: 'hidden', ann: 'hidden' })
    await edit('open', { is_public: true })
    assert.deepEqual(await said(), { root: 'open', ann: 'open', vic: 'open', sam: 'open' })
    await allow('file', files.shown, 'vic')
    assert.deepEqual(await said(), { root: 'shown', ann: 'shown', vic: 'shown' })
    const tag = await addTag(library, people.ann.token, 'beach', { is_public: true })
    await said()
    await call('ann', 'PUT', `/files/${files.shown}/tags/${tag.id}`)
    assert.deepEqual(await said(), { root: 'shown', ann: 'shown', vic: 'shown' })
    await call('ann', 'DELETE', `/files/${files.hidden}/tags/${tag.id}`)
    assert.deepEqual(await said(), {})
    assert.deepEqual(await said(), {})
  })

  it('is nothing of a file whose hidden tags change, or which others may view from now on', async () => {
    const hidden = (await call('ann', 'POST', '/tags', { name: 'secret' })).body
    await said()
    const path = `/files/${files.shown}/tags`
    const own = { root: 'shown', ann: 'shown' }
    await call('ann', 'PUT', `${path}/${hidden.id}`)
    assert.deepEqual(await said(), own)
    await call('ann', 'PUT', path, { tag_ids: [] })
    assert.deepEqual(await said(), { ...own, vic: 'shown' }, 'the beach was seen')
    await call('ann', 'DELETE', `/tags/${hidden.id}`)
    await said()
    await allow('file', files.shown, 'vic', 'sam')
    assert.deepEqual(await said(), { ...own, sam: 'shown' })
    await allow('file', files.shown, 'vic')
    assert.deepEqual(await said(), { ...own, sam: 'shown' })
    await call('ann', 'PUT', `/acl/file/${files.shown}`, {
      permissions: [{ user_id: people.vic.id, can_edit: true }],
    })
    assert.deepEqual(await said(), { ...own, vic: 'shown' })
    await allow('file', files.shown, 'vic')
    assert.deepEqual(await said(), { ...own, vic: 'shown' })
  })

  it('names each file once', async () => {
    for (let n = 0; n < 3; n++) await edit('open')
    await edit('hidden')
    const open = { vic: 'open', sam: 'open' }
    assert.deepEqual(await said(), { root: 'hidden open', ann: 'hidden open', ...open })
  })

  it('is no favourite and no view, which are of each user alone', async () => {
    await call('vic', 'PUT', `/files/${files.shown}/favourite`)
    await call('vic', 'POST', `/files/${files.shown}/views`)
    assert.deepEqual(await said(), {})
  })

  it('includes a file that the caller has just lost sight of, and then no more', async () => {
    await allow('file', files.shown)
    assert.deepEqual(await said(), { root: 'shown', ann: 'shown', vic: 'shown' })
    await edit('shown')
    assert.deepEqual(await said(), { root: 'shown', ann: 'shown' })
    await edit('open', { is_public: false })
    assert.deepEqual(await said(), { root: 'open', ann: 'open', vic: 'open', sam: 'open' })
    await edit('open')
    assert.deepEqual(await said(), { root: 'open', ann: 'open' })
  })

  it('includes what goes to the trash, comes back and is deleted for good, for those who saw it', async () => {
    await add('deleted', 'secret')
    await allow('file', files.deleted, 'vic')
    await said()
    for (const step of [
      trash,
      (name: string) => call('ann', 'POST', `/files/${files[name]}/restore`),
      trash,
      purge,
    ]) {
      await step('secret')
      assert.deepEqual(await said(), { root: 'secret', ann: 'secret' })
      await step('deleted')
      assert.deepEqual(await said(), { root: 'deleted', ann: 'deleted', vic: 'deleted' })
    }
  })

  it('includes the file that was merged into another one', async () => {
    await add('kept', 'merged')
    await allow('file', files.merged, 'vic')
    await said()
    const merge = { keep: files.kept, discard: files.merged, delete_discarded: true }
    await call('ann', 'POST', '/files/duplicates/resolve', merge)
    const both = 'kept merged'
    const { vic, ...others } = await said()
    assert.deepEqual(others, { root: both, ann: both })
    assert.match(vic!, /merged/)
  })

  it('includes the file that a merge has made private', async () => {
    await add('seen', 'private')
    await edit('seen', { is_public: true })
    await said()
    const [keep, discard] = [files.seen, files.private]
    const merge = { keep, discard, delete_discarded: false, fields: { is_public: 'discard' } }
    await call('ann', 'POST', '/files/duplicates/resolve', merge)
    const { vic, sam } = await said()
    assert.deepEqual([vic, sam], ['seen', 'seen'])
  })

  it('is many for a tag, a category or a pool that the caller sees or has just lost', async () => {
    for (const type of ['tag', 'category', 'pool']) {
      const path = { tag: '/tags', category: '/categories', pool: '/pools' }[type]
      const { id } = (await call('ann', 'POST', path!, { name: `own ${type}` })).body
      const own = { root: 'many', ann: 'many' }
      assert.deepEqual(await said(), own)
      await call('ann', 'PATCH', `${path}/${id}`, { notes: 'secret' })
      assert.deepEqual(await said(), own)
      await allow(type, id, 'vic')
      assert.deepEqual(await said(), { ...own, vic: 'many' })
      await allow(type, id)
      assert.deepEqual(await said(), { ...own, vic: 'many' })
      await call('ann', 'PATCH', `${path}/${id}`, { is_public: true })
      assert.deepEqual(await said(), { ...own, vic: 'many', sam: 'many' })
      await call('ann', 'PATCH', `${path}/${id}`, { is_public: false })
      assert.deepEqual(await said(), { ...own, vic: 'many', sam: 'many' })
      await allow(type, id, 'sam')
      await said()
      await call('ann', 'DELETE', `${path}/${id}`)
      assert.deepEqual(await said(), { ...own, sam: 'many' })
    }
  })

  it('is many for those who see a pool that gets, orders and loses files', async () => {
    await add('one', 'two')
    const { id } = (await call('ann', 'POST', '/pools', { name: 'holidays' })).body
    await allow('pool', id, 'vic')
    await said()
    const told = { root: 'many', ann: 'many', vic: 'many' }
    const [one, two] = [files.one, files.two]
    await call('ann', 'POST', `/pools/${id}/files`, { file_ids: [one, two] })
    assert.deepEqual(await said(), told)
    await call('ann', 'PUT', `/pools/${id}/files/reorder`, { file_ids: [two, one] })
    assert.deepEqual(await said(), told)
    await call('ann', 'PATCH', `/pools/${id}`, { shares_files: true })
    assert.deepEqual(await said(), told)
    // Vic now sees them through the pool.
    await edit('one')
    assert.deepEqual(await said(), { root: 'one', ann: 'one', vic: 'one' })
    await trash('one')
    await purge('one')
    assert.deepEqual(await said(), { root: 'one', ann: 'one', vic: 'one' })
    await call('ann', 'POST', `/pools/${id}/files/remove`, { file_ids: [two] })
    assert.deepEqual(await said(), told)
    await edit('two')
    assert.deepEqual(await said(), { root: 'two', ann: 'two' })
  })

  it('is many for those who see a pool whose filter a merge of tags rewrites', async () => {
    const tag = async (name: string) => (await call('ann', 'POST', '/tags', { name })).body.id
    const [old, into] = [await tag('old'), await tag('into')]
    const filters = [`{t=${into}}`, `{t=${old},|,!,t=${old}}`]
    const pools: string[] = []
    for (const filter of filters) {
      pools.push((await call('ann', 'POST', '/pools', { name: 'filled', filter })).body.id)
    }
    await allow('pool', pools[0], 'sam')
    await allow('pool', pools[1], 'vic')
    await said()
    await call('ann', 'POST', `/tags/${old}/merge`, { into })
    assert.deepEqual(await said(), { root: 'many', ann: 'many', vic: 'many' })
    await call('ann', 'DELETE', `/pools/${pools[1]}`)
    await said()
  })

  it('is many for whose rights an admin changes', async () => {
    await call('root', 'PATCH', `/users/${people.sam.id}`, { is_admin: true })
    assert.deepEqual(await said(), { sam: 'many' })
    await edit('hidden')
    assert.deepEqual(await said(), { root: 'hidden', ann: 'hidden', sam: 'hidden' })
    await call('root', 'PATCH', `/users/${people.sam.id}`, { is_admin: false })
    assert.deepEqual(await said(), { sam: 'many' })
    await edit('hidden')
    assert.deepEqual(await said(), { root: 'hidden', ann: 'hidden' })
  })

  it('lists 200 files, and is many for more', async () => {
    const ids = Array.from({ length: 201 }, (_, n) => idAt(library.time.now, n))
    insertFiles(
      library.deps.db,
      ids.map((id) => fileSeed(id, { owner: people.ann.id })),
    )
    for (const [n, id] of ids.entries()) files[`f${n}`] = id
    assert.deepEqual(await said(), {})
    const some = ids.slice(1)
    await call('ann', 'POST', '/files/bulk/update', { file_ids: some, set: { notes: 'some' } })
    const all = await said()
    assert.deepEqual(Object.keys(all), ['root', 'ann'])
    assert.deepEqual(all.ann, namesOf(some))
    await call('ann', 'POST', '/files/bulk/update', { file_ids: ids, set: { notes: 'all' } })
    assert.deepEqual(await said(), { root: 'many', ann: 'many' })
    assert.deepEqual(await said(), {})
  })

  it('finds what comes after a thousand entries that are nothing to the caller', async () => {
    const ids = Array.from({ length: 201 }, (_, n) => files[`f${n}`])
    for (let n = 0; n < 6; n++) {
      await call('ann', 'POST', '/files/bulk/update', { file_ids: ids, set: { notes: `${n}` } })
    }
    await edit('open', { is_public: true })
    assert.deepEqual(await said(), { root: 'many', ann: 'many' })
    assert.deepEqual(await said(), { vic: 'open', sam: 'open' })
  })

  it('shows nothing of who could view a deleted file', async () => {
    const { items } = (await call('root', 'GET', '/audit?action=file_permanent_delete')).body
    assert.ok(items.length > 0)
    for (const { details } of items) {
      assert.deepEqual(Object.keys(details).sort(), [
        'mime_type',
        'original_name',
        'sha256',
        'size',
      ])
    }
  })
})
