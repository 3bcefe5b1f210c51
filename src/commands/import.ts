import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { z } from 'zod'
import { findAccountByName, findActiveUser } from '../auth/queries.ts'
import { type Config, readConfig } from '../base/config.ts'
import { AppError } from '../base/errors.ts'
import { nfc, sizeText } from '../base/text.ts'
import type { User } from '../base/user.ts'
import { openImportFolder } from '../imports/folder.ts'
import { importFiles, lockImports } from '../imports/import.ts'
import { REASONS } from '../imports/reasons.ts'
import { type ImportEvent, ImportOptions } from '../imports/schema.ts'
import type { Deps } from '../library.ts'
import {
  type Command,
  createProgress,
  interruption,
  requireLibrary,
  wrongValue,
} from './command.ts'
import { withLibrary } from './with-library.ts'

const usage = `Usage: tagstead import [PATH] --user NAME [OPTION]...

Imports the files of IMPORT_PATH, or of a folder below it, and of all folders in it, as the admin NAME.
Imported files are removed from there; the folders stay. This works with and without a running server.

  --create-users       of an exported library: create the users that don't exist, blocked and without a
                       password; otherwise what they made becomes the admin's, or the owner's
  --dry-run            import and remove nothing, and report what would be done: how many files of each
                       type, what would be left and why, and what is already in the library
  --archived           of an export of Google Photos, tag what is archived there with archived
  --favorites          of an export of Google Photos, make favourites there favourites of the owner
  --no-partners        of an export of Google Photos, leave out the pictures of a partner
  --flat               skip the folders in the folder
  --folder-tags        give a file a tag for each folder on the path to it; a tag with that name, in upper
                       or lower case, is used, and otherwise created
  --keyword-tags       give a file what it and a sidecar of XMP beside it say of it: tags for keywords and
                       their trees, people, rating and label, and its caption; sidecars go with their files
  --leave-out A/B      with --keyword-tags, leave out the keyword B below A and all below it; may repeat
  --leave-sources      leave the files where they are; the next import doesn't import them again
  --public-tags        make new tags of folders and keywords public; otherwise they are private
  --owner NAME         whose files, and whose new tags and categories, these become; by default the admin's
  --name-dates         if a file contains no date, use one in its name (IMG-20180703-WA0001) before the
                       time of its last change
  --top-categories     with --keyword-tags, make categories instead of tags of the tops of trees
  --on-duplicate WHAT  what to do with a content that is already in the library: keep makes another file
                       of it (the default), skip skips it, conflict makes it an error
`

// The usual reasons when a folder is imported again; there may be very many such files, so they are only counted.
const COUNTED: string[] = [REASONS.imported, REASONS.here, REASONS.sidecar]

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
  user: string
  owner: string | undefined
  options: ImportOptions
}

function readArguments(args: string[]): Request | null {
  const { values, positionals } = parseArgs({
    args,
    options: {
      user: { type: 'string' },
      archived: { type: 'boolean' },
      'create-users': { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      favorites: { type: 'boolean' },
      flat: { type: 'boolean' },
      'folder-tags': { type: 'boolean' },
      'keyword-tags': { type: 'boolean' },
      'leave-out': { type: 'string', multiple: true },
      'leave-sources': { type: 'boolean' },
      'name-dates': { type: 'boolean' },
      'no-partners': { type: 'boolean' },
      'public-tags': { type: 'boolean' },
      'on-duplicate': { type: 'string' },
      owner: { type: 'string' },
      'top-categories': { type: 'boolean' },
    },
    allowPositionals: true,
  })
  const [path, ...more] = positionals
  const { user, owner } = values
  if (!user || more.length > 0) return null
  const options = ImportOptions.safeParse({
    recursive: !values.flat,
    archived: values.archived,
    create_users: values['create-users'],
    dry_run: values['dry-run'],
    favorites: values.favorites,
    partners: !values['no-partners'],
    folder_tags: values['folder-tags'],
    keyword_tags: values['keyword-tags'],
    leave_out: values['leave-out']?.map((path) => path.split('/')),
    leave_sources: values['leave-sources'],
    name_dates: values['name-dates'],
    public_tags: values['public-tags'],
    on_duplicate: values['on-duplicate'],
    top_categories: values['top-categories'],
  })
  if (options.success) return { path, user, owner, options: options.data }
  // All other options are flags, which parseArgs has read.
  const [{ path: field, message }] = options.error.issues as [z.core.$ZodIssue]
  throw wrongValue(field[0] === 'leave_out' ? '--leave-out' : '--on-duplicate', message)
}

async function runImport(config: Config, request: Request): Promise<number> {
  requireLibrary(config)
  const folder = await openImportFolder(config, request.path && fromHere(request.path))
  try {
    return await withLibrary(
      config,
      { lock: lockImports, temporary: 'tmp-import' },
      async (deps) => {
        const caller = adminByName(deps, request.user)
        const owner = request.owner === undefined ? undefined : userByName(deps, request.owner)
        const { options } = request
        if (!options.dry_run) await deps.storage.withRoom(deps.storage.room.requireRoom)
        const signal = interruption()
        return report(importFiles(deps, { folder, caller, owner, signal, ...options }))
      },
    )
  } finally {
    await folder.close()
  }
}

// A shell completes paths from the current folder, so those come before the import folder's.
function fromHere(path: string): string {
  const here = resolve(path)
  return existsSync(here) ? here : path
}

// The returned functions look up the user's present rights. All throw a readable error when there is no such user.
function userByName({ db }: Deps, name: string): () => User {
  const account = findAccountByName(db, nfc(name).trim())
  if (!account) throw new Error(`There is no user "${name}"`)
  const current = () => {
    const user = findActiveUser(db, account.id)
    if (!user) throw new AppError('forbidden', `The user "${name}" is blocked`)
    return user
  }
  current()
  return current
}

function adminByName(deps: Deps, name: string): () => User {
  const current = userByName(deps, name)
  const caller = () => {
    const user = current()
    if (!user.is_admin) throw new AppError('forbidden', `The user "${name}" is not an admin`)
    return user
  }
  caller()
  return caller
}

// Shows the progress and, at the end, each entry that was not imported or that has a warning, except those that are
// only counted.
async function report(events: AsyncIterable<ImportEvent>): Promise<number> {
  const progress = createProgress(process.stdout)
  const reported: ImportEvent[] = []
  const counted = new Map(COUNTED.map((reason) => [reason, 0]))
  let first: ImportEvent | undefined
  let last: ImportEvent | undefined
  for await (const event of events) {
    first ??= event
    last = event
    if (event.young) process.stdout.write(youngText(event.young))
    const count = event.status === 'skipped' ? counted.get(event.reason!) : undefined
    if (count !== undefined) counted.set(event.reason!, count + 1)
    else if (event.reason) reported.push(event)
    const verb = first.dry_run ? 'Looking' : 'Importing'
    if (event.index) progress.show(verb, event.index, first.total ?? 0)
  }
  progress.end()
  for (const { type, status, filename, reason } of reported) {
    const what = first?.dry_run && status === 'imported' ? 'would be imported' : status
    if (type === 'file') process.stdout.write(`${what} ${JSON.stringify(filename)}: ${reason}\n`)
  }
  const total = first?.total ?? 0
  if (last?.type === 'error') throw new Error(last.reason)
  if (!last) throw new Error('stopped while the folder was read, with nothing imported')
  if (last.type !== 'done') throw new Error(`stopped after ${last.index ?? 0} of ${total} entries`)
  const { imported, errors } = last
  const skipped = skippedText(last, counted)
  const end = first?.dry_run
    ? summaryOf(last, skipped)
    : `${total} entries: ${imported} imported, ${skipped}, ${errors} failed\n`
  process.stdout.write(end)
  return errors === 0 ? 0 : 1
}

function youngText(count: number): string {
  return count === 1
    ? '1 file changed just now: it comes last, after a wait\n'
    : `${count} files changed just now: they come last, after a wait\n`
}

function skippedText({ skipped }: ImportEvent, counted: Map<string, number>): string {
  const parts = [...counted].filter(([, count]) => count > 0)
  const text = parts.map(([reason, count]) => `${count} ${reason}`).join(', ')
  return `${skipped} skipped${text && ` (${text})`}`
}

const ABOVE = {
  rule: '',
  new_rule: ', with a new rule for the tag above',
  by_hand: ', and the tag above by hand',
}

function tagLines(event: ImportEvent): string[] {
  const { tags = [], more_tags = 0, new_tags = 0, unfit = [], tags_after, most_tags } = event
  const listed = tags
    .filter(
      ({ path, name, is_new, above }) => is_new || name !== path.at(-1) || above === 'new_rule',
    )
    .map(({ path, name, files, is_new, above }) => {
      const named = name === path.at(-1) ? '' : `, named ${JSON.stringify(name)}`
      const what = is_new ? 'new tag' : 'tag'
      return `${what} ${JSON.stringify(path.join('/'))}${named}: ${files}${above ? ABOVE[above] : ''}`
    })
  return [
    ...listed,
    ...(more_tags > 0 ? [`and ${more_tags} more tags`] : []),
    ...unfit.map(({ path, files }) => `no tag ${JSON.stringify(path.join('/'))}: ${files}`),
    `new tags: ${new_tags}`,
    ...(typeof most_tags === 'number' && tags_after! > most_tags
      ? [`their owner would have ${tags_after} tags, and may have at most ${most_tags}`]
      : []),
  ]
}

function summaryOf(event: ImportEvent, skipped: string): string {
  const { total, imported, errors, bytes, here, room, types } = event
  const lines = types!.map(({ mime_type, files }) => `${mime_type}: ${files}`)
  return [
    ...(event.tags ? tagLines(event) : []),
    ...lines,
    `already in the library: ${here}`,
    ...(typeof room === 'number' && bytes! > room
      ? [`the library's disk has room for only ${sizeText(room)}`]
      : []),
    `${total} entries: ${imported} would be imported (${sizeText(bytes!)}), ${skipped}, ${errors} would fail`,
    '',
  ].join('\n')
}
