import type { Config } from '../base/config.ts'
import { type Deps, openForCommand } from '../library.ts'
import { requireLibrary } from './command.ts'

interface Needs {
  /** Takes the lock that excludes another such command; throws a readable error if it can't. */
  lock: (config: Config) => { release(): void }
  /** The folder for temporary files that only this command uses; it is emptied under the lock. */
  temporary: string
}

/**
 * Calls `run` with the library of the settings, whether or not a server is running, and returns its result. Throws a
 * readable error when there is no library, when the lock is taken, or when this version can't open the library.
 */
export async function withLibrary<Result>(
  config: Config,
  { lock, temporary }: Needs,
  run: (deps: Deps) => Promise<Result>,
): Promise<Result> {
  requireLibrary(config)
  const taken = lock(config)
  try {
    const { deps, close } = await openForCommand(config, temporary)
    try {
      return await run(deps)
    } finally {
      await close()
    }
  } finally {
    taken.release()
  }
}
