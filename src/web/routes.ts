import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Context, Hono } from 'hono'
import { AppError } from '../base/errors.ts'
import { BAKED_GALLERY } from '../base/paths.ts'
import {
  type Asset,
  CHECKED,
  createAsset,
  FOR_EVER,
  once,
  sendAsset,
} from '../http/assets/asset.ts'
import type { AnsweringStep } from '../http/before.ts'
import type { AppEnv } from '../http/env.ts'
import { unlessAbsent } from '../media/unless-absent.ts'
import type { Gallery } from './build.ts'
import type { WatchedGallery } from './watch.ts'

/** The paths of the gallery's page, which chooses the screen by itself. */
export const PAGES = [
  '/',
  '/f/:id',
  '/inbox',
  '/trash',
  '/albums',
  '/albums/:id',
  '/duplicates',
  '/tags',
  '/keep/import',
  '/keep/users',
  '/keep/audit',
  '/settings',
  '/about',
]

/** Where the page of albums was before; bookmarks still name these paths. */
export const FORMER_PAGES = ['/pools', '/pools/:id']

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

/** Returns the gallery of a release, or one that is built at the first request. */
export function bakedOrBuilt(): GallerySource {
  return {
    gallery: once(async () => {
      const baked = await bakedGallery(BAKED_GALLERY)
      // The bundler and the source exist only where nothing is baked.
      return baked ?? (await import('./build.ts')).buildGallery()
    }),
  }
}

/** Returns the routes of the gallery's page and of what it loads. */
export function galleryRoutes({ gallery, follow }: GallerySource): Hono<AppEnv> {
  const routes = new Hono<AppEnv>().get('/web/assets/:name', async (c) => {
    const asset = (await gallery()).assets.get(c.req.path)
    if (!asset) throw new AppError('not_found', 'There is no such file')
    return sendAsset(c, asset, FOR_EVER)
  })
  routes.get('/worker.js', async (c) => {
    const worker = (await gallery()).assets.get(c.req.path)!
    return sendAsset(c, worker, { ...CHECKED, 'Content-Security-Policy': WORKER_POLICY })
  })
  // The worker takes what another app shares. Without it, the page says that nothing has arrived.
  routes.post('/share', (c) => c.redirect('/?shared', 303))
  for (const path of PAGES) routes.get(path, (c) => sendPage(c, gallery, 200))
  for (const path of FORMER_PAGES) {
    routes.get(path, (c) => {
      const { pathname, search } = new URL(c.req.url)
      return c.redirect(pathname.replace('/pools', '/albums') + search)
    })
  }
  if (follow) routes.get('/web/changes', (c) => c.body(changes(follow), 200, EVENTS))
  return routes
}

// What lies below is called by programs, whatever they say that they accept.
const OF_PROGRAMS = /^\/(api|web)(\/|$)/

/** Returns the step that answers browsers at an unknown address: with the page, which says so. */
export function unknownPage({ gallery }: GallerySource): AnsweringStep {
  return (c) => {
    const isOfBrowser = c.req.header('accept')?.includes('text/html')
    if (!isOfBrowser || OF_PROGRAMS.test(c.req.path)) return
    if (!['GET', 'HEAD'].includes(c.req.method)) return
    return sendPage(c, gallery, 404)
  }
}

/** Sends the page of a link for people without an account; with 404 it says that nothing is there. */
type SendLinkPage = (c: Context<AppEnv>, status: 200 | 404) => Promise<Response>

/** Returns what sends the page of a link. */
export function linkPage({ gallery }: GallerySource): SendLinkPage {
  return (c, status) => sendPage(c, gallery, status, 'link')
}

async function sendPage(
  c: Context<AppEnv>,
  gallery: GallerySource['gallery'],
  status: 200 | 404,
  which: 'page' | 'link' = 'page',
): Promise<Response> {
  try {
    const page = (await gallery())[which]
    const policy = { page: POLICY, link: LINK_POLICY }[which]
    const response = sendAsset(c, page, { ...CHECKED, 'Content-Security-Policy': policy }, status)
    if (status === 404) response.headers.append('Vary', 'Accept')
    return response
  } catch (error) {
    c.var.log.error('the gallery could not be built', { error })
    return c.html(BROKEN, 503, { 'Content-Security-Policy': PLAIN_POLICY })
  }
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

/**
 * The gallery's page may run its own scripts, and connect to this server alone. It may also make pictures, such as
 * placeholders and covers of films.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "worker-src 'self'",
  "require-trusted-types-for 'script'",
  // For the address of the worker.
  'trusted-types tagstead-worker',
].join('; ')

/** The page of a link may load what the link shows, and nothing else. */
const LINK_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** The page's worker may fetch from this server alone. */
const WORKER_POLICY = [
  "default-src 'none'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** For the page that is sent when the gallery can't be built: it may only show itself. */
const PLAIN_POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"

// A gallery that was built beforehand, as files: a release has no bundler.

const LIST = 'gallery.json'
const BAKED = { page: 'page.html', link: 'link.html' }

interface Listed {
  page: string
  script: string
  style: string
  /** Types by path, whose last part is the file's name. */
  assets: Record<string, string>
}

/** Writes a gallery into a folder, which is created. */
export async function bakeGallery(gallery: Gallery, folder: string): Promise<void> {
  const { page, link, script, style } = gallery
  await mkdir(folder, { recursive: true })
  const assets: Listed['assets'] = {}
  for (const [path, { type, plain }] of gallery.assets) {
    assets[path] = type
    await writeFile(join(folder, basename(path)), plain)
  }
  await writeFile(join(folder, BAKED.page), page.plain)
  await writeFile(join(folder, BAKED.link), link.plain)
  const listed: Listed = { page: page.type, script, style, assets }
  await writeFile(join(folder, LIST), JSON.stringify(listed))
}

/** Returns the gallery of a folder, or null when there is none. Throws when a part of it can't be read. */
export async function bakedGallery(folder: string): Promise<Gallery | null> {
  const list = await unlessAbsent(readFile(join(folder, LIST), 'utf8'))
  if (list === null) return null
  const { page, script, style, assets: types }: Listed = JSON.parse(list)
  const assets = new Map<string, Asset>()
  for (const [path, type] of Object.entries(types)) {
    assets.set(path, await createAsset(type, await readFile(join(folder, basename(path)))))
  }
  const baked = async (name: string) => createAsset(page, await readFile(join(folder, name)))
  return { page: await baked(BAKED.page), link: await baked(BAKED.link), script, style, assets }
}
