/** The error in a server's answer, or `no_connection` with status 0 if there was no answer. */
export class ApiError extends Error {
  readonly status: number
  /**
   * One of the codes of the API's Error, `no_connection`, or `unknown` for another program's answer.
   */
  readonly code: string
  /** The first invalid field. */
  readonly field: string | undefined
  /** The server's own message, in English. */
  readonly said: string | undefined
  /** Seconds after which trying again makes sense. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    code: string,
    more: { field?: string; said?: string; retryAfter?: number } = {},
  ) {
    super(`${status} ${code}`)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.field = more.field
    this.said = more.said
    this.retryAfter = more.retryAfter
  }
}

/** Returns the error for an answer and its body, which isn't ours if a proxy has answered. */
export function errorOf(response: Response, body: unknown): ApiError {
  const { code, message, details } = (typeof body === 'object' && body ? body : {}) as {
    code?: string
    message?: string
    details?: { field: string }[]
  }
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiError(response.status, code ?? 'unknown', {
    ...(message && { said: message }),
    ...(details?.[0] && { field: details[0].field }),
    ...(Number.isFinite(seconds) && { retryAfter: seconds }),
  })
}

/** Returns whether another attempt would fail for the same reason, such as that it is already undone. */
export function isFinal(error: unknown): boolean {
  return error instanceof ApiError && [403, 404, 409].includes(error.status)
}
