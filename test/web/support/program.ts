import { cpSync, mkdtempSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildGallery } from '../../../src/web/build.ts'
import { bakeGallery } from '../../../src/web/routes.ts'
import { RUN_FOLDER } from '../../support/run-folder.ts'

/** What a release has of the project, but for what is below. */
const LINKED = ['node_modules', 'drizzle', 'package.json', 'tsconfig.json']
/** What a release has not: its gallery is baked. */
const NOT_OF_SOURCE = ['src/gallery', 'src/client']

let made: Promise<string> | null = null

/**
 * Returns the path of the program's first file, beside a gallery that was baked once for this process, as in a
 * release: each server would build it anew.
 */
export function programWithGallery(): Promise<string> {
  made ??= lay()
  return made
}

async function lay(): Promise<string> {
  const folder = mkdtempSync(join(RUN_FOLDER, 'program-'))
  const filter = (path: string) => !NOT_OF_SOURCE.includes(path)
  cpSync('src', join(folder, 'src'), { recursive: true, dereference: true, filter })
  for (const name of LINKED) symlinkSync(resolve(name), join(folder, name))
  await bakeGallery(await buildGallery(), join(folder, 'gallery'))
  return join(folder, 'src/main.ts')
}
