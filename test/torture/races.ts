import { RACES } from './races/list.ts'
import { withScene } from './races/scene.ts'
import { parametersOf, type TortureOptions, tell } from './worlds/options.ts'

const WAYS = 500

/**
 * Has many ask for the same at once, 500 or `--rounds` of them, on each runtime. Throws when more than one has won,
 * something is lost, or the library isn't sound afterwards.
 */
export async function torture(options: TortureOptions): Promise<void> {
  const { rounds: ways, runtimes } = parametersOf(options, WAYS)
  for (const runtime of runtimes) {
    await withScene({ ways, runtime }, async (scene) => {
      for (const [name, race] of Object.entries(RACES)) {
        tell(`races, ${runtime}, ${ways} ways, ${name}: ${await race(scene)}`)
      }
    })
  }
}
