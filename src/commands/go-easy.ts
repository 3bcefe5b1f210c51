import { constants, getPriority, setPriority } from 'node:os'

/** Has the server's requests come first on a machine that has to do both; whoever is slower already stays so. */
export function goEasy(): void {
  const { PRIORITY_BELOW_NORMAL: easy } = constants.priority
  if (getPriority() < easy) setPriority(easy)
}
