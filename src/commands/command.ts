/** A command of `tagstead`. */
export interface Command {
  /** The usage and description in `tagstead help`. */
  usage: string
  /**
   * Runs the command with the arguments that follow its name. Returns the exit code, or null when the arguments don't
   * go together as the usage says. Throws what `parseArgs` and `wrongValue` do for an argument that is wrong, and a
   * readable error when the command can't finish.
   */
  run(args: string[]): Promise<number | null>
}

/** Returns the error for a wrong value of an option, as `parseArgs` throws it. */
export function wrongValue(option: string, message: string): Error {
  const code = 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE'
  return Object.assign(new TypeError(`Option '${option}' ${message}`), { code })
}

/** Returns whether an error says which argument is wrong. */
export function isOfArguments(error: unknown): error is Error {
  const { code } = error as NodeJS.ErrnoException
  return error instanceof Error && code?.startsWith('ERR_PARSE_ARGS_') === true
}
