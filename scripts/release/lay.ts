import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeTowns } from '../../src/files/places/make-towns.ts'
import { buildGallery } from '../../src/web/build.ts'
import { bakeGallery } from '../../src/web/routes.ts'
import { gatherLicences } from './licences.ts'
import { KEPT, NEVER_KEPT } from './packages.ts'

/** The project's folder. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const MODULES = join(ROOT, 'node_modules')
const RUNTIME = join(MODULES, 'bun/bin/bun.exe')

/** What is only for who changes the product: the gallery is baked, the client is for other programs. */
const NOT_OF_SOURCE = ['src/gallery', 'src/client']
/** What the tool that writes migrations compares with. */
const SNAPSHOT = /_snapshot\.json$/
/** The launcher, and what makes it a service. */
const SHELL = ['tagstead', 'install.sh', 'tagstead.service']
/** What is to be started. */
const PROGRAMS = ['bin/bun', 'tagstead', 'install.sh']
/** What is read: these, with all that they link to. */
export const TEXTS = [
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'LICENSE',
  '.env.example',
  'docs',
  'src/gallery/README.md',
]

/** Lays all files of a release into a folder, which is made. Throws on another system than Linux on x86-64. */
export async function layRelease(folder: string): Promise<void> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('A release for Linux on x86-64 is made there')
  }
  mkdirSync(folder, { recursive: true })
  for (const name of TEXTS) copy(name, folder, () => true)
  copy('src', folder, (path) => !NOT_OF_SOURCE.includes(path))
  copy('drizzle', folder, (path) => !SNAPSHOT.test(path))
  for (const name of Object.keys(KEPT)) layPackage(name, folder)
  await bakeGallery(await buildGallery(), join(folder, 'gallery'))
  writeFileSync(join(folder, 'towns'), makeTowns())
  writeFileSync(join(folder, 'LICENSES'), gatherLicences(MODULES))
  const { name, version, license, type } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  )
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ name, version, license, type })}\n`,
  )
  mkdirSync(join(folder, 'bin'))
  cpSync(RUNTIME, join(folder, 'bin/bun'), { dereference: true })
  for (const name of SHELL) cpSync(join(ROOT, 'scripts/release', name), join(folder, name))
  setModes(folder, new Set(PROGRAMS.map((name) => join(folder, name))))
}

function layPackage(name: string, folder: string): void {
  const path = join('node_modules', name)
  const leftOut = new Set(KEPT[name]!.map((part) => join(path, part)))
  for (const part of leftOut) {
    // What is no longer there tells that the package has changed, and the list with it.
    statSync(join(ROOT, part))
  }
  copy(
    path,
    folder,
    (at) => !leftOut.has(at) && !NEVER_KEPT.test(at) && at !== join(path, 'node_modules'),
  )
}

/** Copies what `isKept`, which gets paths from the project's folder. */
function copy(name: string, folder: string, isKept: (path: string) => boolean): void {
  const to = join(folder, name)
  mkdirSync(dirname(to), { recursive: true })
  cpSync(join(ROOT, name), to, {
    recursive: true,
    dereference: true,
    filter: (path) => isKept(path.slice(ROOT.length)),
  })
}

/** Gives each file the mode that it has everywhere, whatever the umask and the checkout were. */
function setModes(folder: string, programs: Set<string>): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    chmodSync(path, entry.isDirectory() || programs.has(path) ? 0o755 : 0o644)
  }
}
