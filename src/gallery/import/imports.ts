import { signal } from '@preact/signals'
import type { Schemas } from '../../client/index.ts'
import { answered, api, ask } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { createWork } from '../base/work.ts'
import { files } from '../grid/index.ts'
import { complain, complainUnlessLost, toast } from '../parts/toast.tsx'
import { reloadPools } from '../pool-box/index.ts'
import { areNewTagsPublic, reloadTags } from '../tag-box/index.ts'
import { imports as text } from '../text/import.ts'
import { type Choices, choices, leftOut, owner, requestOf } from './choices.ts'

export type ImportState = Schemas['ImportState']

/** The server's import, no matter which client runs it. */
export const imports = createWork(() => api.GET('/api/v1/files/import'))

/**
 * The last import or trial run of this page; to other pages the API reports only whether it is a trial.
 */
export const own = signal<{ path: string; how: Choices } | null>(null)
/** The start time of the last import that was stopped here; null before the first. */
export const ending = signal<string | null>(null)

/**
 * Imports a folder with the chosen settings, or only tries it; the path is below the import folder.
 * Reports the result.
 */
export async function startImport(path: string, isTry: boolean): Promise<void> {
  const words = text()
  const before = own.peek()
  const how = choices.peek()
  own.value = { path, how }
  try {
    const whose = { owner: owner.peek(), leftOut: leftOut.peek() }
    const body = requestOf(path, how, { isTry, public_tags: areNewTagsPublic(), ...whose })
    const isWhole = await imports.run(() =>
      api.POST('/api/v1/files/import', { body, parseAs: 'stream' }),
    )
    if (!isTry) {
      answered.value++
      files.refresh().catch(complainUnlessLost)
      // The import may have created tags and albums.
      void reloadTags()
      reloadPools()
    }
    const { progress, tallies } = imports.state.peek()!
    if (isWhole && progress?.type === 'done') {
      const message = isTry ? words.tried : how.leave_sources ? words.copied : words.taken
      toast({ text: message(tallies!.imported), operation: progress.operation ?? null })
    } else {
      toast({ text: isTry ? words.tryCutOff : words.cutOff, kind: 'bad' })
    }
  } catch (error) {
    own.value = before
    await imports.look()
    const { status = 0, said } = error instanceof ApiError ? error : {}
    if (status === 409 && imports.state.peek()?.state === 'running') {
      toast({ text: words.otherRuns, kind: 'bad' })
    } else if ([400, 409].includes(status) && said) {
      // The message names the folder that is in the way, or can't be read.
      toast({ text: words.notBegun(said), kind: 'bad' })
    } else complain(error)
  }
}

/** Stops the import under way, no matter which client has started it. */
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
