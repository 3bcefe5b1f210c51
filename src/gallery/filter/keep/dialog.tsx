import { remember } from '../../base/undo/undo.ts'
import { NameDialog } from '../../parts/name-dialog.tsx'
import { createPool } from '../../pool-box/index.ts'
import { go, listing } from '../../routes.ts'
import { smart } from '../../text/smart.ts'
import { filterNow } from './filter-now.ts'

/** Asks for the name of an album that fills itself with what is shown, and shows that album. */
export function KeepSearch({ onClose }: { onClose(): void }) {
  const words = smart()
  const { search } = listing.value
  return (
    <NameDialog
      title={words.keepTitle}
      action={words.keepIt}
      onName={async (name) => {
        const { pool, operation } = await createPool(name, filterNow())
        if (operation) remember(operation)
        onClose()
        go({ path: `/albums/${pool.id}`, listing: null, at: null })
      }}
      onClose={onClose}
    >
      <p class="muted small">
        {words.keepHint} {search && words.nameNotKept(search)}
      </p>
    </NameDialog>
  )
}
