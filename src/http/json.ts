import type { Context, TypedResponse } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** JSON that is already text, with the type of the value that it holds. */
export type JsonText<T> = string & { readonly says?: T }

/** Answers with JSON text as it is: int64 literals and stored JSON are sent digit for digit. */
export function jsonText<T, Status extends ContentfulStatusCode = 200>(
  c: Context,
  text: JsonText<T>,
  status: Status = 200 as Status,
): Response & TypedResponse<T, Status, 'json'> {
  return c.body(text, status, { 'Content-Type': 'application/json' }) as unknown as Response &
    TypedResponse<T, Status, 'json'>
}

/** Returns the JSON array of items that are JSON text. */
export function jsonArray<T>(items: JsonText<T>[]): JsonText<T[]> {
  return `[${items.join(',')}]`
}
