import { Hono } from 'hono'
import { AppError } from '../base/errors.ts'
import { BAKED_GALLERY } from '../base/place.ts'
import { CHECKED, FOR_EVER, sendAsset } from '../http/assets/asset.ts'
import { once } from '../http/assets/once.ts'
import type { AppEnv } from '../http/env.ts'
import { bakedGallery } from './baked.ts'
import { PLAIN_POLICY, POLICY } from './policy.ts'
import type { WatchedGallery } from './watch.ts'

/** The paths of the gallery's page, which chooses the screen by itself. */
export const PAGES = [
  '/',
  '/f/:id',
  '/inbox',
  '/trash',
  '/pools',
  '/pools/:id',
  '/duplicates',
  '/tags',
  '/keep/*',
  '/settings',
  '/about',
]

const BROKEN = `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <title>Tagstead</title>
  <h1>The gallery can't be shown</h1>
  <p>Its page could not be built; the server's log says why. The API works, and is explained at
    <a href="/docs">/docs</a>.</p>
</html>
`

/** The source of the gallery; `follow` exists only during development. */
export type GallerySource = Pick<WatchedGallery, 'gallery'> & Partial<WatchedGallery>

function bakedOrBuilt(): GallerySource {
  return {
    gallery: once(async () => {
      const baked = await bakedGallery(BAKED_GALLERY)
      // The bundler and the source exist only where nothing is baked.
      return baked ?? (await import('./build.ts')).buildGallery()
    }),
  }
}

/** Returns the routes of the gallery's page and of what it loads. */
export function galleryRoutes({ gallery, follow }: GallerySource = bakedOrBuilt()): Hono<AppEnv> {
  const routes = new Hono<AppEnv>().get('/web/assets/:name', async (c) => {
    const asset = (await gallery()).assets.get(c.req.path)
    if (!asset) throw new AppError('not_found', 'There is no such file')
    return sendAsset(c, asset, FOR_EVER)
  })
  for (const path of PAGES) {
    routes.get(path, async (c) => {
      try {
        const { page } = await gallery()
        return sendAsset(c, page, { ...CHECKED, 'Content-Security-Policy': POLICY })
      } catch (error) {
        c.var.log.error('the gallery could not be built', { error })
        return c.html(BROKEN, 503, { 'Content-Security-Policy': PLAIN_POLICY })
      }
    })
  }
  if (follow) routes.get('/web/changes', (c) => c.body(changes(follow), 200, EVENTS))
  return routes
}

const EVENTS = { 'Content-Type': 'text/event-stream' }

function changes(follow: WatchedGallery['follow']): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let end = () => {}
  return new ReadableStream({
    start(controller) {
      end = follow((gallery) => {
        if (!gallery) return controller.close()
        const { script, style } = gallery
        controller.enqueue(encoder.encode(`data: ${JSON.stringify({ script, style })}\n\n`))
      })
    },
    cancel: () => end(),
  })
}
