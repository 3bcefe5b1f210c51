import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Asset, createAsset } from '../http/assets/asset.ts'
import { unlessAbsent } from '../media/unless-absent.ts'
import type { Gallery } from './build.ts'

// A gallery that was built beforehand, as files: a release has no bundler.

const LIST = 'gallery.json'
const PAGE = 'page.html'

interface Listed {
  page: string
  script: string
  style: string
  /** Types by path, whose last part is the file's name. */
  assets: Record<string, string>
}

/** Writes a gallery into a folder, which is created. */
export async function bakeGallery(gallery: Gallery, folder: string): Promise<void> {
  const { page, script, style } = gallery
  await mkdir(folder, { recursive: true })
  const assets: Listed['assets'] = {}
  for (const [path, { type, plain }] of gallery.assets) {
    assets[path] = type
    await writeFile(join(folder, basename(path)), plain)
  }
  await writeFile(join(folder, PAGE), page.plain)
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
  const bytes = await readFile(join(folder, PAGE))
  return { page: await createAsset(page, bytes), script, style, assets }
}
