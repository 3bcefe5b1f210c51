import { it } from 'node:test'
import { goRound } from '../../support/round-trip.ts'

it('an export, imported into an empty library, gives the same export', { timeout: 240_000 }, () =>
  goRound(300),
)
