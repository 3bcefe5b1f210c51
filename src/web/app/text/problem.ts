import { ApiError } from '../base/error.ts'
import { errors } from './errors.ts'

/** Returns what an error means, in words of the page's language; throws what is no ApiError. */
export function problem(error: unknown): string {
  if (!(error instanceof ApiError)) throw error
  const words = errors()
  const { code, field, retryAfter, status } = error
  if (code === 'rate_limited' && retryAfter) return words.wait(retryAfter)
  const ofField = field !== undefined && words.fields[`${code} ${field}`]
  return ofField || (words.codes[code] ?? words.foreign[status] ?? words.unknown(status))
}
