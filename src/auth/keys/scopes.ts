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

/** Throws AppError forbidden when a key of the scope `tag` changes a field that isn't among these. */
export function requireTaggedFields(c: Context<AppEnv>, body: object, fields: string[]): void {
  refuseTagging(
    c,
    Object.keys(body).find((name) => !fields.includes(name)),
  )
}

/** Throws AppError forbidden when a key of the scope `tag` would let more people see something. */
export function requireSameViewers(
  c: Context<AppEnv>,
  body: { is_public?: boolean | undefined; shares_files?: boolean | undefined },
): void {
  if (body.is_public) refuseTagging(c, 'is_public')
  if (body.shares_files) refuseTagging(c, 'shares_files')
}

function refuseTagging(c: Context<AppEnv>, field: string | undefined): void {
  if (field === undefined || c.var.key?.scope !== 'tag') return
  throw new AppError('forbidden', `A key of the scope \`tag\` may not change \`${field}\``)
}
