import { number } from '../base/format.ts'
import { complainUnlessLost, toast } from '../parts/toast.tsx'
import { sharing } from '../text/sharing.ts'
import { readState } from './read.ts'
import type { Sent } from './send.ts'
import type { Draft } from './sight.ts'
import type { Subject } from './subject.ts'
import { linesNow, linesOfSome } from './words.ts'

const MOST = 20

/**
 * Reports who sees something now that was shared, as stored on the server, and that this can't be
 * undone.
 */
export async function tellShared(
  subject: Subject,
  { rights, isPublic }: Draft,
  { operations, done, ids }: Sent,
): Promise<void> {
  const words = sharing()
  const isUndone = rights.size === 0 && operations.length > 0
  const few = new Set([...rights.keys()].slice(0, MOST))
  const lines: string[] = []
  if (done < ids.length) lines.push(`${words.ended(number(done), number(ids.length))}.`)
  try {
    const { signal } = new AbortController()
    // A change for everybody is reported for all people, because it changes what each of them sees.
    if (isPublic !== null) lines.push(...linesNow(await readState(subject, signal)))
    else lines.push(...linesOfSome(await readState(subject, signal, ({ id }) => few.has(id))))
  } catch (error) {
    complainUnlessLost(error)
  }
  if (!isUndone) lines.push(words.toastNoUndo)
  toast({ text: lines.join(' '), ...(isUndone && { operation: operations }) })
}
