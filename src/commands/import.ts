import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findAccountByName, findActiveUser } from '../auth/queries.ts'
import { type Config, readConfig } from '../config.ts'
import { AppError } from '../errors.ts'
import { openImportFolder } from '../imports/folder.ts'
import { importFiles, lockImports } from '../imports/import.ts'
import { type ImportEvent, ImportOptions } from '../imports/schema.ts'
import type { Deps } from '../library.ts'
import { nfc } from '../text.ts'
import type { User } from '../user.ts'
import type { Command } from './command.ts'
import { interruption } from './interruption.ts'
import { createProgress } from './progress.ts'
import { requireLibrary, withLibrary } from './with-library.ts'

const usage = `Usage: tagstead import [PATH] --user NAME [--flat] [--leave-sources] [--on-duplicate WHAT]

Imports the files of IMPORT_PATH, or of a folder below it, and of all folders in there as the admin NAME,
and removes them from there; the folders stay. This works with and without a running server.

  --flat               leave out the folders in the folder
  --leave-sources      leave the files where they are; the next import doesn't take them again
  --on-duplicate WHAT  keep makes another file of a content that is in the library already, and is what
                       is done by default; skip skips it, conflict makes it an error
`

/** `tagstead import`. Its exit code is 1 when a file failed. */
export const importCommand: Command = {
  usage,
  async run(args) {
    const request = readArguments(args)
    return request && runImport(readConfig(), request)
  },
}

interface Request {
  path: string | undefined
  /** Name of the admin. */
  user: string
  options: ImportOptions
}

function readArguments(args: string[]): Request | null {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: {
        user: { type: 'string' },
        flat: { type: 'boolean' },
        'leave-sources': { type: 'boolean' },
        'on-duplicate': { type: 'string' },
      },
      allowPositionals: true,
    })
    const [path, ...more] = positionals
    if (!values.user || more.length > 0) return null
    const options = ImportOptions.parse({
      recursive: !values.flat,
      leave_sources: values['leave-sources'],
      on_duplicate: values['on-duplicate'],
    })
    return { path, user: values.user, options }
  } catch {
    return null
  }
}

async function runImport(config: Config, request: Request): Promise<number> {
  requireLibrary(config)
  const folder = await openImportFolder(config, request.path && fromHere(request.path))
  try {
    return await withLibrary(config, { lock: lockImports, temporary: 'tmp-import' }, (deps) => {
      const caller = adminByName(deps, request.user)
      deps.disk.requireRoom()
      const { options } = request
      return tellPeople(importFiles(deps, { folder, caller, signal: interruption(), ...options }))
    })
  } finally {
    await folder.close()
  }
}

/** A shell completes paths from the current folder, so those come before the import folder's. */
function fromHere(path: string): string {
  const here = resolve(path)
  return existsSync(here) ? here : path
}

/**
 * Returns a function that returns the admin with their current rights. Both throw a readable error
 * when there is no such admin.
 */
function adminByName({ db }: Deps, name: string): () => User {
  const account = findAccountByName(db, nfc(name).trim())
  if (!account) throw new Error(`There is no user "${name}"`)
  const caller = () => {
    const user = findActiveUser(db, account.id)
    if (!user) throw new AppError('forbidden', `The user "${name}" is blocked`)
    if (!user.is_admin) throw new AppError('forbidden', `The user "${name}" is no admin`)
    return user
  }
  caller()
  return caller
}

/** Shows the progress and, at the end, each entry that was not imported or that has a warning. */
async function tellPeople(events: AsyncIterable<ImportEvent>): Promise<number> {
  const progress = createProgress(process.stdout)
  const told: ImportEvent[] = []
  let last: ImportEvent | undefined
  let total = 0
  for await (const event of events) {
    last = event
    if (event.type === 'start') total = event.total ?? 0
    if (event.reason) told.push(event)
    if (event.index) progress.show('Importing', event.index, total)
  }
  progress.end()
  for (const { type, status, filename, reason } of told) {
    if (type === 'file') process.stdout.write(`${status} ${JSON.stringify(filename)}: ${reason}\n`)
  }
  if (last?.type === 'error') throw new Error(last.reason)
  if (last?.type !== 'done')
    throw new Error(`stopped after ${last?.index ?? 0} of ${total} entries`)
  const { imported, skipped, errors } = last
  process.stdout.write(
    `${total} entries: ${imported} imported, ${skipped} skipped, ${errors} failed\n`,
  )
  return errors === 0 ? 0 : 1
}
