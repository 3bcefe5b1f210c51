import { api } from '../base/api.ts'
import { type Pool, reloadPools } from '../pooling/index.ts'
import type { Target } from '../tagging/index.ts'
import { pooling } from '../text/pooling.ts'
import { run, takeOut } from './run.ts'

type Named = Pick<Pool, 'id' | 'name'>

/** Adds files to the end of a pool; every user that sees a file may do that. */
export function putIntoPool(target: Target, { id, name }: Named): Promise<void> {
  const params = { path: { pool_id: id } }
  return run(unlocked(target), {
    change: (file_ids, send) =>
      send(api.POST('/api/v1/pools/{pool_id}/files', { params, body: { file_ids } })),
    done: (count) => pooling().arePut(count, name),
    failed: pooling().notPut,
    after: reloadPools,
  })
}

/** Removes files from the pool that is shown. */
export async function takeOutOfPool(target: Target, { id, name }: Named): Promise<void> {
  const params = { path: { pool_id: id } }
  await takeOut(unlocked(target), {
    change: (file_ids, send) =>
      send(api.POST('/api/v1/pools/{pool_id}/files/remove', { params, body: { file_ids } })),
    done: (count) => pooling().areTakenOut(count, name),
    failed: pooling().notTakenOut,
  })
  reloadPools()
}

/** Only the right to the pool matters, not that to the files. */
function unlocked(target: Target): Target {
  return { ...target, ids: async () => ({ ...(await target.ids()), locked: [] }) }
}
