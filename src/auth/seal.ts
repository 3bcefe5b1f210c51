import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { derivedKey } from './tokens.ts'

const CIPHER = 'aes-256-gcm'
const NONCE = 12
const TAG = 16

/** Makes texts that only this server can read and write. */
export interface Seal {
  /** Returns the data as a text that tells nothing of it, and that is good for this user alone. */
  close(user_id: number, data: string): string
  /** Returns the data of such a text, or null for anything else. */
  open(user_id: number, text: string): string | null
}

/** Returns what seals texts for one purpose; `secret` has at least 32 bytes. */
export function createSeal(secret: Uint8Array, purpose: string): Seal {
  const key = derivedKey(secret, purpose)
  const ofUser = (user_id: number) => Buffer.from(String(user_id))
  return {
    close(user_id, data) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(ofUser(user_id))
      const sealed = [nonce, cipher.update(data, 'utf8'), cipher.final()]
      return Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64url')
    },
    open(user_id, text) {
      const sealed = Buffer.from(text, 'base64url')
      if (sealed.length < NONCE + TAG || sealed.toString('base64url') !== text) return null
      const cipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE), {
        authTagLength: TAG,
      })
      cipher.setAAD(ofUser(user_id)).setAuthTag(sealed.subarray(-TAG))
      try {
        const data = cipher.update(sealed.subarray(NONCE, -TAG))
        return Buffer.concat([data, cipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}
