import type { Context, TypedResponse } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** JSON that is already text, with the type of what it says. */
export type JsonText<T> = string & { readonly says?: T }

/** Answers JSON that is already text: int64 literals and stored JSON go out digit for digit. */
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
