import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { generateTypes, TYPES_FILE } from '../../../scripts/client-types.ts'
import { type Client, createClient, dataOf } from '../../../src/client/index.ts'
import { picture } from '../../support/harness.ts'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'

let server: SpawnedServer
let api: Client
let token: string

before(async () => {
  server = await spawnServer()
  const body = { name: 'admin', password: server.adminPassword }
  const answer = await createClient({ baseUrl: server.url }).POST('/api/v1/auth/login', { body })
  token = dataOf(answer).access_token
  api = createClient({ baseUrl: server.url, token })
})

after(() => server.stop())

/** Asks for the events until the operation that is still ending makes room. */
async function* startedAgain<Event>(events: () => AsyncGenerator<Event>): AsyncGenerator<Event> {
  for (;;) {
    const started = events()
    try {
      yield (await started.next()).value
      return yield* started
    } catch (error) {
      const { code } = (error as Error).cause as { code: string }
      assert.equal(code, 'conflict')
    }
  }
}

describe('the types of the client', () => {
  it('are those of the document', async () => {
    const document = await (await fetch(`${server.url}/api/v1/openapi.json`)).text()
    const isCurrent = readFileSync(TYPES_FILE, 'utf8') === (await generateTypes(document))
    assert.ok(isCurrent, 'npm run client has to be run')
  })
})

describe('the client', () => {
  it('sends parameters and gives what was answered', async () => {
    const body = { name: 'Summer', color: 'ff8800' }
    const tag = dataOf(await api.POST('/api/v1/tags', { body }))
    assert.equal(tag.color, 'ff8800')
    const query = { search: 'summ', limit: 1 }
    const page = dataOf(await api.GET('/api/v1/tags', { params: { query } }))
    assert.deepEqual(page, { items: [tag], total: 1, offset: 0, limit: 1 })
    const params = { path: { tag_id: tag.id } }
    const changed = await api.PATCH('/api/v1/tags/{tag_id}', { params, body: { color: null } })
    assert.equal(dataOf(changed).color, null)
    assert.equal(dataOf(await api.DELETE('/api/v1/tags/{tag_id}', { params })), undefined)
  })

  it('gives an error as an answer, and throws it when asked for the data', async () => {
    const answer = await api.POST('/api/v1/tags', { body: { name: '' } })
    assert.equal(answer.data, undefined)
    assert.equal(answer.response.status, 400)
    assert.equal(answer.error?.code, 'validation_error')
    assert.throws(
      () => dataOf(answer),
      (error: Error) => error.message === answer.error!.message && error.cause === answer.error,
    )
  })

  it('tells the status when an answer is not of the server', () => {
    const response = new Response('', { status: 502 })
    assert.throws(() => dataOf({ error: '', response }), { message: 'Answered 502' })
  })

  it('uploads a file with fields of every type, and gives its bytes back', async () => {
    const bytes = await picture(3)
    const file = new File([Uint8Array.from(bytes)], 'größe.jpg')
    const body = { file, notes: 'By the sea', is_public: true, tag_ids: undefined }
    const made = dataOf(await api.POST('/api/v1/files', { body }))
    assert.equal(made.original_name, 'größe.jpg')
    assert.equal(made.notes, 'By the sea')
    assert.equal(made.is_public, true)

    const params = { path: { file_id: made.id } }
    const place = '/api/v1/files/{file_id}/content'
    const content = dataOf(await api.GET(place, { params, parseAs: 'arrayBuffer' }))
    assert.deepEqual(new Uint8Array(content), Uint8Array.from(bytes))
    const other = new Blob([Uint8Array.from(await picture(4))])
    const replaced = dataOf(await api.PUT(place, { params, body: { file: other } }))
    assert.equal(replaced.id, made.id)
  })

  it('asks for a token before each request when it is given by a function', async () => {
    const tokens = ['expired', token]
    const renewing = createClient({ baseUrl: server.url, token: async () => tokens.shift()! })
    assert.equal((await renewing.GET('/api/v1/users/me')).response.status, 401)
    assert.equal(dataOf(await renewing.GET('/api/v1/users/me')).name, 'admin')
  })

  it('gives the events of an import one by one', async () => {
    const folder = join(server.dataDir, 'import')
    for (const seed of [5, 6]) writeFileSync(join(folder, `ä${seed}.jpg`), await picture(seed))
    const seen: unknown[] = []
    for await (const event of api.events('/api/v1/files/import', {})) {
      seen.push([event.type, event.filename ?? null, event.status ?? null])
    }
    assert.deepEqual(seen, [
      ['start', null, null],
      ['file', 'ä5.jpg', 'imported'],
      ['file', 'ä6.jpg', 'imported'],
      ['done', null, null],
    ])
  })

  it('ends the operation when its events are left', async () => {
    const folder = join(server.dataDir, 'import/many')
    mkdirSync(folder)
    for (let seed = 0; seed < 12; seed++) {
      writeFileSync(join(folder, `${seed}.jpg`), await picture(seed))
    }
    const events = () => api.events('/api/v1/files/import', { path: 'many' })
    for await (const event of events()) if (event.type === 'file') break

    // What was imported is gone from the folder.
    let left = 0
    for await (const event of startedAgain(events)) if (event.status === 'imported') left++
    assert.ok(left > 0 && left < 12, `${left} were left`)
  })

  it('throws what a stream was refused with', async () => {
    const events = api.events('/api/v1/files/import', { path: '../..' })
    await assert.rejects(events.next(), (error: Error) => {
      const { code } = error.cause as { code: string }
      return code === 'validation_error'
    })
  })
})
