/** A command of `tagstead`. */
export interface Command {
  /** How it is called and what it does, as `tagstead help` shows it. */
  usage: string
  /**
   * Runs with the arguments behind its name and returns the exit code; null when it can't read them.
   * Throws a sentence when it can't run to its end.
   */
  run(args: string[]): Promise<number | null>
}
