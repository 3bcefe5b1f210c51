import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { createTokens } from '../../src/auth/tokens.ts'

const SECRET = Buffer.from('0123456789abcdef0123456789abcdef')
const FILE = '01890a5d-ac96-774b-bcce-b302099a8057'
const MINUTE = 60_000

function setUp(secret = SECRET) {
  const time = { now: Date.UTC(2026, 0, 1) + 250 }
  const config = { accessTokenTtl: 15 * MINUTE, contentTokenTtl: 360 * MINUTE }
  return { time, tokens: createTokens({ secret, config, clock: () => time.now }) }
}

/** Signs by hand, so that nothing of the library under test is needed. */
function forge(header: object, payload: object, secret: Uint8Array, hash = 'sha256'): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const text = `${encode(header)}.${encode(payload)}`
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`
}

function read(part: string | undefined) {
  return JSON.parse(Buffer.from(part ?? '', 'base64url').toString())
}

const ARCHIVE = { user_id: 7, archive_id: 'an id', epoch: 3 }

describe('access, content and archive tokens', () => {
  it('carry audience, user, session, file or archive, and times, under HS256', async () => {
    const { tokens, time } = setUp()
    const issued = Math.floor(time.now / 1000)
    for (const [token, own, ttl] of [
      [await tokens.signAccess(7, 9), { aud: 'access', sid: 9 }, 900],
      [
        await tokens.signContent({ user_id: 7, file_id: FILE }),
        { aud: 'content', fid: FILE },
        21_600,
      ],
      [await tokens.signArchive(ARCHIVE), { aud: 'archive', aid: 'an id', epoch: 3 }, 86_400],
    ] as const) {
      const [header, payload, signature] = token.split('.')
      const expected = createHmac('sha256', SECRET).update(`${header}.${payload}`)
      assert.equal(signature, expected.digest('base64url'))
      assert.equal(read(header).alg, 'HS256')
      const { jti, ...claims } = read(payload)
      assert.deepEqual(claims, { ...own, sub: '7', iat: issued, exp: issued + ttl })
      assert.match(jti, /^[0-9a-f-]{36}$/)
    }
  })

  it('are good for their own purpose only', async () => {
    const { tokens } = setUp()
    const access = await tokens.signAccess(7, 9)
    const content = await tokens.signContent({ user_id: 7, file_id: FILE })
    const archive = await tokens.signArchive(ARCHIVE)
    const refresh = tokens.refresh.make({ id: 9, generation: 1, nonce: Buffer.alloc(32) })
    // Twice, since the second check is answered from memory.
    for (let round = 0; round < 2; round++) {
      assert.deepEqual(await tokens.verifyAccess(access), { user_id: 7, session_id: 9 })
      assert.deepEqual(await tokens.verifyContent(content), { user_id: 7, file_id: FILE })
      assert.equal(await tokens.verifyAccess(content), null)
      assert.equal(await tokens.verifyContent(access), null)
      assert.equal(await tokens.verifyAccess(refresh), null)
      assert.deepEqual(await tokens.verifyArchive(archive), ARCHIVE)
      assert.equal(await tokens.verifyAccess(archive), null)
      assert.equal(await tokens.verifyContent(archive), null)
      assert.equal(await tokens.verifyArchive(access), null)
      assert.equal(await tokens.verifyArchive(content), null)
    }
  })

  it('expire to the second, also when they were checked before', async () => {
    const { tokens, time } = setUp()
    const token = await tokens.signAccess(7, 9)
    const expiry = Math.floor(time.now / 1000) * 1000 + 15 * MINUTE
    time.now = expiry - 1
    assert.ok(await tokens.verifyAccess(token))
    time.now = expiry
    assert.equal(await tokens.verifyAccess(token), null)
    const other = setUp()
    other.time.now = expiry
    assert.equal(await other.tokens.verifyAccess(token), null)
  })

  it('are refused when forged', async () => {
    const { tokens, time } = setUp()
    const exp = Math.floor(time.now / 1000) + 100
    const claims = { aud: 'access', sub: '7', sid: 9, jti: 'x', iat: exp - 200, exp }
    const hs256 = { alg: 'HS256' }
    assert.ok(await tokens.verifyAccess(forge(hs256, claims, SECRET)), 'the forger can forge')

    const { exp: _, ...immortal } = claims
    const { jti: __, ...anonymous } = claims
    const unsigned = forge({ alg: 'none' }, claims, SECRET)
    const forged: [string, string][] = [
      ['none, with a signature', unsigned],
      ['none, without', `${unsigned.split('.').slice(0, 2).join('.')}.`],
      ['another key', forge(hs256, claims, Buffer.alloc(32))],
      ['another algorithm', forge({ alg: 'HS512' }, claims, SECRET, 'sha512')],
      ['no expiry', forge(hs256, immortal, SECRET)],
      ['no id', forge(hs256, anonymous, SECRET)],
      ['another audience', forge(hs256, { ...claims, aud: 'admin' }, SECRET)],
      ['two audiences', forge(hs256, { ...claims, aud: ['access', 'content'] }, SECRET)],
      ['session as text', forge(hs256, { ...claims, sid: '9' }, SECRET)],
      ['a user that is no number', forge(hs256, { ...claims, sub: 'admin' }, SECRET)],
      ['empty', ''],
      ['garbage', 'a.b.c'],
    ]
    for (const [what, token] of forged) assert.equal(await tokens.verifyAccess(token), null, what)
  })
})

describe('refresh tokens', () => {
  const session = { id: 12, generation: 3, nonce: Buffer.alloc(32, 1) }

  it('name session and generation and are bound to nonce, generation and secret', () => {
    const { tokens } = setUp()
    const token = tokens.refresh.make(session)
    assert.equal(tokens.refresh.make(session), token, 'the live one can be given again')
    const claims = tokens.refresh.read(token)
    assert.deepEqual([claims?.session_id, claims?.generation], [12, 3])
    const mac = claims!.mac
    assert.ok(tokens.refresh.isMac(session, mac))
    assert.ok(!tokens.refresh.isMac({ ...session, generation: 4 }, mac))
    assert.ok(!tokens.refresh.isMac({ ...session, id: 13 }, mac))
    assert.ok(!tokens.refresh.isMac({ ...session, nonce: Buffer.alloc(32, 2) }, mac))
    assert.ok(!setUp(Buffer.alloc(32)).tokens.refresh.isMac(session, mac))
  })

  it('are not read when they have another shape', () => {
    const { tokens } = setUp()
    const [, , mac] = tokens.refresh.make(session).split('.')
    const shapes = [
      '',
      '..',
      '12.3',
      `12.3.${mac}.`,
      ` 12.3.${mac}`,
      `012.3.${mac}`,
      `-12.3.${mac}`,
      `12.1e3.${mac}`,
      `12.3.${mac}A`,
      `9999999999999999.3.${mac}`,
    ]
    for (const text of shapes) assert.equal(tokens.refresh.read(text), null, text)
  })
})
