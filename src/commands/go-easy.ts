import { constants, getPriority, setPriority } from 'node:os'

/**
 * Gives this process a low priority, so that the server's requests come first; a process with a lower one stays as it
 * is.
 */
export function goEasy(): void {
  const { PRIORITY_BELOW_NORMAL: easy } = constants.priority
  if (getPriority() < easy) setPriority(easy)
}
