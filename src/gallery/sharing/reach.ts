import type { Schemas } from '../../client/index.ts'
import { api, ask } from '../base/api.ts'
import { slicesOf } from '../base/slices.ts'
import { type Sum, sumOf } from './sum.ts'

type Reach = Schemas['Reach']
/** The files in question. */
export type Asked = { file_ids: string[] } | { pool_id: string }

/** The most users that one request of the API covers. */
const USERS = 20

/** Returns how many of the files each user sees, in as many requests as needed. Throws an ApiError. */
export async function readReach(
  asked: Asked,
  users: readonly number[],
  signal: AbortSignal,
): Promise<Sum> {
  const parts: Asked[] =
    'pool_id' in asked ? [asked] : slicesOf(asked.file_ids).map((file_ids) => ({ file_ids }))
  const slices: Reach[][] = []
  for (const part of parts) {
    const slice: Reach[] = []
    // Sequentially, because the server computes one user's view at a time.
    for (let at = 0; at === 0 || at < users.length; at += USERS) {
      const body = { ...part, user_ids: users.slice(at, at + USERS) }
      slice.push(await ask(api.POST('/api/v1/files/reach', { body, signal })))
    }
    slices.push(slice)
  }
  return sumOf(slices)
}
