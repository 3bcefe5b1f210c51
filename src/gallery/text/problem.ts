import { ApiError } from '../base/error.ts'
import { errors } from './errors.ts'

/**
 * Returns the meaning of an error in the page's language. Anything but an ApiError is a bug, and is
 * also logged to the console.
 */
export function problem(error: unknown): string {
  const words = errors()
  if (!(error instanceof ApiError)) {
    reportError(error)
    return words.ours
  }
  const { code, field, retryAfter, status } = error
  if (code === 'rate_limited' && retryAfter) return words.wait(retryAfter)
  const ofField = field !== undefined && words.fields[`${code} ${field}`]
  return ofField || (words.codes[code] ?? words.foreign[status] ?? words.unknown(status))
}
