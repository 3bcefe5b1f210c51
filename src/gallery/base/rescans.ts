import { answered, api } from './api.ts'
import { createWork } from './work.ts'

const PATH = '/api/v1/files/duplicates/rescan'

/** The server's search for look-alikes, no matter which client runs it; only admins can follow it. */
export const rescans = createWork(() => api.GET(PATH))

/**
 * Searches for look-alikes; returns how many groups there are afterwards, null if it was interrupted.
 * Throws an ApiError.
 */
export async function rescan(): Promise<number | null> {
  try {
    const isWhole = await rescans.run(() => api.POST(PATH, { parseAs: 'stream' }))
    answered.value++
    const { progress } = rescans.state.peek()!
    return isWhole && progress?.type === 'done' ? progress.clusters : null
  } catch (error) {
    await rescans.look()
    throw error
  }
}
