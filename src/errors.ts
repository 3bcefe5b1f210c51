/** The machine-readable codes of the Error shape; `http/on-error.ts` gives each its HTTP status. */
export type ErrorCode =
  | 'validation_error'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'timeout'
  | 'conflict'
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

/** An error that the caller is answered with: message and details reach the client as they are. */
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

/** Returns the validation error for one field. */
export function invalid(field: string, message: string): AppError {
  return new AppError('validation_error', 'The request is not valid', {
    details: [{ field, message }],
  })
}

/** Returns the error for a content that would take its creator's files beyond their quota. */
export function overQuota(): AppError {
  return new AppError('insufficient_storage', "The creator's files have reached their quota")
}
