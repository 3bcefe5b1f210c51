import { number } from '../base/format.ts'
import { complainUnlessLost, toast } from '../parts/toast.tsx'
import { sharing } from '../text/sharing.ts'
import { readState } from './read.ts'
import type { Sent } from './send.ts'
import type { Draft } from './sight.ts'
import type { Subject } from './subject.ts'
import { linesNow, linesOfSome } from './words.ts'

/** How many people are told of. */
const MOST = 20

/** Tells who sees something now that was shared, as the server has it, and that nothing undoes it. */
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
    // Whether everybody may view it is told of all, because it changes what each of them sees.
    if (isPublic !== null) lines.push(...linesNow(await readState(subject, signal)))
    else lines.push(...linesOfSome(await readState(subject, signal, ({ id }) => few.has(id))))
  } catch (error) {
    complainUnlessLost(error)
  }
  if (!isUndone) lines.push(words.toastNoUndo)
  toast({ text: lines.join(' '), ...(isUndone && { operation: operations }) })
}
