import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { addTag, assertError } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'
import { heldWait } from '../support/held-wait.ts'

let library: Library
let time: ReturnType<typeof heldWait>
let ann: { id: number; token: string }
let file: string

beforeEach(async () => {
  library = await openLibrary()
  time = heldWait()
  library.deps.wait = time.wait
  ann = await library.join('ann', { can_create: true })
  file = (await library.upload(ann.token, await picture())).body.id
})
afterEach(() => library.close())

const changes = (query: string, token = ann.token) =>
  library.call('GET', `/changes${query}`, { token })
const start = async (token = ann.token) => (await changes('', token)).body.next as string
const edit = (id: string, token = ann.token) =>
  library.call('PATCH', `/files/${id}`, { token, body: { notes: `${Math.random()}` } })
/** Begins to wait, and resolves once the request waits. */
async function waiting(query: string, token = ann.token) {
  const before = statements()
  const answer = changes(query, token)
  await eventually(() => statements() > before)
  await time.begun()
  return { answer }
}

/** Counts the statements that run from now on, as far as they are new on this connection. */
let statements = () => 0
function countStatements() {
  const { db } = library.deps
  const prepare = db.prepare.bind(db)
  let run = 0
  db.prepare = (sql) => {
    const statement = prepare(sql)
    const all = statement.all.bind(statement)
    statement.all = (...values) => {
      run++
      return all(...values)
    }
    return statement
  }
  statements = () => run
}

describe('GET /changes', () => {
  beforeEach(countStatements)

  it('needs a session', async () => {
    assertError(await library.call('GET', '/changes'), 401, 'unauthorized')
    assertError(await changes('', 'nonsense'), 401, 'unauthorized')
  })

  it('answers at once without a since, and for a wait of 0', async () => {
    const { status, body } = await changes('')
    assert.equal(status, 200)
    assert.deepEqual(body, { next: body.next, files: [] })
    const again = await changes(`?since=${body.next}&wait=0`)
    assert.deepEqual(again.body.files, [])
  })

  it('refuses a since that is none, one of somebody else, and a wait of more than 25 seconds', async () => {
    const since = await start()
    const vic = await library.join('vic')
    const changed = `${since.slice(0, -1)}${since.endsWith('A') ? 'B' : 'A'}`
    for (const wrong of [
      '',
      'nonsense',
      changed,
      since.slice(1),
      `${since}A`,
      await start(vic.token),
    ]) {
      assertError(await changes(`?since=${wrong}&wait=0`), 400, 'validation_error', ['since'])
    }
    for (const wait of ['26', '-1', '1.5', '']) {
      assertError(await changes(`?since=${since}&wait=${wait}`), 400, 'validation_error', ['wait'])
    }
  })

  it('tells nothing by its since, not even that nothing has happened at all', async () => {
    const [one, other] = [await start(), await start()]
    assert.notEqual(one, other)
    const { body } = await changes(`?since=${one}&wait=0`)
    assert.notEqual(body.next, one)
    await edit(file)
    assert.equal((await start()).length, one.length)
  })

  it('answers what has changed before', async () => {
    const since = await start()
    await edit(file)
    const { body } = await changes(`?since=${since}`)
    assert.deepEqual(body.files, [file])
    assert.deepEqual((await changes(`?since=${body.next}&wait=0`)).body.files, [])
    // An answer that was lost can be asked for again.
    assert.deepEqual((await changes(`?since=${since}`)).body.files, [file])
  })

  it('waits for a change', async () => {
    const { answer } = await waiting(`?since=${await start()}`)
    assert.deepEqual(time.waited(), [1000])
    await time.pass()
    await edit(file)
    await time.pass()
    assert.deepEqual((await answer).body.files, [file])
  })

  it('answers without one after as many seconds as it waits', async () => {
    const { answer } = await waiting(`?since=${await start()}&wait=3`)
    let isOver = false
    void answer.then(() => {
      isOver = true
    })
    await time.pass()
    await time.pass()
    assert.equal(isOver, false)
    await time.pass()
    const { body } = await answer
    assert.deepEqual(body.files, [])
    await edit(file)
    assert.deepEqual((await changes(`?since=${body.next}`)).body.files, [file])
  })

  it('asks the database one question a second, however many wait, and none when nobody does', async () => {
    const tokens = [ann.token, ...(await signedIn(9))]
    const answers = []
    for (const token of tokens) {
      const { answer } = await waiting(`?since=${await start(token)}&wait=2`, token)
      answers.push(answer)
    }
    const before = statements()
    await time.pass()
    assert.equal(statements(), before + 1)
    await time.pass()
    assert.equal(statements(), before + 2)
    for (const answer of answers) assert.deepEqual((await answer).body.files, [])
    assert.deepEqual(time.waited(), [])
  })

  it('ends when its session does', async () => {
    const { answer } = await waiting(`?since=${await start()}`)
    const other = (await library.signIn('ann')).access_token
    const { items } = (await library.call('GET', '/auth/sessions', { token: other })).body
    const { id } = items.find((session: { is_current: boolean }) => !session.is_current)
    await library.call('DELETE', `/auth/sessions/${id}`, { token: other })
    await time.pass()
    assertError(await answer, 401, 'unauthorized')
    assert.deepEqual(time.waited(), [])
  })

  it('ends when its session expires', async () => {
    const { answer } = await waiting(`?since=${await start()}`)
    library.time.now += library.deps.config.refreshTokenTtl
    await time.pass()
    assertError(await answer, 401, 'unauthorized')
  })

  it('ends when its user is blocked', async () => {
    const root = await library.join('root', { is_admin: true })
    const { answer } = await waiting(`?since=${await start()}`)
    await library.call('PATCH', `/users/${ann.id}`, {
      token: root.token,
      body: { is_blocked: true },
    })
    await time.pass()
    assertError(await answer, 401, 'unauthorized')
  })

  it('ends when another request of its session comes', async () => {
    const since = await start()
    const first = await waiting(`?since=${since}`)
    const second = await waiting(`?since=${since}`)
    assertError(await first.answer, 409, 'conflict')
    await edit(file)
    await time.pass()
    assert.deepEqual((await second.answer).body.files, [file])
  })

  it('ends at once when the server stops, and so do later ones', async () => {
    const since = await start()
    const { answer } = await waiting(`?since=${since}`)
    library.deps.stopping.abort('the server stops')
    assertError(await answer, 503, 'busy')
    assertError(await changes(`?since=${since}`), 503, 'busy')
  })

  it('is refused when 200 wait, until one of them hangs up', async () => {
    const since = await start()
    const gone = new AbortController()
    const init = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })
    const tokens = await signedIn(200)
    const ended: string[] = []
    for (const [n, token] of tokens.entries()) {
      const before = statements()
      const own = { ...init(token), ...(n === 7 && { signal: gone.signal }) }
      const query = `?since=${await start(token)}`
      void library
        .request(`/api/v1/changes${query}`, own)
        .then(({ status }) => ended.push(`${n}: ${status}`))
      await eventually(() => statements() >= before + 2)
    }
    const refused = await changes(`?since=${since}`)
    assertError(refused, 503, 'busy')
    assert.equal(refused.headers.get('Retry-After'), '5')
    gone.abort()
    await eventually(() => ended.length > 0)
    assert.deepEqual(ended, ['7: 200'])
    const { answer } = await waiting(`?since=${since}&wait=1`)
    await time.pass()
    assert.deepEqual((await answer).body.files, [])
    library.deps.stopping.abort('the server stops')
    await eventually(() => ended.length === 200)
  })

  it('does not keep the server from its background work', async () => {
    const { answer } = await waiting(`?since=${await start()}&wait=1`)
    assert.equal(library.deps.activity.isBusy(), false)
    await time.pass()
    await answer
  })

  it('is no activity of its session, so that an idle window writes nothing', async () => {
    const active = () =>
      library.deps.db.get<{ at: number }>('SELECT max(last_activity) AS at FROM sessions')!.at
    const before = active()
    library.time.now += 120_000
    await start()
    assert.equal(active(), before)
    await library.call('GET', '/users/me', { token: ann.token })
    assert.equal(active(), library.time.now)
  })

  it('does not count among the requests of its client', async () => {
    await library.close()
    library = await openLibrary({ CLIENT_REQUESTS: '1' })
    library.deps.wait = time.wait
    const bob = await library.join('bob')
    countStatements()
    const from = { token: bob.token, peer: '192.0.2.7' }
    const since = (await library.call('GET', '/changes', from)).body.next
    const before = statements()
    const answer = library.call('GET', `/changes?since=${since}&wait=1`, from)
    await eventually(() => statements() > before)
    await time.begun()
    assert.equal((await library.call('GET', '/users/me', from)).status, 200)
    await time.pass()
    assert.equal((await answer).status, 200)
  })

  it('reads everything anew after a restart of the server', async () => {
    const since = await start()
    await library.restart()
    const { body } = await changes(`?since=${since}`)
    assert.equal(body.files, 'many')
    assert.deepEqual((await changes(`?since=${body.next}&wait=0`)).body.files, [])
  })

  it('reads everything anew when entries after its since are deleted', async () => {
    const since = await start()
    await edit(file)
    await edit(file)
    library.deps.db.run('DELETE FROM audit_log WHERE id < (SELECT max(id) FROM audit_log)')
    const { body } = await changes(`?since=${since}`)
    assert.equal(body.files, 'many')
    library.deps.db.run('DELETE FROM audit_log')
    assert.deepEqual((await changes(`?since=${body.next}&wait=0`)).body.files, [])
  })

  it('reports the end of a long change to all who asked while it was under way', async () => {
    const tag = await addTag(library, ann.token, 'beach')
    const since = await start()
    const { db } = library.deps
    db.run(
      `INSERT INTO long_changes (kind, subject, user_id, user_name, state, started_at)
       VALUES ('share_pool', 'share pool 1', 1, '', '{}', 0)`,
    )
    await library.call('PATCH', `/tags/${tag.id}`, { token: ann.token, body: { notes: 'sand' } })
    const early = (await changes(`?since=${since}&wait=0`)).body
    assert.equal(early.files, 'many')
    const { access_token } = await library.signIn('ann')
    const opened = (await changes('', access_token)).body
    assert.deepEqual(opened.files, [])
    for (const { next } of [early, opened]) {
      const under = (await changes(`?since=${next}&wait=0`)).body
      assert.deepEqual(under.files, [])
      assert.deepEqual((await changes(`?since=${under.next}&wait=0`)).body.files, [])
    }
    const { answer } = await waiting(`?since=${early.next}`)
    db.run('DELETE FROM long_changes')
    await time.pass()
    const { files, next } = (await answer).body
    assert.equal(files, 'many')
    assert.deepEqual((await changes(`?since=${next}&wait=0`)).body.files, [])
    const other = await changes(`?since=${opened.next}&wait=0`, access_token)
    assert.equal(other.body.files, 'many')
  })
})

/** Signs Ann in some more times, and returns the tokens. */
async function signedIn(count: number): Promise<string[]> {
  const tokens = []
  for (let n = 0; n < count; n++) tokens.push((await library.signIn('ann')).access_token)
  return tokens
}
