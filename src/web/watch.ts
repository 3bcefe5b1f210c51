import { assemble, type Gallery } from './build.ts'
import { BUNDLE, DEV, LINK_BUNDLE } from './bundle.ts'

type Hear = (gallery: Gallery | null) => void

/** The gallery during development. */
export interface WatchedGallery {
  /** Returns the newest gallery that could be built; throws as long as none could. */
  gallery(): Promise<Gallery>
  /**
   * Calls `hear` with the newest gallery and each later one, until the returned function is called, and with null at
   * the end.
   */
  follow(hear: Hear): () => void
  stop(): Promise<void>
}

/** Builds the gallery, and again whenever its source changes; errors in the source are printed. */
export async function watchGallery(): Promise<WatchedGallery> {
  const { build, context } = await import('esbuild')
  const listeners = new Set<Hear>()
  let newest: Gallery | undefined
  const follower = {
    name: 'follower',
    setup({ onEnd }: Parameters<(typeof BUNDLE.plugins)[number]['setup']>[0]) {
      onEnd(async ({ errors, outputFiles, metafile }) => {
        if (errors.length > 0) return
        const gallery = { outputFiles: outputFiles!, metafile: metafile! }
        const made = await assemble(gallery, await build(LINK_BUNDLE))
        newest = made
        for (const hear of listeners) hear(made)
      })
    },
  }
  const building = await context({
    ...BUNDLE,
    entryPoints: { ...BUNDLE.entryPoints, dev: DEV },
    plugins: [...BUNDLE.plugins, follower],
    logLevel: 'warning',
  })
  await building.watch()
  return {
    async gallery() {
      if (!newest) await building.rebuild()
      return newest!
    },
    follow(hear) {
      listeners.add(hear)
      if (newest) hear(newest)
      return () => listeners.delete(hear)
    },
    async stop() {
      for (const hear of listeners) hear(null)
      await building.dispose()
    },
  }
}
