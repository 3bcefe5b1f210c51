import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ICONS } from '../base/paths.ts'
import { type Asset, createAsset } from '../http/assets/asset.ts'

const PNG = 'image/png'

// The icons that a device may choose from; a maskable one may be cut to any shape.
const CHOICE = [
  { file: 'icon-192', sizes: '192x192', purpose: 'any' },
  { file: 'icon-512', sizes: '512x512', purpose: 'any' },
  { file: 'maskable-512', sizes: '512x512', purpose: 'maskable' },
]

// For devices that install the page as an app.
interface Installation {
  manifest: string
  touchIcon: string
  /** By path. */
  assets: [string, Asset][]
}

/**
 * Returns the gallery's manifest and icons, by which it is added to a home screen. The manifest's fields are those of
 * https://www.w3.org/TR/appmanifest/. Throws when an icon can't be read.
 */
export async function createInstallation(): Promise<Installation> {
  const assets: [string, Asset][] = []
  const add = async (name: string, ending: string, type: string, content: string | Uint8Array) => {
    const asset = await createAsset(type, content)
    // The path changes with the bytes, so that it may be cached for ever.
    const path = `/web/assets/${name}-${asset.hash.replaceAll(/[-_]/g, '').slice(0, 8)}.${ending}`
    assets.push([path, asset])
    return path
  }
  const addIcon = async (file: string) =>
    add(file, 'png', PNG, await readFile(join(ICONS, `${file}.png`)))

  const icons: object[] = []
  for (const { file, ...icon } of CHOICE) {
    icons.push({ src: await addIcon(file), type: PNG, ...icon })
  }
  const manifest = {
    // Identifies the app when the address of the manifest changes.
    id: '/',
    name: 'Tagstead',
    short_name: 'Tagstead',
    description: 'Pictures and videos of a family, organised by tags',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#faf9f6',
    theme_color: '#faf9f6',
    icons,
    // What other apps share goes to the page's worker.
    share_target: {
      action: '/share',
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { files: [{ name: 'files', accept: ['image/*', 'video/*'] }] },
    },
  }
  return {
    touchIcon: await addIcon('touch-180'),
    manifest: await add(
      'manifest',
      'webmanifest',
      'application/manifest+json',
      JSON.stringify(manifest),
    ),
    assets,
  }
}
