import { signal } from '@preact/signals'
import type { Schemas } from '../../../client/index.ts'
import { answered, api, ask } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { createWork } from '../base/work.ts'
import { files } from '../grid/index.ts'
import { complain, complainUnlessLost, toast } from '../parts/toast.tsx'
import { imports as text } from '../text/import.ts'

export type ImportState = Schemas['ImportState']

/** The import of the server, whoever runs it. */
export const imports = createWork(() => api.GET('/api/v1/files/import'))

/** The folder that this page has imported last, below the import folder; the API doesn't tell. */
export const ownPath = signal<string | null>(null)
/** When the import began that was asked to end here; null before the first. */
export const ending = signal<string | null>(null)

/** Imports a folder, given by its path below the import folder, and tells how that went. */
export async function startImport(path: string): Promise<void> {
  const words = text()
  const before = ownPath.peek()
  ownPath.value = path
  try {
    const isWhole = await imports.run(() =>
      api.POST('/api/v1/files/import', { body: { path }, parseAs: 'stream' }),
    )
    answered.value++
    files.refresh().catch(complainUnlessLost)
    const { progress, tallies } = imports.state.peek()!
    if (isWhole && progress?.type === 'done') {
      toast({ text: words.taken(tallies!.imported), operation: progress.operation ?? null })
    } else {
      toast({ text: words.cutOff, kind: 'bad' })
    }
  } catch (error) {
    ownPath.value = before
    const isOther = error instanceof ApiError && error.status === 409
    if (isOther) toast({ text: words.otherRuns, kind: 'bad' })
    else complain(error)
    await imports.look()
  }
}

/** Ends the import that runs, whoever has started it. */
export async function endImport(): Promise<void> {
  ending.value = imports.state.peek()!.started_at
  try {
    await ask(api.DELETE('/api/v1/files/import'))
  } catch (error) {
    ending.value = null
    complain(error)
  }
  await imports.look()
}
