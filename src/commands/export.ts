import { realpathSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../base/config.ts'
import { sizeText } from '../base/text.ts'
import { type ExportResult, exportLibrary } from '../exports/export.ts'
import type { Sharing } from '../exports/write.ts'
import { lockBackups } from '../keep/backup/backup.ts'
import { openFolder } from '../keep/backup/folder.ts'
import { dataFolder } from '../media/data-folder.ts'
import {
  type Command,
  goEasy,
  interruption,
  progressOnTerminal,
  requireLibrary,
} from './command.ts'

const usage = `Usage: tagstead export FOLDER [--user NAME] [--filter F] [--reflink | --copy] [--json]

Writes the library, as it is at one moment, into FOLDER: each picture and video as YYYY/YYYY-MM/NAME by
the date when it was taken, beside it NAME.xmp with its tags, rating, notes, date, position, people and
albums, which other programs read, and last library.json with all that people made. What is in the trash
stays out. FOLDER is created if the folder above it exists. People may go on using the server.
Run again, it writes only what has changed and removes what is gone. Of what it has written, it replaces
what other programs have changed, sidecars as well; it touches nothing else. The exit code is 1 if it has
not finished, or if a file could not be written or removed.

  --user NAME  only what this user sees, with their own favourites, and the rights to what they made
  --filter F   only the files that match, in the filter language (see /docs of the server)
  --reflink    share blocks of the disk with the library, or fail where it can't; without this option and
               the next one, blocks are shared where that can be done
  --copy       do not ask the disk to share blocks
  --json       write the result as one object, and what could not be written to the other output
`

const OPTIONS = {
  copy: { type: 'boolean', default: false },
  filter: { type: 'string' },
  json: { type: 'boolean', default: false },
  reflink: { type: 'boolean', default: false },
  user: { type: 'string' },
} as const

/** `tagstead export`. */
export const exportCommand: Command = {
  usage,
  async run(args) {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
    const [folder, ...more] = positionals
    if (!folder || more.length > 0 || (values.copy && values.reflink)) return null
    goEasy()
    const sharing = values.reflink ? 'reflink' : values.copy ? 'copy' : 'auto'
    return runExport({ ...values, dir: resolve(folder), sharing })
  },
}

interface Request {
  dir: string
  user?: string | undefined
  filter?: string | undefined
  json: boolean
  sharing: Sharing
}

async function runExport({ dir, user, filter, json, sharing }: Request): Promise<number> {
  const config = readConfig()
  requireLibrary(config)
  const signal = interruption()
  const progress = progressOnTerminal({ json })
  const faultsTo = json ? process.stderr : process.stdout
  const lock = lockBackups(config)
  try {
    await openFolder(dir, config.dataDir)
    if (!config.store) requireOutside(dir, dataFolder(config.dataDir).contents)
    const result = await exportLibrary(
      { config, dir, user, filter, sharing, signal },
      {
        onProgress: (done, total) => progress?.show('Exporting', done, total),
        onFault: (path, why) => faultsTo.write(`not written ${JSON.stringify(path)}: ${why}\n`),
      },
    )
    progress?.end()
    process.stdout.write(json ? `${JSON.stringify(result)}\n` : textOf(result, dir))
    return result.faults === 0 ? 0 : 1
  } catch (error) {
    if (!signal.aborted) throw error
    process.stderr.write('Tagstead has not finished: it was stopped\n')
    return 1
  } finally {
    progress?.end()
    lock.release()
  }
}

/** The contents may be on a disk of their own. */
function requireOutside(dir: string, contents: string): void {
  const [inner, outer] = [realpathSync(dir), realpathSync(contents)]
  if (/^\.\.(\/|$)/.test(relative(outer, inner))) return
  throw new Error(`${dir} must not lie among the contents of the library`)
}

function textOf({ files, bytes, written, written_bytes, ...rest }: ExportResult, dir: string) {
  const { sidecars, removed, faults } = rest
  return (
    `${files} files (${sizeText(bytes)}) in ${dir}: ${written} (${sizeText(written_bytes)}) and ` +
    `${sidecars} sidecars were written now, ${removed} removed, ${faults} failed\n`
  )
}
