import { createHmac, hkdfSync, randomUUID, timingSafeEqual } from 'node:crypto'
import { type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Config } from '../base/config.ts'
import { DAY } from '../base/time.ts'

export interface AccessClaims {
  user_id: number
  session_id: number
}

/** Whose rights a token has that is for one thing alone. */
export interface Holder {
  user_id: number
  /** The key that the token was asked for with, with which it ends. */
  key_id?: number | undefined
}

interface ContentClaims extends Holder {
  file_id: string
}

interface ArchiveClaims extends Holder {
  archive_id: string
  /** The epoch of the user when the archive was requested. */
  epoch: number
}

/** What a refresh token is made from: a row of `sessions`. */
export interface RefreshSource {
  id: number
  generation: number
  nonce: Uint8Array
}

/** The refresh tokens of one kind of session; tokens of another kind are not accepted. */
export interface RefreshTokens {
  make(session: RefreshSource): string
  /** Returns what a token claims, or null when it doesn't have the shape of one. */
  read(token: string): { session_id: number; generation: number; mac: Uint8Array } | null
  /** Returns whether `mac` belongs to this generation of the session, in constant time. */
  isMac(session: RefreshSource, mac: Uint8Array): boolean
}

export interface Tokens {
  /** Only for programs; browsers have their own. */
  refresh: RefreshTokens
  signAccess(user_id: number, session_id: number): Promise<string>
  signContent(content: ContentClaims): Promise<string>
  signArchive(archive: ArchiveClaims): Promise<string>
  /** Returns the claims, or null for anything that isn't a live access token of this server. */
  verifyAccess(token: string): Promise<AccessClaims | null>
  /** Returns the claims, or null for anything that isn't a live content token of this server. */
  verifyContent(token: string): Promise<ContentClaims | null>
  /** Returns the claims, or null for anything that isn't a live archive token of this server. */
  verifyArchive(token: string): Promise<ArchiveClaims | null>
}

type Verified =
  | { kind: 'access'; claims: AccessClaims; expires: number }
  | { kind: 'content'; claims: ContentClaims; expires: number }
  | { kind: 'archive'; claims: ArchiveClaims; expires: number }

const MAX_REMEMBERED = 10_000

// The archive itself is gone much sooner. A longer life lets the answer say that it has expired.
const ARCHIVE_TOKEN_TTL = DAY

/** Returns what makes and checks all tokens; `secret` has at least 32 bytes. */
export function createTokens(options: {
  secret: Uint8Array
  config: Pick<Config, 'accessTokenTtl' | 'contentTokenTtl'>
  clock: () => number
}): Tokens {
  const { secret, config, clock } = options
  const remembered = new LRUCache<string, Verified>({ max: MAX_REMEMBERED })

  const sign = (audience: Audience, user_id: number, claims: JWTPayload, ttl: number) =>
    signToken(secret, { audience, user_id, claims, issued: Math.floor(clock() / 1000), ttl })

  async function verify(token: string): Promise<Verified | null> {
    const now = clock()
    const known = remembered.get(token)
    if (known && known.expires > now) return known
    remembered.delete(token)
    const verified = await check(token, secret, now)
    if (!verified) return null
    remembered.set(token, verified)
    return verified
  }

  return {
    refresh: createRefreshTokens(derivedKey(secret, 'tagstead refresh token')),
    signAccess: (user_id, session_id) =>
      sign('access', user_id, { sid: session_id }, config.accessTokenTtl),
    signContent: ({ user_id, file_id, key_id }) =>
      sign('content', user_id, { fid: file_id, key: key_id }, config.contentTokenTtl),
    signArchive: ({ user_id, archive_id, epoch, key_id }) =>
      sign('archive', user_id, { aid: archive_id, epoch, key: key_id }, ARCHIVE_TOKEN_TTL),
    verifyAccess: async (token) => {
      const verified = await verify(token)
      return verified?.kind === 'access' ? verified.claims : null
    },
    verifyContent: async (token) => {
      const verified = await verify(token)
      return verified?.kind === 'content' ? verified.claims : null
    },
    verifyArchive: async (token) => {
      const verified = await verify(token)
      return verified?.kind === 'archive' ? verified.claims : null
    },
  }
}

export function createRefreshTokens(key: Uint8Array): RefreshTokens {
  return {
    make: (session) =>
      `${session.id}.${session.generation}.${mac(key, session).toString('base64url')}`,
    read: readRefresh,
    isMac: (session, given) => isSame(given, mac(key, session)),
  }
}

/** Returns a key of 32 bytes that differs for each purpose. */
export function derivedKey(secret: Uint8Array, purpose: string): Uint8Array {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
}

/** Returns whether two secrets are the same, in constant time. */
export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

type Audience = Verified['kind']

// `issued` is in seconds since 1970-01-01 UTC, `ttl` in milliseconds.
function signToken(
  secret: Uint8Array,
  token: { audience: Audience; user_id: number; claims: JWTPayload; issued: number; ttl: number },
): Promise<string> {
  return new SignJWT(token.claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setAudience(token.audience)
    .setSubject(String(token.user_id))
    .setJti(randomUUID())
    .setIssuedAt(token.issued)
    .setExpirationTime(token.issued + Math.floor(token.ttl / 1000))
    .sign(secret)
}

function mac(key: Uint8Array, session: RefreshSource): Buffer {
  return createHmac('sha256', key)
    .update(`${session.id}.${session.generation}.`)
    .update(session.nonce)
    .digest()
}

async function check(token: string, secret: Uint8Array, now: number): Promise<Verified | null> {
  let payload: JWTPayload
  try {
    const result = await jwtVerify(token, secret, {
      algorithms: ['HS256'],
      audience: ['access', 'content', 'archive'],
      requiredClaims: ['sub', 'jti', 'iat', 'exp'],
      currentDate: new Date(now),
    })
    payload = result.payload
  } catch {
    return null
  }
  const user_id = Number(payload.sub)
  const expires = payload.exp! * 1000
  if (!Number.isSafeInteger(user_id)) return null
  if (payload.aud === 'access' && typeof payload.sid === 'number') {
    return { kind: 'access', claims: { user_id, session_id: payload.sid }, expires }
  }
  const holder: Holder = {
    user_id,
    ...(typeof payload.key === 'number' && { key_id: payload.key }),
  }
  if (payload.aud === 'content' && typeof payload.fid === 'string') {
    return { kind: 'content', claims: { ...holder, file_id: payload.fid }, expires }
  }
  const { aid: archive_id, epoch } = payload
  if (payload.aud === 'archive' && typeof archive_id === 'string' && typeof epoch === 'number') {
    return { kind: 'archive', claims: { ...holder, archive_id, epoch }, expires }
  }
  return null
}

const REFRESH = /^([1-9]\d{0,14})\.([1-9]\d{0,14})\.([\w-]{43})$/

function readRefresh(token: string) {
  const [, session_id, generation, encoded] = REFRESH.exec(token) ?? []
  if (encoded === undefined) return null
  return {
    session_id: Number(session_id),
    generation: Number(generation),
    mac: Buffer.from(encoded, 'base64url'),
  }
}
