import { askOracle } from '../../support/oracle/questions.ts'
import { SEED } from '../../support/property.ts'
import { describe, it } from '../../support/test.ts'

/** About a minute. */
const QUESTIONS = 2000

describe('lists of files, asked for long', () => {
  it('are what plain SQL finds, by readers, too', { timeout: 300_000 }, async () => {
    // Not those questions that the quick tests ask.
    await askOracle(SEED + 1, QUESTIONS, { withReaders: true })
  })
})
