import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { command } from './backups.ts'
import { assertError } from './files.ts'
import { openLibrary } from './harness.ts'

export type Folders = Awaited<ReturnType<typeof openFolders>>

/** Opens a library with an empty folder to import, and one beside it that is nobody's business. */
export async function openFolders() {
  const library = await openLibrary()
  const base = join(library.folder, 'import')
  const outside = mkdtempSync(join(tmpdir(), 'tagstead-outside-'))
  const { token: admin } = await library.join('ada', { is_admin: true })
  return {
    library,
    base,
    outside,
    admin,
    /** Leaves both folders empty. */
    clear: () => {
      for (const folder of [base, outside]) {
        rmSync(folder, { recursive: true, force: true })
        mkdirSync(folder)
      }
    },
    close: async () => {
      rmSync(outside, { recursive: true })
      await library.close()
    },
    /** Makes a folder with that many files, and returns its path. */
    fill: (path: string, files: number, folder = base) => {
      const made = join(folder, path)
      mkdirSync(made, { recursive: true })
      if (files > 0) writeFileSync(join(made, '0.jpg'), '')
      // Links to one file are made faster than files.
      for (let i = 1; i < files; i++) linkSync(join(made, '0.jpg'), join(made, `${i}.jpg`))
      return made
    },
    /** Backs the library up into a folder that is still to be made, as are those that hold it. */
    backUp: async (path: string) => {
      // A backup refuses to lie in the data folder.
      const made = join(outside, 'made')
      const { code, stderr } = await command(library.folder, ['backup', made])
      assert.equal(code, 0, stderr)
      mkdirSync(dirname(path), { recursive: true })
      renameSync(made, path)
    },
    /** Returns why a path may not be imported. */
    refusalOf: async (path: string): Promise<string> => {
      const body = { path, recursive: true }
      const answer = await library.call('POST', '/files/import', { token: admin, body })
      assertError(answer, 400, 'validation_error', ['path'])
      return answer.body.message
    },
    /** Asks for the folders of one level. */
    ask: (path?: string, token = admin) => {
      const query = path === undefined ? '' : `?path=${encodeURIComponent(path)}`
      return library.call('GET', `/files/import/folders${query}`, { token })
    },
    /** What this process has open in either folder. */
    stillOpen: () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          const target = readlinkSync(`/proc/self/fd/${fd}`)
          return [base, outside].some((path) => target === path || target.startsWith(`${path}/`))
        } catch {
          return false
        }
      }),
  }
}

/** Folders as they are told, with the number of their files. */
export const counts = (...pairs: [name: string, files: number | null][]) =>
  pairs.map(([name, files]) => ({ name, files }))

/** For a test's `skip`: false when a folder may be mounted at a second place. */
export function withoutMounts(): string | false {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' })
    return false
  } catch {
    return 'needs the right to mount'
  }
}

/** For a test's `skip`: who owns nothing may not read everything, as root may. */
export const asAnother = process.getuid?.() === 0 && process.seteuid ? false : 'needs root'

/** Works as the user who owns nothing. */
export async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  process.seteuid?.(65534)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}
