import { ApiError } from '../base/error.ts'
import { errors } from './errors.ts'

/**
 * Returns what an error means, in words of the page's language. What is no ApiError is a mistake of
 * the page, of which its console is told, too.
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
