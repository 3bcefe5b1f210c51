import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Library, openLibrary } from '../support/harness.ts'
import { fc } from '../support/property.ts'
import { type CookieJar, send, signInToPage } from '../support/web-session.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let library: Library
before(async () => {
  library = await openLibrary({ ACCESS_TOKEN_TTL: '1h' })
  await library.addUser('Ann')
})
after(() => library.close())

const refresh = (jar: CookieJar) => send(library, jar, 'POST', '/web/session/refresh', { body: {} })
const row = (jar: CookieJar) =>
  library.deps.db.get<{ generation: number; expires_at: number }>(
    'SELECT generation, expires_at FROM sessions WHERE id = ?',
    Number(jar.cookie('s')?.split('=')[1]?.split('.')[0]),
  )
/** A browser that has kept these cookies of another one. */
const copyOf = (jar: CookieJar): CookieJar => {
  const cookies = { s: jar.cookie('s'), m: jar.cookie('m') }
  return {
    take: () => {},
    header: (path): Record<string, string> =>
      path.startsWith('/web/session') ? { Cookie: cookies.s! } : { Cookie: cookies.m! },
    cookie: (kind) => cookies[kind],
  }
}

describe("the cookie of the page's session", () => {
  it('stays as it is for 24 hours, and gets an access token each time', async () => {
    const { jar, media } = await signInToPage(library, 'Ann')
    for (const hours of [0, 1, 12, 10.9]) {
      library.time.now += hours * HOUR
      const response = await refresh(jar)
      assert.equal(response.status, 200)
      assert.deepEqual(response.headers.getSetCookie(), [])
      const body = (await response.json()) as Record<string, string>
      assert.equal(body.media, media)
      const token = body.access_token!
      assert.equal((await library.call('GET', '/users/me', { token })).status, 200)
    }
    assert.equal(row(jar)?.generation, 1)
  })

  it('is renewed after them, with the lifetime of the session, and the one of pictures stays', async () => {
    const { jar, media } = await signInToPage(library, 'Ann')
    const [session, pictures] = [jar.cookie('s'), jar.cookie('m')]
    library.time.now += DAY + 1
    const response = await refresh(jar)
    assert.equal(((await response.json()) as { media: string }).media, media)
    jar.take(response)
    assert.notEqual(jar.cookie('s'), session)
    assert.equal(jar.cookie('m'), pictures)
    const expires_at = library.time.now + 30 * DAY
    assert.deepEqual(row(jar), { generation: 2, expires_at })
    for (const line of response.headers.getSetCookie()) assert.match(line, /Max-Age=2592000;/)
  })

  it('still signs in two hours after a rotation whose answer was lost, and much later', async () => {
    const { jar } = await signInToPage(library, 'Ann')
    library.time.now += 2 * DAY
    assert.equal((await refresh(jar)).status, 200, 'nobody takes these cookies')
    for (const pause of [2 * HOUR, 20 * DAY]) {
      library.time.now += pause
      const again = await refresh(jar)
      assert.equal(again.status, 200)
      assert.equal(again.headers.getSetCookie().length, 2)
      assert.equal(row(jar)?.generation, 2, 'the live one is given again')
    }
    jar.take(await refresh(jar))
    assert.equal((await refresh(jar)).status, 200)
    assert.equal(row(jar)?.generation, 3)
  })

  it('of two generations ago ends the session, for the thief and the owner', async () => {
    const { jar } = await signInToPage(library, 'Ann')
    const stolen = copyOf(jar)
    for (let rotations = 0; rotations < 2; rotations++) {
      library.time.now += DAY + 1
      jar.take(await refresh(jar))
    }
    const answer = await refresh(stolen)
    assert.equal(answer.status, 401)
    assert.equal(answer.headers.getSetCookie().filter((line) => /Max-Age=0/.test(line)).length, 2)
    assert.equal(library.audit().at(-1)?.action, 'token_reuse')
    const owner = await refresh(jar)
    assert.equal(owner.status, 401)
    jar.take(owner)
    assert.deepEqual([jar.cookie('s'), jar.cookie('m')], [undefined, undefined])
  })

  it('of one generation ago, stolen, is found out once the owner is two ahead', async () => {
    const { jar } = await signInToPage(library, 'Ann')
    const stolen = copyOf(jar)
    library.time.now += DAY + 1
    jar.take(await refresh(jar))
    assert.equal((await refresh(stolen)).status, 200)
    library.time.now += DAY + 1
    jar.take(await refresh(jar))
    assert.equal((await refresh(stolen)).status, 401)
    assert.equal((await refresh(jar)).status, 401)
  })

  it('ends with the session: after its lifetime, when it is ended elsewhere, when the user is blocked', async () => {
    const unused = (await signInToPage(library, 'Ann')).jar
    library.time.now += 30 * DAY
    assert.equal((await refresh(unused)).status, 401)

    const ended = await signInToPage(library, 'Ann')
    const id = ended.jar.cookie('s')!.split('=')[1]!.split('.')[0]
    const token = ended.access_token
    assert.equal((await library.call('DELETE', `/auth/sessions/${id}`, { token })).status, 204)
    assert.equal((await refresh(ended.jar)).status, 401)

    const { jar } = await signInToPage(library, 'Ann')
    library.deps.db.run('UPDATE users SET is_blocked = 1')
    assert.equal((await refresh(jar)).status, 401)
    library.deps.db.run('UPDATE users SET is_blocked = 0')
  })

  it('does not end while it is used, on a server whose sessions live for less than a day', async () => {
    const short = await openLibrary({ REFRESH_TOKEN_TTL: '2h' })
    await short.addUser('Ann')
    const { jar } = await signInToPage(short, 'Ann')
    for (let n = 0; n < 12; n++) {
      short.time.now += 0.9 * HOUR
      const response = await send(short, jar, 'POST', '/web/session/refresh', { body: {} })
      assert.equal(response.status, 200, `${n}`)
      jar.take(response)
    }
    await short.close()
  })
})

/** What happens to a browser with two tabs: one asks, an answer comes or is lost, time goes by. */
const steps = fc.array(
  fc.oneof(
    fc.record({ asks: fc.constantFrom('first', 'second') }),
    fc.record({ arrives: fc.nat(3) }),
    fc.record({ isLost: fc.nat(3) }),
    fc.record({ sleeps: fc.constantFrom(1000, HOUR, 13 * HOUR, 25 * HOUR) }),
  ),
  // All sleeps together are less than a session lives.
  { minLength: 5, maxLength: 28 },
)

describe('two tabs of one browser', () => {
  it('stay signed in, whichever answers are lost or late', async () => {
    const ways = fc.asyncProperty(steps, async (way) => {
      const { jar } = await signInToPage(library, 'Ann')
      const underWay: Response[] = []
      for (const step of way) {
        if ('asks' in step) {
          const response = await refresh(jar)
          assert.equal(response.status, 200)
          underWay.push(response)
        } else if ('arrives' in step) {
          const [response] = underWay.splice(step.arrives, 1)
          if (response) jar.take(response)
        } else if ('isLost' in step) underWay.splice(step.isLost, 1)
        // No answer is under way for longer than a connection lives.
        else {
          if (step.sleeps > HOUR) underWay.length = 0
          library.time.now += step.sleeps
        }
      }
      assert.equal((await refresh(jar)).status, 200)
    })
    await fc.assert(ways, { numRuns: 500 })
  })
})
