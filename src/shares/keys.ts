import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes } from 'node:crypto'
import { derivedKey, isSame } from '../auth/tokens.ts'

const TOKEN = /^[\w-]{22}$/
const CIPHER = 'aes-128-ecb'
const BLOCK = 16
const HALF = BLOCK / 2

/** A link as its keys know it. */
interface Keyed {
  id: string
  password_hash: string | null
}

/** What a link gives out instead of what the library knows. */
export interface ShareKeys {
  /** Returns the id of a file in a link: 22 characters, which differ in each link and tell nothing. */
  fileId(share: Keyed, rid: number): string
  /** Returns the row number of the file that an id names in a link; null for anything that `fileId` didn't return. */
  fileOf(share: Keyed, id: string): number | null
  /** Returns an entity tag, with its quotes, in place of one that would tell that two links show one file. */
  etag(share: Keyed, etag: string): string
  /** Returns the cookie of those who sent the password. */
  cookie(share: Keyed): string
  /** Returns whether this is that cookie, in constant time. */
  isCookie(share: Keyed, cookie: string): boolean
}

/** Returns the keys of all links; `secret` has at least 32 bytes. */
export function createShareKeys(secret: Uint8Array): ShareKeys {
  const key = derivedKey(secret, 'tagstead links')
  const keyFor = (purpose: string, { id }: Keyed) =>
    createHmac('sha256', key).update(`${purpose} ${id}`).digest()
  const blockKey = (share: Keyed) => keyFor('file', share).subarray(0, BLOCK)
  const cookie = (share: Keyed) =>
    createHmac('sha256', keyFor('cookie', share))
      .update(share.password_hash ?? '')
      .digest('base64url')
  return {
    // One block of a cipher is a permutation: the number after eight zeros, which another id hardly decrypts to.
    fileId(share, rid) {
      const block = Buffer.alloc(BLOCK)
      block.writeBigUInt64BE(BigInt(rid), HALF)
      const cipher = createCipheriv(CIPHER, blockKey(share), null).setAutoPadding(false)
      return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url')
    },
    fileOf(share, id) {
      const block = Buffer.from(id, 'base64url')
      if (block.length !== BLOCK || block.toString('base64url') !== id) return null
      const decipher = createDecipheriv(CIPHER, blockKey(share), null).setAutoPadding(false)
      const plain = Buffer.concat([decipher.update(block), decipher.final()])
      const rid = Number(plain.readBigUInt64BE(HALF))
      return plain.readBigUInt64BE(0) === 0n && Number.isSafeInteger(rid) ? rid : null
    },
    etag(share, etag) {
      const mac = createHmac('sha256', keyFor('etag', share)).update(etag).digest('base64url')
      return `"${mac.slice(0, 22)}"`
    },
    cookie,
    isCookie: (share, given) => isSame(Buffer.from(given), Buffer.from(cookie(share))),
  }
}

/** Returns the characters of a new link, 128 random bits. */
export function newToken(): string {
  return randomBytes(16).toString('base64url')
}

/** Returns what the library stores of the characters of a link; null for what no link has. */
export function digestOf(token: string): Uint8Array | null {
  return TOKEN.test(token) ? Buffer.from(hash('sha256', token, 'hex'), 'hex') : null
}
