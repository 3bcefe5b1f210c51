/** Characters that can be dictated on the phone: none looks like another. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'
const LENGTH = 20

/** Generates a password of 20 characters, of 5 bits each. */
export function generatePassword(): string {
  const random = crypto.getRandomValues(new Uint8Array(LENGTH))
  return [...random].map((byte) => LETTERS[byte % LETTERS.length]).join('')
}
