import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../base/config.ts'
import { sizeText } from '../base/text.ts'
import { lockFolder } from '../keep/backup/folder.ts'
import { chooseGeneration } from '../keep/backup/generations.ts'
import type { Restored } from '../keep/backup/objects.ts'
import {
  copiedSource,
  generationSource,
  type RestoreSource,
  restore,
} from '../keep/backup/restore.ts'
import type { Command } from './command.ts'
import { interruption, progressOnTerminal } from './command.ts'

const usage = `Usage: tagstead restore DIR [--at GENERATION] [--with-secret] [--allow-missing] [--json]
       tagstead restore --database FILE [--contents DIR] [--allow-missing] [--json]

Puts a library back into the data folder of the settings, DATA_DIR, which must be empty: the newest
generation of the backups in DIR, or a database and a copy of the folder "files" that other programs have
made. Everything is verified. What is missing or damaged in the backup is listed, and the exit code is 1
then; the rest is restored. All users have to sign in again. A restore that was interrupted continues when
it is run again; until then no server starts there. Contents go where CONTENTS says; a store keeps what it
has of them. A database without contents is restored only when the store has all that it names.

  --allow-missing  restore a database without contents although the store lacks some, and list them
  --at GENERATION  restore this generation
  --with-secret    also restore secret.key, if the backup has it: users who were signed in stay signed in
  --json           write the result as one object
`

const OPTIONS = {
  'allow-missing': { type: 'boolean' },
  at: { type: 'string' },
  contents: { type: 'string' },
  database: { type: 'string' },
  json: { type: 'boolean' },
  'with-secret': { type: 'boolean' },
} as const

/** `tagstead restore`. */
export const restoreCommand: Command = {
  usage,
  async run(args) {
    const request = readArguments(args)
    return request && runRestore(request)
  },
}

interface Request {
  /** The absolute path of a folder of backups; null when the source is a database and contents. */
  dir: string | null
  options: ReturnType<typeof parse>['values']
}

const parse = (args: string[]) => parseArgs({ args, options: OPTIONS, allowPositionals: true })

function readArguments(args: string[]): Request | null {
  const { values: options, positionals } = parse(args)
  const [dir, ...more] = positionals
  const { database, contents, at } = options
  const isOfParts = database !== undefined
  const isOfBackup = database === undefined && contents === undefined
  if (more.length > 0 || (!isOfParts && !isOfBackup) || isOfParts === (dir !== undefined))
    return null
  if (isOfParts && (at !== undefined || options['with-secret'])) return null
  return { dir: dir === undefined ? null : resolve(dir), options }
}

async function runRestore({ dir, options }: Request): Promise<number> {
  const { at, database = '', contents } = options
  if (dir === null) {
    const source = copiedSource(
      resolve(database),
      contents === undefined ? null : resolve(contents),
    )
    return bring(source, { generation: null, options })
  }
  // Throws for a folder without backups, where a lock would be left behind.
  await chooseGeneration(dir, at)
  const lock = lockFolder(dir)
  try {
    const source = await generationSource(dir, { at, withSecret: options['with-secret'] ?? false })
    return await bring(source, { generation: source.generation, options })
  } finally {
    lock?.release()
  }
}

async function bring(
  source: RestoreSource,
  { generation, options }: { generation: string | null; options: Request['options'] },
): Promise<number> {
  const config = readConfig()
  const signal = interruption()
  const progress = progressOnTerminal(options)
  try {
    const restored = await restore(config, source, {
      signal,
      isLacking: options['allow-missing'] ?? false,
      onProgress: (done, total) => progress?.show('Contents', done, total),
    })
    progress?.end()
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ generation, ...restored })}\n`
        : textOf(restored, `${generation ?? options.database} is in ${config.dataDir}`),
    )
    const { missing, damaged, faults } = restored
    return missing.length + damaged.length + faults.length === 0 ? 0 : 1
  } catch (error) {
    if (!signal.aborted) throw error
    process.stderr.write('Tagstead has not finished: it was stopped. Run it again to go on\n')
    return 1
  } finally {
    progress?.end()
  }
}

function textOf({ contents, bytes, missing, damaged, faults }: Restored, what: string): string {
  const lines = [
    ...missing.map((blob) => `missing: ${blob}`),
    ...damaged.map((blob) => `damaged: ${blob}`),
    ...faults.map((fault) => `wrong in the library, see "tagstead check": ${fault}`),
    `${what}: ${contents - missing.length - damaged.length} of ${contents} contents (${sizeText(bytes)})`,
  ]
  return `${lines.join('\n')}\n`
}
