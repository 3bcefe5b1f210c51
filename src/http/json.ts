import type { Context, TypedResponse } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { PaceLimit } from './clients/pace.ts'
import type { AppEnv } from './env.ts'
import { stream } from './stream.ts'

/** JSON text, typed by the value that it encodes. */
export type JsonText<T> = string & { readonly says?: T }

/** A page of a list ends before its answer exceeds this many bytes, but not before its first item does. */
export const PAGE_BYTES = 8 * 1024 * 1024

// Up to this length, a text is sent whole; a usual page is shorter.
const WHOLE_LIMIT = 256 * 1024

/**
 * Answers with JSON text as it is: int64 literals and stored JSON are sent digit for digit. A long text is sent as the
 * client takes it, no slower than `pace`, and the request is under way until then.
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

/** Answers with a value whose JSON may be long, like `jsonText`. */
export function jsonPage<T>(
  c: Context<AppEnv>,
  value: T,
): Response & TypedResponse<T, 200, 'json'> {
  return jsonText<T>(c, JSON.stringify(value))
}

export function jsonArray<T>(items: JsonText<T>[]): JsonText<T[]> {
  // `join` would copy each item, and all are copied once more when the text is sent.
  let text = ''
  for (const item of items) text += text === '' ? item : `,${item}`
  return `[${text}]`
}
