/** The steps of the introduction, in their order. */
export const STEPS = ['pictures', 'tags', 'people'] as const
export type Step = (typeof STEPS)[number]

/**
 * The state of the introduction; it is hidden before it begins, and after all steps are done or
 * skipped.
 */
interface Progress {
  isOpen: boolean
  skipped: readonly Step[]
}

const OPEN = 'open'
const DONE = 'done'

/** Parses the stored text: `open tags` means that the step of the tags was skipped. */
export function readProgress(text: string): Progress {
  const [word, ...names] = text.split(' ')
  return { isOpen: word === OPEN, skipped: STEPS.filter((step) => names.includes(step)) }
}

/** Returns the text to store when these steps are skipped and those are done. */
export function afterSteps(skipped: readonly Step[], done: readonly Step[]): string {
  const isLeft = STEPS.some((step) => !skipped.includes(step) && !done.includes(step))
  return isLeft ? [OPEN, ...skipped].join(' ') : DONE
}
