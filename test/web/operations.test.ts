import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { PAGE } from '../../src/web/bundle.ts'
import { type Library, openLibrary } from '../support/harness.ts'

const APP = dirname(PAGE)

/** The room of the page that has a screen, or a part of one, for an operation. */
const ROOMS: Record<string, string> = {
  'POST /web/session': 'base',
  'DELETE /web/session': 'base',
  'POST /web/session/refresh': 'base',
  'GET /web/media/{media}/{file_id}/thumbnail': 'base',
  'GET /web/media/{media}/{file_id}/preview': 'base',
  'GET /web/media/{media}/{file_id}/full': 'base',
  'GET /web/media/{media}/{file_id}/content': 'base',
  'GET /api/v1/files/archive': 'bulk',
  'POST /api/v1/files/archive': 'bulk',
  'GET /api/v1/auth/sessions': 'settings',
  'DELETE /api/v1/auth/sessions/{session_id}': 'settings',
  'GET /api/v1/auth/keys': 'settings',
  'POST /api/v1/auth/keys': 'settings',
  'DELETE /api/v1/auth/keys/{key_id}': 'settings',
  'GET /api/v1/users': 'people',
  'POST /api/v1/users': 'people',
  'GET /api/v1/people': 'sharing',
  'GET /api/v1/users/me': 'people',
  'PATCH /api/v1/users/me': 'settings',
  'DELETE /api/v1/users/{user_id}': 'people',
  'PATCH /api/v1/users/{user_id}': 'people',
  'POST /api/v1/users/{user_id}/password': 'people',
  'GET /api/v1/users/me/settings': 'base',
  'PUT /api/v1/users/me/settings': 'base',
  'GET /api/v1/files/duplicates': 'duplicates',
  'GET /api/v1/files/duplicates/ids': 'duplicates',
  'POST /api/v1/files/duplicates/dismiss': 'duplicates',
  'POST /api/v1/files/duplicates/resolve': 'duplicates',
  'GET /api/v1/files/duplicates/proposals': 'duplicates',
  'POST /api/v1/files/duplicates/proposals/settle': 'duplicates',
  'GET /api/v1/files/duplicates/rescan': 'base',
  'POST /api/v1/files/duplicates/rescan': 'base',
  'GET /api/v1/files/import': 'import',
  'POST /api/v1/files/import': 'import',
  'DELETE /api/v1/files/import': 'import',
  'GET /api/v1/files/import/folders': 'import',
  'POST /api/v1/files/bulk/tags': 'tag-box',
  'POST /api/v1/files/bulk/update': 'bulk',
  'POST /api/v1/files/bulk/delete': 'bulk',
  'POST /api/v1/files/bulk/restore': 'trash',
  'POST /api/v1/files/bulk/permanent': 'trash',
  'POST /api/v1/files/bulk/review': 'bulk',
  'POST /api/v1/files/bulk/favourite': 'favourites',
  'POST /api/v1/files/bulk/common-tags': 'tag-box',
  'POST /api/v1/files/bulk/share': 'sharing',
  'POST /api/v1/files/reach': 'sharing',
  'GET /api/v1/files/new': 'news',
  'GET /api/v1/files/import/count': 'import',
  'GET /api/v1/files/ids': 'grid',
  'GET /api/v1/files/cells': 'grid',
  'GET /api/v1/files/timeline': 'grid',
  'GET /api/v1/files/facets': 'filter',
  'GET /api/v1/files/map': 'map',
  'GET /api/v1/files/this-day': 'this-day',
  'GET /api/v1/files': 'upload',
  'POST /api/v1/files': 'upload',
  'GET /api/v1/files/{file_id}/similar': 'upload',
  'POST /api/v1/uploads': 'upload',
  'GET /api/v1/uploads/{upload_id}': 'upload',
  'PATCH /api/v1/uploads/{upload_id}': 'upload',
  'DELETE /api/v1/uploads/{upload_id}': 'upload',
  'GET /api/v1/files/{file_id}': 'viewer',
  'DELETE /api/v1/files/{file_id}': 'viewer',
  'PATCH /api/v1/files/{file_id}': 'viewer',
  'GET /api/v1/files/{file_id}/tags': 'tag-box',
  'PUT /api/v1/files/{file_id}/tags/{tag_id}': 'tag-box',
  'DELETE /api/v1/files/{file_id}/tags/{tag_id}': 'tag-box',
  'GET /api/v1/tags/counts': 'tag-box',
  'GET /api/v1/tags/rules': 'tag-box',
  'POST /api/v1/tags/{tag_id}/rules': 'tags',
  'DELETE /api/v1/tags/{tag_id}/rules/{then_tag_id}': 'tags',
  'PATCH /api/v1/tags/{tag_id}/rules/{then_tag_id}': 'tags',
  'GET /api/v1/tags': 'tag-box',
  'POST /api/v1/tags': 'tags',
  'GET /api/v1/tags/{tag_id}': 'sharing',
  'DELETE /api/v1/tags/{tag_id}': 'tags',
  'PATCH /api/v1/tags/{tag_id}': 'tags',
  'POST /api/v1/tags/{tag_id}/merge': 'tags',
  'GET /api/v1/categories': 'tag-box',
  'POST /api/v1/categories': 'tags',
  'GET /api/v1/categories/{category_id}': 'sharing',
  'DELETE /api/v1/categories/{category_id}': 'tags',
  'PATCH /api/v1/categories/{category_id}': 'tags',
  'GET /api/v1/pools': 'pool-box',
  'POST /api/v1/pools': 'pool-box',
  'GET /api/v1/pools/{pool_id}': 'pools',
  'DELETE /api/v1/pools/{pool_id}': 'pools',
  'PATCH /api/v1/pools/{pool_id}': 'pools',
  'POST /api/v1/pools/{pool_id}/files': 'bulk',
  'POST /api/v1/pools/{pool_id}/files/remove': 'bulk',
  'PUT /api/v1/pools/{pool_id}/files/reorder': 'pools',
  'GET /api/v1/acl/{object_type}/{object_id}': 'base',
  'PUT /api/v1/acl/{object_type}/{object_id}': 'sharing',
  'POST /api/v1/shares': 'sharing',
  'POST /api/v1/shares/reach': 'sharing',
  'GET /api/v1/shares': 'settings',
  'DELETE /api/v1/shares/{share_id}': 'settings',
  'GET /api/v1/audit': 'audit',
  'POST /api/v1/operations/{operation}/undo': 'base',
  'GET /api/v1/files/{file_id}/history': 'audit',
  'GET /api/v1/changes': 'changes',
  'GET /api/v1/status': 'about',
}

const TOKENS = 'the page has a session of its own, in cookies'
const MEDIA = 'pictures and films come by the cookie, from /web/media'
const ONE_OF_MANY = 'one file goes the way of many, by the bulk operation'
const OF_LINK = 'is for people without an account'
const NO_VIEWS = 'nothing on the screens is told by how often something was looked at'

/** Why an operation has no screen. */
const REASONS: Record<string, string> = {
  'GET /health': 'is for whoever watches the server',
  'GET /api/v1/openapi.json': 'is shown at /docs',
  'POST /api/v1/auth/login': TOKENS,
  'POST /api/v1/auth/refresh': TOKENS,
  'GET /api/v1/files/{file_id}/content': MEDIA,
  'PUT /api/v1/files/{file_id}/content':
    'pictures are edited by other programs, which put the new content in the place of the old',
  'POST /api/v1/auth/logout': TOKENS,
  'GET /api/v1/users/{user_id}': 'the list of users tells all of each',
  'POST /api/v1/files/similar':
    'is for programs that ask before they upload; a second upload is told by the same content',
  'POST /api/v1/files/known': 'is for programs that ask before they upload',
  'POST /api/v1/files/{file_id}/restore': ONE_OF_MANY,
  'DELETE /api/v1/files/{file_id}/permanent': ONE_OF_MANY,
  'PUT /api/v1/files/{file_id}/favourite': ONE_OF_MANY,
  'DELETE /api/v1/files/{file_id}/favourite': ONE_OF_MANY,
  'POST /api/v1/files/{file_id}/views': NO_VIEWS,
  'POST /api/v1/files/{file_id}/content-token': MEDIA,
  'GET /api/v1/files/{file_id}/thumbnail': MEDIA,
  'GET /api/v1/files/{file_id}/preview': MEDIA,
  'PUT /api/v1/files/{file_id}/tags':
    'tags are put on and taken off one by one, which loses none that somebody else puts on meanwhile',
  'GET /api/v1/tags/{tag_id}/files': 'the grid asks for cells by a filter',
  'GET /api/v1/tags/{tag_id}/rules': 'all rules are asked for at once',
  'GET /api/v1/categories/{category_id}/tags': 'all tags are asked for at once',
  'GET /s/{token}/list': OF_LINK,
  'POST /s/{token}/password': OF_LINK,
  'GET /s/{token}/f/{file}/thumbnail': OF_LINK,
  'GET /s/{token}/f/{file}/preview': OF_LINK,
  'GET /s/{token}/f/{file}/film': OF_LINK,
  'GET /s/{token}/f/{file}/content': OF_LINK,
  'GET /s/{token}/archive': OF_LINK,
  'POST /s/{token}/files': OF_LINK,
  'POST /api/v1/pools/{pool_id}/views': NO_VIEWS,
  'GET /api/v1/pools/{pool_id}/files': 'the grid asks for cells of a pool',
}

let library: Library

before(async () => {
  library = await openLibrary()
})

after(() => library.close())

/** Everything that is written in a room. */
async function sourceOf(room: string): Promise<string> {
  const names = await readdir(join(APP, room), { recursive: true })
  const files = names.filter((name) => /\.tsx?$/.test(name))
  const sources = await Promise.all(files.map((name) => readFile(join(APP, room, name), 'utf8')))
  return sources.join('\n')
}

/** Whether the API's client is called for an operation. */
function isAsked(source: string, operation: string): boolean {
  const [method, path] = operation.split(' ') as [string, string]
  return new RegExp(`api\\.${method}\\(\\s*'${path.replace(/[{}]/g, '\\$&')}'`).test(source)
}

/** Whether a room calls an operation, by the API's client or by its path. */
function isCalled(source: string, operation: string): boolean {
  // Sessions, uploads and pictures go past the client.
  const start = operation
    .split(' ')[1]!
    .split('{')[0]!
    .replace(/\/refresh$/, '')
  return isAsked(source, operation) || new RegExp(`['\`]${start}['?\`/$]`).test(source)
}

describe('each operation of the server', () => {
  it('has a screen, or a reason to have none', () => {
    // HEAD is a GET without its body.
    const asked = library.contract.operations.filter(({ method }) => method !== 'HEAD')
    const operations = asked.map(({ method, path }) => `${method} ${path}`)
    const known = [...Object.keys(ROOMS), ...Object.keys(REASONS)]
    assert.deepEqual(operations.sort(), known.sort())
  })

  it('is called by the room that is said to have its screen', async () => {
    for (const [operation, room] of Object.entries(ROOMS)) {
      assert.ok(isCalled(await sourceOf(room), operation), `${operation} in ${room}`)
    }
  })

  it('is called by no room if there is a reason to have no screen', async () => {
    const source = await sourceOf('.')
    const called = Object.keys(REASONS).filter((operation) => isAsked(source, operation))
    assert.deepEqual(called, [])
  })
})
