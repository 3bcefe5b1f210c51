import type { Context, TypedResponse } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { PaceLimit } from './clients/pace.ts'
import type { AppEnv } from './env.ts'
import { stream } from './stream.ts'

/** JSON that is already text, with the type of the value that it holds. */
export type JsonText<T> = string & { readonly says?: T }

/** A page of a list ends before its answer passes this many bytes, but not before its first item does. */
export const PAGE_BYTES = 8 * 1024 * 1024

/** How long a text may be that is handed over whole; a usual page is shorter. */
const WHOLE_LIMIT = 256 * 1024

/**
 * Answers with JSON text as it is: int64 literals and stored JSON are sent digit for digit. A long text
 * goes out as the client takes it, who may not be slower than `pace`, and is under way until then.
 */
export function jsonText<T, Status extends ContentfulStatusCode = 200>(
  c: Context<AppEnv>,
  text: JsonText<T>,
  status: Status = 200 as Status,
  pace?: PaceLimit,
): Response & TypedResponse<T, Status, 'json'> {
  const body = text.length > WHOLE_LIMIT ? stream(c, only(text), { pace }) : text
  return c.body(body, status, { 'Content-Type': 'application/json' }) as unknown as Response &
    TypedResponse<T, Status, 'json'>
}

function* only(text: string): Generator<string> {
  yield text
}

/** Answers with a value that may be long as JSON, as `jsonText` does. */
export function jsonPage<T>(
  c: Context<AppEnv>,
  value: T,
): Response & TypedResponse<T, 200, 'json'> {
  return jsonText<T>(c, JSON.stringify(value))
}

/** Returns the JSON array of items that are JSON text. */
export function jsonArray<T>(items: JsonText<T>[]): JsonText<T[]> {
  // `join` would copy each item, and all are copied once more when the text goes out.
  let text = ''
  for (const item of items) text += text === '' ? item : `,${item}`
  return `[${text}]`
}
