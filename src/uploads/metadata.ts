import { invalid } from '../base/errors.ts'

/**
 * Returns the values of tus's `Upload-Metadata`: names and Base64, separated by commas. Throws a validation error for
 * anything else, and for a name that comes twice.
 */
export function parseMetadata(text: string): Map<string, string> {
  const values = new Map<string, string>()
  if (text.trim() === '') return values
  for (const pair of text.split(',')) {
    // No expression for all of a pair: trying where its spaces end could take as long as their number squared.
    const [name = '', value = '', ...more] = pair.split(' ').filter((word) => word !== '')
    if (!NAME.test(name) || !BASE64.test(value) || more.length > 0) {
      throw invalid(FIELD, 'must be pairs of a name and Base64')
    }
    if (values.has(name)) throw invalid(FIELD, `has ${name.slice(0, 100)} twice`)
    try {
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
      values.set(name, decoder.decode(Buffer.from(value, 'base64')))
    } catch {
      throw invalid(FIELD, `has ${name.slice(0, 100)}, which is not UTF-8`)
    }
  }
  return values
}

const FIELD = 'Upload-Metadata'
const NAME = /^[!-~]+$/
const BASE64 = /^[\w+/-]*={0,2}$/
