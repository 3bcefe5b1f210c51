import type { Schemas } from '../../client/index.ts'
import { api, ask } from './api.ts'

/** The kinds of objects that have an access list. */
export type ObjectType = 'file' | 'tag' | 'category' | 'pool'

/** Returns the access list of an object, which its creator and admins may read. Throws an ApiError. */
export function readAccess(
  object_type: ObjectType,
  object_id: string,
  signal?: AbortSignal,
): Promise<Schemas['Permission'][]> {
  const params = { path: { object_type, object_id } }
  const call = api.GET('/api/v1/acl/{object_type}/{object_id}', {
    params,
    ...(signal && { signal }),
  })
  return ask(call)
}
