/** The steps of the first hour, in their order. */
export const STEPS = ['pictures', 'tags', 'people'] as const
export type Step = (typeof STEPS)[number]

/** How far somebody is: nothing is shown before it began, and after all steps are done or skipped. */
interface Progress {
  isOpen: boolean
  skipped: readonly Step[]
}

const OPEN = 'open'
/** What is kept when nothing is left to show. */
const DONE = 'done'

/** Returns what the kept text says: `open tags` is one where the tags were skipped. */
export function readProgress(text: string): Progress {
  const [word, ...names] = text.split(' ')
  return { isOpen: word === OPEN, skipped: STEPS.filter((step) => names.includes(step)) }
}

/** Returns the text to keep when these steps are skipped and those are done. */
export function afterSteps(skipped: readonly Step[], done: readonly Step[]): string {
  const isLeft = STEPS.some((step) => !skipped.includes(step) && !done.includes(step))
  return isLeft ? [OPEN, ...skipped].join(' ') : DONE
}
