import type { ComponentChildren } from 'preact'
import { number } from '../base/format.ts'
import type { Outcome } from '../base/slices.ts'
import { remember } from '../base/undo/undo.ts'
import { toast } from '../parts/toast.tsx'
import { problem } from '../text/problem.ts'
import { tagBox } from '../text/tag-box.ts'
import type { Edit } from './edits.ts'
import { tagsById } from './tags.ts'
import type { Tagged, Target } from './target.ts'

interface Words {
  /** Shown on success; null if the result is visible anyway. */
  done: ComponentChildren | null
  failed(reason: string): string
  /** The name of the button that undoes it. */
  undo?: string | undefined
  action?: { text: string; act(): void } | undefined
}

interface LeftBehind extends Outcome {
  locked: string[]
  /** How many could not be changed for another reason. */
  skipped?: number
}

/** Reports the result of a change of files, and offers to undo it. */
export function reportOutcome(
  target: Target,
  { operations, done, error, locked, skipped = 0 }: LeftBehind,
  words: Words,
): void {
  const texts = tagBox()
  const all = number(target.count)
  const operation = operations.length > 0 ? operations : null
  if (error !== undefined) {
    remember(operations)
    const reason = problem(error)
    const isNothing = done === 0 && operations.length === 0
    const text = isNothing ? words.failed(reason) : texts.partly(number(done), all, reason)
    toast({ text, kind: 'bad' })
  } else if (done < target.count) {
    toast({ text: texts.ended(number(done), all), operation, kind: 'info' })
  } else if (locked.length + skipped > 0) {
    const text = [
      texts.progress(number(done - locked.length - skipped), all),
      locked.length > 0 && texts.locked(locked.length),
      skipped > 0 && texts.skipped(skipped),
    ]
      .filter(Boolean)
      .join('; ')
    const show = locked.length > 0 && target.show
    const action = show && { text: texts.showLocked(locked.length), act: () => show(locked) }
    toast({ text, operation, kind: 'info', ...(action && { action }) })
  } else if (words.done === null) remember(operations)
  else {
    const { done: text, undo, action } = words
    toast({ text, operation, undo, ...(action && { action }) })
  }
}

/**
 * Reports the result of tagging. A single successful file needs no message, because the tags show it.
 */
export function reportTags(target: Target, edit: Edit, outcome: Tagged): void {
  const words = tagBox()
  const isAdded = edit.action === 'add'
  const name = edit.ids.length === 1 && tagsById.peek().get(edit.ids[0]!)?.name
  const what = name || words.severalTags(edit.ids.length)
  reportOutcome(target, outcome, {
    done:
      target.count === 1 ? null : (
        <>
          <b>{what}</b> {(isAdded ? words.isOn : words.isOff)(outcome.done)}
        </>
      ),
    failed: isAdded ? words.notTagged : words.notRemoved,
  })
}
