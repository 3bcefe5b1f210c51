import { useComputed } from '@preact/signals'
import { TriangleAlert } from 'lucide'
import { useEffect } from 'preact/hooks'
import { allDone, api, ask } from '../base/api.ts'
import { number } from '../base/format.ts'
import { useResource } from '../base/resource.ts'
import { returns } from '../base/returning.ts'
import { session } from '../base/session.ts'
import { settled } from '../base/settled.ts'
import { shareSettings } from '../base/shared-preferences.ts'
import { watchChanges } from '../changes/index.ts'
import { Icon } from '../parts/icon.tsx'
import { complain } from '../parts/toast.tsx'
import { screen } from '../routes.ts'
import { shell } from '../text/shell.ts'

/** Shows how many files are to be reviewed, beside the link to the inbox. */
export function ToReview() {
  return (
    <Count
      read={async (signal) => {
        void settled.value
        const query = { filter: '{r=1}', limit: 1, pairs: '1' } as const
        return (await ask(api.GET('/api/v1/files/ids', { params: { query }, signal }))).total
      }}
    />
  )
}

/** Shows how many groups of files look alike, beside the link to the duplicates. */
export function LookAlikes() {
  const isHere = useComputed(() => screen.value === 'duplicates')
  return (
    <Count
      read={async (signal) => {
        // On other screens few changes concern look-alikes, and the server needs long to group them.
        void returns.value
        if (isHere.value) void settled.value
        await allDone()
        // Beyond the last group, so that the answer contains none of their files.
        const query = { limit: 1, offset: Number.MAX_SAFE_INTEGER }
        return (await ask(api.GET('/api/v1/files/duplicates', { params: { query }, signal }))).total
      }}
    />
  )
}

/**
 * What begins once the first screen is there: sharing the settings, waiting for changes in other windows, and for
 * admins a look at the status.
 */
export function Settled() {
  useEffect(() => void shareSettings().catch(complain), [])
  useEffect(watchChanges, [])
  return session.value!.user.is_admin ? <Damaged /> : null
}

/** Shows admins, above the screen, that the server has found damaged files. */
function Damaged() {
  const count = useResource(async (signal) => {
    void returns.value
    return (await ask(api.GET('/api/v1/status', { signal }))).damaged
  }).data.value
  if (!count) return null
  return (
    <a class="banner" href="/keep/audit?action=content_damaged">
      <Icon of={TriangleAlert} />
      {shell().damaged(count)}
    </a>
  )
}

function Count({ read }: { read(signal: AbortSignal): Promise<number> }) {
  const count = useResource(read).data.value
  return count ? <span class="n hot">{number(count)}</span> : null
}
