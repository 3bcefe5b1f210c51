import { it } from 'node:test'
import { RACES } from '../../torture/races/list.ts'
import { withScene } from '../../torture/races/scene.ts'

it(
  'of many who ask for one thing at once one gets it, and nothing is lost',
  {
    timeout: 180_000,
  },
  () =>
    withScene({ ways: 20 }, async (scene) => {
      for (const race of Object.values(RACES)) await race(scene)
    }),
)
