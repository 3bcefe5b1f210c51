import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { KeyScope } from '../../base/enums.ts'
import { AppError } from '../../base/errors.ts'
import type { ApiKey } from '../../base/user.ts'
import type { AppEnv } from '../../http/env.ts'
import { type Operation, partOf } from '../../http/openapi/operation.ts'

type Wanted = NonNullable<Operation['scope']>

const OPENS: Record<KeyScope, Wanted[]> = {
  read: ['any', 'read'],
  upload: ['any', 'upload'],
  tag: ['any', 'read', 'tag'],
  admin: ['any', 'read', 'upload', 'tag', 'admin'],
}

/** Throws AppError forbidden unless the key may be used for what wants this scope; undefined is for no key. */
export function requireScope({ scope }: ApiKey, wanted: Wanted | undefined): void {
  if (wanted !== undefined && OPENS[scope].includes(wanted)) return
  throw new AppError('forbidden', `A key of the scope \`${scope}\` may not do that`)
}

/** Returns the scope that the operation of a request wants of a key, undefined if it is for no key. */
export function wantedScope(c: Context<AppEnv>): Wanted | undefined {
  // The operation comes first in its route.
  const route = matchedRoutes(c).find(({ handler }) => partOf(handler).operation)
  return route && partOf(route.handler).operation?.scope
}

/**
 * Throws AppError forbidden when a key that tags would let more people see something, or change a field that isn't
 * among `fields`.
 */
export function requireFewFields(
  c: Context<AppEnv>,
  body: Record<string, unknown>,
  fields?: string[],
): void {
  if (c.var.key?.scope !== 'tag') return
  const refused = fields
    ? Object.keys(body).find((name) => !fields.includes(name))
    : ['is_public', 'shares_files'].find((name) => body[name] === true)
  if (refused === undefined) return
  throw new AppError('forbidden', `A key of the scope \`tag\` may not change \`${refused}\``)
}
