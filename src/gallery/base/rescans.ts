import { answered, api } from './api.ts'
import { createWork } from './work.ts'

const PATH = '/api/v1/files/duplicates/rescan'

/** The search of the server for look-alikes, whoever runs it; admins alone are told of it. */
export const rescans = createWork(() => api.GET(PATH))

/**
 * Looks for look-alikes; returns how many groups of them there are then, or null when that was cut
 * off. Throws an ApiError.
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
