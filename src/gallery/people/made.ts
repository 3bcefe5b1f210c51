/** What can be told on the phone: nothing that looks like something else. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'
const LENGTH = 20

/** Returns a password of 20 characters, of 5 bits each. */
export function made(): string {
  const random = crypto.getRandomValues(new Uint8Array(LENGTH))
  return [...random].map((byte) => LETTERS[byte % LETTERS.length]).join('')
}
