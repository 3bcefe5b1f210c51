import assert from 'node:assert/strict'
import type { StepKind } from '../worlds/steps.ts'
import type { Scene } from './scene.ts'

/** A request that is harmed. */
interface HarmedRequest {
  /** Makes what it needs. */
  prepare(scene: Scene): Promise<void>
  /** Sends it; returns whether it was acknowledged. */
  run(scene: Scene): Promise<boolean>
}

async function steps({ client, call }: Scene, ...kinds: StepKind[]): Promise<void> {
  for (const kind of kinds) assert.ok((await client.step(call, kind))! < 300)
}

const isOk = (status: number | null) => status !== null && status < 300
const runStep = (kind: StepKind) => async (scene: Scene) =>
  isOk(await scene.client.step(scene.call, kind))

export const REQUESTS: Record<string, HarmedRequest> = {
  // The first upload of a server starts its decoder and its threads.
  upload: { prepare: (scene) => steps(scene, 'upload'), run: runStep('upload') },
  replace: { prepare: (scene) => steps(scene, 'upload'), run: runStep('replace') },
  purge: { prepare: (scene) => steps(scene, 'upload', 'trash'), run: runStep('purge') },
  merge: {
    async prepare(scene) {
      await steps(scene, 'upload')
      while (scene.client.world.tags.length < 3) await steps(scene, 'newTag')
      await steps(scene, 'bulkTags')
    },
    run: runStep('mergeTags'),
  },
  import: {
    async prepare(scene) {
      await steps(scene, 'upload')
      await scene.importer.run(scene.call)
      assert.deepEqual(scene.importer.left(), [])
      await scene.importer.add(1)
    },
    run: ({ importer, call }) => importer.run(call, true),
  },
}
