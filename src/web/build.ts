import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { BuildResult } from 'esbuild'
import { VERSION } from '../base/version.ts'
import { type Asset, createAsset } from '../http/assets/asset.ts'
import { BUNDLE, DEV, LINK, LINK_BUNDLE, MAIN, PAGE, WORKER } from './bundle.ts'
import { createInstallation } from './manifest.ts'

/** The gallery as it is sent to browsers: its page, and what that loads, by path. */
export interface Gallery {
  page: Asset
  /** Paths that the page itself names. */
  script: string
  style: string
  assets: Map<string, Asset>
  /** The page of a link, for people without an account. */
  link: Asset
}

/** Where the page's service worker is: it may serve what lies below its own path. */
const WORKER_PATH = '/worker.js'

type Bundle = Pick<BuildResult<typeof BUNDLE>, 'outputFiles' | 'metafile'>

const TYPES = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/**
 * Returns the gallery, built in memory from its source. Throws when the source can't be built, or when there is no
 * bundler.
 */
export async function buildGallery(): Promise<Gallery> {
  const { build, stop } = await import('esbuild')
  try {
    return await assemble(await build(BUNDLE), await build(LINK_BUNDLE))
  } finally {
    // Its process would hold memory for builds that never come.
    await stop()
  }
}

/** Returns the gallery made from the bundler's outputs, of which the second is the page of a link. */
export async function assemble(
  { outputFiles, metafile }: Bundle,
  linkBundle: Pick<Bundle, 'outputFiles'>,
): Promise<Gallery> {
  const installation = await createInstallation()
  const assets = new Map(installation.assets)
  for (const { path, contents } of outputFiles) {
    const type = path.endsWith('.css') ? TYPES.css : TYPES.js
    assets.set(placeOf(path), await createAsset(type, contents))
  }
  const outputs = Object.entries(metafile.outputs)
  const scriptOf = (input: string) => outputs.find(([, { inputs }]) => input in inputs)?.[0]
  const script = placeOf(scriptOf(basename(MAIN))!)
  const style = [...assets.keys()].find((path) => path.endsWith('.css'))!
  const dev = scriptOf(basename(DEV))
  const values: Record<string, string> = {
    version: VERSION,
    manifest: installation.manifest,
    touchIcon: installation.touchIcon,
    style,
    scripts: [script, ...(dev === undefined ? [] : [placeOf(dev)])].map(scriptTag).join('\n    '),
  }
  const made = await fill(PAGE, values)
  const worker = placeOf(scriptOf(basename(WORKER))!)
  const code = Buffer.from(assets.get(worker)!.plain)
  assets.delete(worker)
  // The page names its assets, and those name the others, by their hashes.
  const build = JSON.stringify({ name: made.hash, assets: [...assets.keys()] })
  assets.set(WORKER_PATH, await createAsset(TYPES.js, `const BUILD=${build};${code}`))
  // After the worker's list, because the worker does not serve it.
  const link = await assembleLink(linkBundle, assets)
  return { page: made, script, style, assets, link }
}

/** Returns the page of a link, and adds what it loads to the assets. */
async function assembleLink(
  { outputFiles }: Pick<Bundle, 'outputFiles'>,
  assets: Map<string, Asset>,
): Promise<Asset> {
  const values = { style: '', scripts: '' }
  for (const { path, contents } of outputFiles) {
    const isStyle = path.endsWith('.css')
    const place = placeOf(path)
    assets.set(place, await createAsset(isStyle ? TYPES.css : TYPES.js, contents))
    if (isStyle) values.style = place
    else values.scripts = scriptTag(place)
  }
  return fill(LINK.page, values)
}

async function fill(page: string, values: Record<string, string>): Promise<Asset> {
  const text = await readFile(page, 'utf8')
  const filled = text.replaceAll(/{{(.+?)}}/g, (_, name) => values[name] ?? '')
  return createAsset(TYPES.html, filled)
}

function scriptTag(path: string): string {
  return `<script type="module" src="${path}"></script>`
}

// Paths in the bundler's output differ from those that browsers load.
function placeOf(path: string): string {
  return `/web/assets/${basename(path)}`
}
