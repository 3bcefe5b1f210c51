import { AppError } from './base/errors.ts'
import { VERSION } from './base/version.ts'
import { type Command, isOfArguments } from './commands/command.ts'

const USAGE = `Usage: tagstead [command]

  serve       run the server (the default)
  rescan      search for duplicates again, with or without a running server
  import [PATH] --user NAME
              import the files of the import folder, or of one below it, as an admin
  export DIR  write all pictures with their tags into a folder, for other programs
  user list | add | password | admin | block
              list, add and change users, for people who can't sign in any more
  backup DIR  copy the library into a new generation in a folder, or verify the existing ones
  restore DIR put a library back into an empty data folder
  check [--quick | --part N/M] [--repair]
              check whether everything is as it was stored, and repair what can be repaired
  move-contents --to s3://BUCKET/PREFIX | --to local
              move the contents into a store or back, beside the running server
  config      show each setting, and where its value comes from

  help [command], --help
              show this text, or how to use a command
  --version   show the version

Settings are environment variables or lines in a .env file; docs/settings.md lists them.
`

// Each is loaded only when it is called: a rescan needs neither the routes nor their schemas.
const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  rescan: async () => (await import('./commands/rescan.ts')).rescanCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  check: async () => (await import('./commands/check.ts')).checkCommand,
  user: async () => (await import('./commands/user.ts')).userCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  'move-contents': async () => (await import('./commands/move-contents.ts')).moveContentsCommand,
  config: async () => (await import('./commands/config.ts')).configCommand,
  restore: async () => (await import('./commands/restore.ts')).restoreCommand,
}

async function main(args: string[]): Promise<number> {
  const [name = 'serve', ...rest] = args
  if (name === '--version') return show(`${VERSION}\n`)
  if (['help', '--help', '-h'].includes(name)) return help(rest)
  const load = commandOf(name)
  if (!load) return complain(`Unknown: ${args.join(' ')}\n\n${USAGE}`)
  if (rest.includes('--help') || rest.includes('-h')) return help([name])
  // Whatever is written is accessible to this account only.
  process.umask(0o077)
  try {
    const command = await load()
    return (await command.run(rest)) ?? complain(command.usage)
  } catch (error) {
    if (isOfArguments(error)) return complain(`${error.message}\n\n${(await load()).usage}`)
    process.stderr.write(`Tagstead can't ${name}: ${messageOf(error)}\n`)
    return 1
  }
}

function commandOf(name: string): (() => Promise<Command>) | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
}

async function help([name, ...rest]: string[]): Promise<number> {
  if (name === undefined) return show(USAGE)
  const load = commandOf(name)
  if (!load || rest.length > 0) return complain(`Unknown: ${[name, ...rest].join(' ')}\n\n${USAGE}`)
  return show((await load()).usage)
}

function show(text: string): number {
  process.stdout.write(text)
  return 0
}

function complain(text: string): number {
  process.stderr.write(text)
  return 2
}

// The details of a validation error say what its message doesn't.
function messageOf(error: unknown): string {
  const details = error instanceof AppError ? error.details : undefined
  const sentences = details?.map((detail) => `the ${detail.field} ${detail.message}`)
  return sentences?.join(', ') ?? (error as Error).message
}

process.exit(await main(process.argv.slice(2)))
