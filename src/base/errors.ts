/** The machine-readable codes of the Error shape; `http/on-error.ts` gives each its HTTP status. */
export type ErrorCode =
  | 'validation_error'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'timeout'
  | 'conflict'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'unsupported_mime'
  | 'range_not_satisfiable'
  | 'rate_limited'
  | 'internal_error'
  | 'busy'
  | 'insufficient_storage'

export interface ErrorDetail {
  field: string
  message: string
}

/** An error for the client, which gets its message and details as they are. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetail[] | undefined
  /** Response headers that belong to the error, such as Retry-After and Allow. */
  readonly headers: Record<string, string>

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: ErrorDetail[]; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.details = options.details
    this.headers = options.headers ?? {}
  }
}

// An answer names at most this many fields, and cuts their names.
const MOST_DETAILS = 20
const FIELD_LENGTH = 100

/**
 * Returns the validation error for fields, of which it names the first 20; an entry with the field '' counts the rest.
 * With a single field, its message says what is wrong.
 */
export function invalidFields(fields: ErrorDetail[]): AppError {
  const details = fields
    .slice(0, MOST_DETAILS)
    .map(({ field, message }) => ({ field: field.slice(0, FIELD_LENGTH).toWellFormed(), message }))
  const rest = fields.length - details.length
  if (rest > 0) details.push({ field: '', message: `and ${rest} more` })
  const [first, ...others] = details
  const isSingle = first !== undefined && others.length === 0
  const message = isSingle ? `${first.field}: ${first.message}` : 'The request is not valid'
  return new AppError('validation_error', message, { details })
}

export function invalid(field: string, message: string): AppError {
  return invalidFields([{ field, message }])
}

/** Returns the error for what can't be done now, but can be in some seconds. */
export function busy(message: string): AppError {
  return new AppError('busy', message, { headers: { 'Retry-After': '5' } })
}

/** Returns whether something can't be done now, but can be in some seconds, as while a store is away. */
export function isBusy(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'busy'
}

/**
 * Returns the error for a content that would take its creator's files beyond their quota: unlike a full disk, it names
 * the file.
 */
export function overQuota(): AppError {
  return new AppError('insufficient_storage', "The creator's files have reached their quota", {
    details: [{ field: 'file', message: 'is larger than what is left of the quota' }],
  })
}
