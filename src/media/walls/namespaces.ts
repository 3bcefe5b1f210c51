import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { pathsToRun } from './paths-to-run.ts'

interface Behind {
  /** The path of the child's room. */
  room: string
  /** Its name or path. */
  ffmpeg: string | null
  /** Whether bubblewrap is of a version before 0.8. */
  isOlder: boolean
}

/**
 * Returns the start of a command line that runs what follows, by bubblewrap, with no network, no other
 * processes, and no files but those of the runtime, its program and ffmpeg, none of which it can write to. `in` and
 * `out` of its room are below the folder in which it starts, and it writes to `out` alone.
 */
export function behindNamespaces({ room, ffmpeg, isOlder }: Behind): string[] {
  return [
    'bwrap',
    ...['--unshare-all', '--unshare-user', '--die-with-parent', '--new-session'],
    ...['--cap-drop', 'ALL'],
    ...(isOlder ? [] : ['--disable-userns']),
    ...pathsToRun(ffmpeg).flatMap(bound),
    ...['--proc', '/proc', '--dev', '/dev', '--remount-ro', '/dev'],
    // What root owns there, root without rights may write all the same.
    ...['--ro-bind', '/proc/sys', '/proc/sys'],
    ...['--ro-bind', join(room, 'in'), '/room/in', '--bind', join(room, 'out'), '/room/out'],
    ...['--remount-ro', '/', '--chdir', '/room', '--'],
  ]
}

/** Shows a path, and what it leads to when it is a link. */
function bound(path: string): string[] {
  const real = realpathSync(path)
  return ['--ro-bind', real, real, ...(real === path ? [] : ['--ro-bind', real, path])]
}
