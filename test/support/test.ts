import * as runner from 'node:test'
import { addLine } from './run-folder.ts'

/** Why a test is left out, such as `needs ffmpeg`; false when it runs. */
export type Skip = string | false

type Hook = typeof runner.before
type Body = (t: runner.TestContext) => void | Promise<void>
type Options = Omit<runner.TestOptions, 'skip'> & { skip?: Skip }

/** What the suite that is being described needs and hasn't got. */
let lacking: Skip = false

/**
 * `describe` of node:test, whose `skip` reaches each test of the suite, so that each is named and counted. The
 * suite's own lines run all the same, but none of its hooks.
 */
export function describe(name: string, ...rest: [Options, () => void] | [() => void]): void {
  const [{ skip = false }, body] = rest.length === 2 ? rest : [{}, rest[0]]
  runner.describe(name, () => {
    const outer = lacking
    lacking = outer || skip
    body()
    lacking = outer
  })
}

/** `it` of node:test, which counts what is left out and why. */
export function it(name: string, ...rest: [Options, Body] | [Body]): void {
  const [{ skip = false, ...options }, body] = rest.length === 2 ? rest : [{}, rest[0]]
  const reason = lacking || skip
  if (!reason) {
    runner.it(name, options, body)
    return
  }
  addLine('skipped', reason)
  runner.it(name, { skip: reason }, () => {})
}

export const before = unlessLacking(runner.before)
export const after = unlessLacking(runner.after)
export const beforeEach = unlessLacking(runner.beforeEach)
export const afterEach = unlessLacking(runner.afterEach)

function unlessLacking(hook: Hook): Hook {
  return (...args) => {
    if (!lacking) hook(...args)
  }
}
