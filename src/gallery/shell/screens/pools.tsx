import type { Schemas } from '../../../client/index.ts'
import { session } from '../../base/session.ts'
import { files } from '../../grid/index.ts'
import { complain } from '../../parts/toast.tsx'
import { Pools } from '../../pools/index.tsx'
import { PoolGap, SharePool } from '../../sharing/index.tsx'
import { playListing } from '../../slideshow/index.ts'

type Pool = Schemas['Pool']

/** Shows all pools, or one of them. */
export function PoolsScreen() {
  return (
    <Pools
      play={() => playListing(files)}
      share={(pool, changed) =>
        mayShare(pool) && <SharePool pool_id={pool.id} onShared={() => look(changed)} />
      }
      note={(pool, changed) =>
        mayShare(pool) && <PoolGap pool_id={pool.id} onShared={() => look(changed)} />
      }
    />
  )
}

/** Whether the user may read and write the rights of a pool. */
function mayShare({ creator_id }: Pool): boolean {
  const { id, is_admin } = session.value!.user
  return is_admin || id === creator_id
}

function look(changed: () => void): void {
  changed()
  files.refresh().catch(complain)
}
