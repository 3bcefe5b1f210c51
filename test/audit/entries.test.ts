import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { addTag } from '../support/files.ts'
import { form, type Library, openLibrary, picture } from '../support/harness.ts'

type User = { id: number; token: string }

let library: Library
let root: User
let ann: User
/** Bob's tokens come and go; he is signed in anew where he is needed. */
let bob: number
before(async () => {
  library = await openLibrary()
  root = await library.join('Root', { is_admin: true })
  ann = await library.join('Ann', { can_create: true })
  bob = await library.addUser('Bob')
})
after(() => library.close())

const call = async (user: User, method: string, path: string, body?: unknown) => {
  const answer = await library.call(method, path, { token: user.token, body })
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
  return answer.body
}

type Entry = [who: string, action: string, object: string | null, details: unknown]

/** What the work left in the log as an admin reads it, the oldest first. */
async function recorded(work: () => Promise<unknown>): Promise<Entry[]> {
  const before = (await call(root, 'GET', '/audit?limit=1')).total
  await work()
  const { items, total } = await call(root, 'GET', '/audit?limit=200')
  return items
    .slice(0, total - before)
    .toReversed()
    .map((entry: Record<string, string>) => {
      const { user_name, action, object_type, object_id, details } = entry
      return [user_name, action, object_type && `${object_type} ${object_id}`, details]
    })
}

const contentOf = (bytes: Uint8Array) => ({
  mime_type: 'image/jpeg',
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

describe('the audit log holds', () => {
  it('logins, failed ones with their reason, and how sessions end', async () => {
    const sessions: number[] = []
    const sessionOf = () =>
      library.deps.db.get<{ id: number }>('SELECT max(id) AS id FROM sessions')!.id
    const entries = await recorded(async () => {
      await library.login('Bob', 'wrong')
      await library.login('Nobody', 'wrong')
      const { access_token } = await library.signIn('Bob')
      sessions.push(sessionOf())
      await call({ id: bob, token: access_token }, 'POST', '/auth/logout')
      const { refresh_token } = await library.signIn('Bob')
      sessions.push(sessionOf())
      await library.refresh(refresh_token)
      library.time.now += 61_000
      await library.refresh(refresh_token)
      await library.signIn('Bob')
      sessions.push(sessionOf())
      await call(root, 'DELETE', `/auth/sessions/${sessions[2]}`)
    })
    const ended = { session_id: sessions[2], user_id: bob, user_name: 'Bob' }
    assert.deepEqual(entries, [
      ['Bob', 'user_login_failed', null, { reason: 'wrong password' }],
      ['Bob', 'user_login', null, { session_id: sessions[0] }],
      ['Bob', 'user_logout', null, { session_id: sessions[0] }],
      ['Bob', 'user_login', null, { session_id: sessions[1] }],
      ['Bob', 'token_reuse', null, { session_id: sessions[1] }],
      ['Bob', 'user_login', null, { session_id: sessions[2] }],
      ['Root', 'session_terminate', null, ended],
    ])
  })

  it('what becomes of users, without their passwords', async () => {
    let id = 0
    let given = ''
    const entries = await recorded(async () => {
      const carl = { name: 'Carl', password: 'a secret', can_create: true }
      id = (await call(root, 'POST', '/users', carl)).id
      const token = (await library.login('Carl', 'a secret')).body.access_token
      await call({ id, token }, 'POST', '/tags', { name: 'of Carl' })
      await call({ id, token }, 'PATCH', '/users/me', { name: 'Carlo', password: 'another' })
      await call(root, 'PATCH', `/users/${id}`, { is_admin: true, can_create: true })
      given = (await call(root, 'POST', `/users/${id}/password`)).password
      await library.login('Carlo', given)
      await call(root, 'PATCH', `/users/${id}`, { is_blocked: true })
      await call(root, 'PATCH', `/users/${id}`, { is_blocked: false })
      await call(root, 'DELETE', `/users/${id}`)
    })
    const rights = { is_admin: false, can_create: true }
    const renamed = { fields: ['name', 'password'], name: { from: 'Carl', to: 'Carlo' } }
    const carlo = { user_id: id, name: 'Carlo' }
    const handed_over = { files: 0, tags: 1, categories: 0, pools: 0 }
    assert.deepEqual(
      entries.filter(([, action]) => !['user_login', 'tag_create'].includes(action)),
      [
        ['Root', 'user_create', null, { user_id: id, name: 'Carl', ...rights }],
        ['Carl', 'user_edit', null, { user_id: id, ...renamed, sessions_ended: 0 }],
        ['Root', 'user_role_change', null, { ...carlo, is_admin: { from: false, to: true } }],
        ['Root', 'user_password_reset', null, { ...carlo, sessions_ended: 1 }],
        ['Root', 'user_block', null, { ...carlo, sessions_ended: 1 }],
        ['Root', 'user_unblock', null, carlo],
        ['Root', 'user_delete', null, { ...carlo, handed_over }],
      ],
    )
    assert.doesNotMatch(JSON.stringify(entries), /secret|another|argon2/)
    assert.ok(given && !JSON.stringify(entries).includes(given))
  })

  it('the life of a file', async () => {
    const [first, second] = [await picture(1), await picture(2)]
    const tag = await addTag(library, ann.token, 'beach')
    let id = ''
    const entries = await recorded(async () => {
      id = (await library.upload(ann.token, first, 'a.jpg', { tag_ids: tag.id })).body.id
      await call(ann, 'PATCH', `/files/${id}`, { notes: 'n', is_public: true })
      await call(ann, 'PUT', `/files/${id}/content`, form(second, 'b.jpg'))
      await call(ann, 'POST', '/files/bulk/review', { file_ids: [id], needs_review: false })
      await call(ann, 'DELETE', `/files/${id}/tags/${tag.id}`)
      await call(ann, 'PUT', `/files/${id}/tags/${tag.id}`)
      await call(ann, 'DELETE', `/files/${id}`)
      await call(ann, 'POST', `/files/${id}/restore`)
      await call(ann, 'DELETE', `/files/${id}`)
      await call(root, 'DELETE', `/files/${id}/permanent`)
    })
    const file = `file ${id}`
    const changes = { notes: { from: null, to: 'n' }, is_public: { from: false, to: true } }
    const [a, b] = [
      { ...contentOf(first), original_name: 'a.jpg' },
      { ...contentOf(second), original_name: 'b.jpg' },
    ]
    assert.deepEqual(entries, [
      ['Ann', 'file_create', file, { ...a, tag_ids: [tag.id] }],
      ['Ann', 'file_edit', file, { changes }],
      ['Ann', 'file_replace', file, { from: a, to: b }],
      ['Ann', 'file_review', file, { needs_review: { from: true, to: false } }],
      ['Ann', 'file_tag_remove', file, { tag_ids: [tag.id], by_rule: [] }],
      ['Ann', 'file_tag_add', file, { tag_ids: [tag.id], by_rule: [] }],
      ['Ann', 'file_delete', file, { original_name: 'b.jpg' }],
      ['Ann', 'file_restore', file, { original_name: 'b.jpg' }],
      ['Ann', 'file_delete', file, { original_name: 'b.jpg' }],
      ['Root', 'file_permanent_delete', file, b],
    ])
  })

  it('the lives of tags, their rules and categories', async () => {
    const ids = { category: '', whenTag: '', thenTag: '' }
    const entries = await recorded(async () => {
      ids.category = (await call(ann, 'POST', '/categories', { name: 'Places' })).id
      ids.whenTag = (await addTag(library, ann.token, 'when', { category_id: ids.category })).id
      ids.thenTag = (await addTag(library, ann.token, 'then', { is_public: true })).id
      const rules = `/tags/${ids.whenTag}/rules`
      await call(ann, 'POST', rules, { then_tag_id: ids.thenTag })
      await call(ann, 'PATCH', `${rules}/${ids.thenTag}`, { is_active: false })
      await call(ann, 'DELETE', `${rules}/${ids.thenTag}`)
      await call(ann, 'PATCH', `/categories/${ids.category}`, { name: 'Where' })
      await call(ann, 'PATCH', `/tags/${ids.whenTag}`, { color: 'c0ffee', category_id: null })
      await call(ann, 'DELETE', `/tags/${ids.whenTag}`)
      await call(ann, 'DELETE', `/categories/${ids.category}`)
    })
    const [category, when] = [`category ${ids.category}`, `tag ${ids.whenTag}`]
    const rule = { then_tag_id: ids.thenTag, then_tag_name: 'then' }
    const off = { is_active: { from: true, to: false }, files_changed: 0 }
    const uncategorised = { from: 'Where', to: null }
    const changes = {
      color: { from: null, to: 'c0ffee' },
      category_id: { from: ids.category, to: null },
      category_name: uncategorised,
    }
    const bare = { notes: null, color: null, metadata: null, is_public: false }
    const none = { category_id: null, category_name: null }
    const places = { ...bare, name: 'Places' }
    const inPlaces = { ...bare, name: 'when', category_id: ids.category, category_name: 'Places' }
    const then = { ...bare, ...none, name: 'then', is_public: true }
    const empty = { file_count: 0, rule_count: 0 }
    const deleted = { creator_id: ann.id, permissions: [] }
    const whenDeleted = { ...bare, ...none, name: 'when', color: 'c0ffee' }
    assert.deepEqual(entries, [
      [
        'Ann',
        'category_create',
        category,
        { name: 'Places', is_public: false, fields: places, tag_count: 0 },
      ],
      ['Ann', 'tag_create', when, { name: 'when', is_public: false, fields: inPlaces, ...empty }],
      [
        'Ann',
        'tag_create',
        `tag ${ids.thenTag}`,
        { name: 'then', is_public: true, fields: then, ...empty },
      ],
      ['Ann', 'tag_rule_create', when, { ...rule, is_active: true, files_changed: 0 }],
      ['Ann', 'tag_rule_edit', when, { ...rule, ...off }],
      ['Ann', 'tag_rule_delete', when, { ...rule, is_active: false }],
      ['Ann', 'category_edit', category, { changes: { name: { from: 'Places', to: 'Where' } } }],
      ['Ann', 'tag_edit', when, { changes }],
      [
        'Ann',
        'tag_delete',
        when,
        {
          ...deleted,
          name: 'when',
          file_count: 0,
          fields: whenDeleted,
          rules: [],
          by_hand: 0,
          by_rule: 0,
        },
      ],
      [
        'Ann',
        'category_delete',
        category,
        { ...deleted, name: 'Where', tag_count: 0, fields: { ...places, name: 'Where' }, tags: 0 },
      ],
    ])
  })

  it('the lives of pools, what lies in them, and who may see them', async () => {
    const upload = async () => (await library.upload(ann.token, await picture())).body.id as string
    const files = [await upload(), await upload(), await upload()]
    const [first, second, third] = files
    let id = ''
    const entries = await recorded(async () => {
      id = (await call(ann, 'POST', '/pools', { name: 'Trip' })).id
      await call(ann, 'POST', `/pools/${id}/files`, { file_ids: [first, second] })
      await call(ann, 'POST', `/pools/${id}/files`, { file_ids: [third, first], position: 1 })
      await call(ann, 'PUT', `/pools/${id}/files/reorder`, { file_ids: [third] })
      await call(ann, 'POST', `/pools/${id}/files/remove`, { file_ids: [second, third] })
      await call(ann, 'PATCH', `/pools/${id}`, { sort_key: 'created', name: 'Trip 1' })
      const permissions = [{ user_id: bob }]
      await call(ann, 'PUT', `/acl/pool/${id}`, { permissions })
      await call(ann, 'DELETE', `/pools/${id}`)
    })
    const pool = `pool ${id}`
    const changes = {
      name: { from: 'Trip', to: 'Trip 1' },
      sort_key: { from: 'manual', to: 'created' },
    }
    const fields = {
      ...{ name: 'Trip', notes: null, metadata: null, is_public: false },
      ...{ sort_key: 'manual', sort_order: 'asc', shares_files: false, filter: null },
    }
    const edited = { ...fields, name: 'Trip 1', sort_key: 'created' }
    const to = [{ user_id: bob, user_name: 'Bob', can_view: true, can_edit: false }]
    assert.deepEqual(entries, [
      ['Ann', 'pool_create', pool, { name: 'Trip', is_public: false, fields, file_count: 0 }],
      [
        'Ann',
        'file_pool_add',
        pool,
        { position: 0, count: 2, file_ids: [first, second], files: 2 },
      ],
      ['Ann', 'file_pool_add', pool, { position: 1, count: 1, file_ids: [third], files: 1 }],
      [
        'Ann',
        'file_pool_reorder',
        pool,
        { moved: 2, count: 1, file_ids: [third], files: 2, former: 2 },
      ],
      [
        'Ann',
        'file_pool_remove',
        pool,
        { count: 2, file_ids: [second, third], files: 2, positions: 2 },
      ],
      ['Ann', 'pool_edit', pool, { changes }],
      ['Ann', 'acl_change', pool, { from: [], to }],
      [
        'Ann',
        'pool_delete',
        pool,
        {
          name: 'Trip 1',
          file_count: 1,
          files: 1,
          fields: edited,
          creator_id: ann.id,
          permissions: to,
        },
      ],
    ])
  })

  it('nothing of what changes nothing, is refused, or only looks', async () => {
    const file = (await library.upload(ann.token, await picture())).body.id
    const tag = await addTag(library, ann.token, 'still')
    const other = await addTag(library, ann.token, 'still too')
    const category = await call(ann, 'POST', '/categories', { name: 'Still' })
    const pool = await call(ann, 'POST', '/pools', { name: 'Still' })
    await call(ann, 'POST', `/tags/${tag.id}/rules`, { then_tag_id: other.id })
    await call(ann, 'POST', `/pools/${pool.id}/files`, { file_ids: [file] })
    const { refresh_token } = await library.signIn('Bob')
    const entries = await recorded(async () => {
      for (const [path, object] of [
        [`/files/${file}`, await call(ann, 'GET', `/files/${file}`)],
        [`/tags/${tag.id}`, tag],
        [`/categories/${category.id}`, category],
        [`/pools/${pool.id}`, pool],
        [`/users/me`, { name: 'Ann' }],
      ]) {
        await call(ann, 'PATCH', path, object)
      }
      await call(root, 'PATCH', `/users/${ann.id}`, { can_create: true, is_blocked: false })
      await call(ann, 'POST', `/files/${file}/restore`)
      await call(ann, 'PUT', `/files/${file}/tags`, { tag_ids: [] })
      await call(ann, 'DELETE', `/files/${file}/tags/${tag.id}`)
      await call(ann, 'PATCH', `/tags/${tag.id}/rules/${other.id}`, { is_active: true })
      await call(ann, 'POST', `/pools/${pool.id}/files`, { file_ids: [file], position: 0 })
      await call(ann, 'POST', `/pools/${pool.id}/files/remove`, { file_ids: [tag.id] })
      await call(ann, 'PUT', `/pools/${pool.id}/files/reorder`, { file_ids: [file] })
      await call(ann, 'PUT', `/acl/file/${file}`, { permissions: [] })
      await call(ann, 'POST', '/files/bulk/review', { file_ids: [file], needs_review: true })
      for (const path of [`/files/${file}/views`, `/pools/${pool.id}/views`]) {
        await call(ann, 'POST', path)
      }
      await call(ann, 'POST', `/files/${file}/content-token`)
      await library.refresh(refresh_token)
      await library.call('DELETE', `/files/${file}/permanent`, ann)
      await library.call('POST', '/tags', { token: ann.token, body: { name: 'still' } })
      await library.call('POST', '/users', { token: ann.token, body: { name: 'x', password: 'x' } })
      await library.upload(ann.token, Buffer.from('no picture'))
    })
    assert.deepEqual(entries, [])
  })
})
