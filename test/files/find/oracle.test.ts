import { describe, it } from 'node:test'
import { askOracle } from '../../support/oracle/questions.ts'
import { SEED } from '../../support/property.ts'

/** About ten seconds. */
const QUESTIONS = 1000

describe('lists of files', () => {
  it('are what plain SQL finds, whoever asks for what, page by page', async () => {
    await askOracle(SEED, QUESTIONS)
  })
})
