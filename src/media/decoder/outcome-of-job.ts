import type { Outcome } from '../outcome.ts'
import type { Job } from './jobs.ts'
import type { Ended } from './messages.ts'
import type { End } from './process.ts'

/** Returns the outcome for what happens to good content on a loaded machine, but not twice. */
export function refusedAtFirst({ isSecondTry }: Job, reason: string): Outcome {
  return isSecondTry ? { failed: reason } : { refused: reason }
}

/** Returns the outcome of a job by what the child says at its end. */
export function outcomeOf(job: Job, message: Ended): Outcome {
  if ('exceeded' in message) return refusedAtFirst(job, message.exceeded)
  if ('starved' in message) return refusedAtFirst(job, message.starved)
  return message
}

/**
 * Returns the outcome of a job with which a second child has died that had nothing else to do. Only a crash is surely
 * the content's fault: the system kills for lack of memory, we for silence.
 */
export function afterSecondDeath(job: Job, { how }: End): Outcome {
  const reason = `ended the decoder twice: ${how}`
  return how === 'SIGKILL' ? refusedAtFirst(job, reason) : { failed: reason }
}
