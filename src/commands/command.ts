/** A command of `tagstead`. */
export interface Command {
  /** How it is called and what it does, as `tagstead help` shows it. */
  usage: string
  /**
   * Runs the command with the arguments that follow its name. Returns the exit code, or null when
   * the arguments are wrong. Throws a readable error when the command can't run to its end.
   */
  run(args: string[]): Promise<number | null>
}
