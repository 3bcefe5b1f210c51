import { chmodSync, chownSync, statSync } from 'node:fs'

/**
 * The number of the decoder's user, and of its group: one of the few below 65536 that nobody gives away, so
 * that it is there in containers that have no higher ones.
 */
export const DECODER_ID = 65_522

const OF_GROUP = 0o070
const PASS_OF_GROUP = 0o010
const PASS_OF_ALL = 0o001

/** Returns the start of a command line that runs what follows as the decoder's user, without any rights. */
export function asAnotherUser(): string[] {
  return [
    ...['setpriv', '--reuid', String(DECODER_ID), '--regid', String(DECODER_ID), '--clear-groups'],
    ...['--no-new-privs', '--inh-caps=-all', '--bounding-set=-all', '--'],
  ]
}

/** Lets the decoder's group pass through a folder, if no other group may. */
export function letPass(folder: string): void {
  const { mode, uid } = statSync(folder)
  if ((mode & PASS_OF_ALL) !== 0 || (mode & OF_GROUP) !== 0) return
  chownSync(folder, uid, DECODER_ID)
  chmodSync(folder, (mode & 0o7777) | PASS_OF_GROUP)
}
