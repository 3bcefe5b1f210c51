import { askOracle } from '../support/oracle/questions.ts'
import { SEED } from '../support/property.ts'
import { type TortureOptions, tell } from './worlds/options.ts'

const QUESTIONS = 100_000

/** Compares lists of files with plain SQL for 100,000 random questions or `--rounds`, on the runtime that runs it. */
export async function torture({ rounds, seed }: TortureOptions): Promise<void> {
  const questions = Number(rounds ?? QUESTIONS)
  const from = Number(seed ?? SEED)
  await askOracle(from, questions, { withReaders: true })
  tell(`oracle: ${questions} questions, no difference (seed ${from})`)
}
