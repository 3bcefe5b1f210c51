import { writeSync } from 'node:fs'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { createApp } from './app.ts'
import { ensureFirstAdmin } from './auth/first-admin.ts'
import { type Config, parseConfig, readEnvironment } from './config.ts'
import { runRescan } from './duplicates/rescan-command.ts'
import { scheduleRescans } from './duplicates/schedule.ts'
import { runImport } from './imports/import-command.ts'
import { openForServer } from './library.ts'
import { serve } from './server.ts'
import { VERSION } from './version.ts'

const USAGE = `Usage: tagstead [command]

  serve       run the server (the default)
  rescan      find the duplicates anew, beside a running server or without one
  import [PATH] --user NAME
              import the files of the import folder, or of one below it, as an admin

  --help      show this
  --version   show the version

Settings are environment variables or lines of a .env file; the README lists them.
`

const say = (text: string) => process.stdout.write(`${text}\n`)

function showPassword(name: string, password: string): void {
  const text = `The first admin is "${name}" with the password ${password}
It is shown only now: sign in and change it.
`
  // At once, and throwing when nobody can read it.
  writeSync(1, text)
}

async function runServe(config: Config): Promise<number> {
  const { deps, close } = await openForServer(config)
  await ensureFirstAdmin(deps, showPassword)
  // Whoever sees the address may send the signal at once.
  const end = signalled()
  const { host, port, maxUploadSize } = config
  const serving = await serve(createApp(deps), { host, port, maxUploadSize, log: deps.log })
  say(`Tagstead ${VERSION} is at ${serving.address}`)
  const rescans = scheduleRescans(deps)

  await end
  await Promise.all([serving.stop(), rescans.stop()])
  await close()
  return 0
}

/** Resolves when the process is asked to end. */
function signalled(): Promise<void> {
  return new Promise((resolve) => {
    // Not once: npm and a terminal both send a Ctrl-C, and the second must not end what is ending.
    process.on('SIGTERM', () => resolve())
    process.on('SIGINT', () => resolve())
    // bin/tagstead.mjs is gone, perhaps by kill -9: nobody would ever stop this process.
    process.once('disconnect', () => resolve())
  })
}

/** What each command makes of its arguments: an exit code, or null when it can't read them. */
const COMMANDS: Record<string, (args: string[]) => Promise<number> | null> = {
  serve: (args) => (args.length === 0 ? runServe(readConfig()) : null),
  rescan: (args) => {
    // The options are for the server, which starts this very command.
    const values = optionsOf(args, { json: { type: 'boolean' }, by: { type: 'string' } })
    return values && runRescan(readConfig(), values)
  },
  import: runImport,
}

function readConfig(): Config {
  return parseConfig(readEnvironment(process.env, process.cwd()))
}

function optionsOf<Options extends ParseArgsConfig['options']>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options: options as NonNullable<Options> }).values
  } catch {
    return null
  }
}

async function main(args: string[]): Promise<number> {
  const [name = 'serve', ...rest] = args
  if (name === '--help' || name === '-h') return show(USAGE)
  if (name === '--version') return show(`${VERSION}\n`)
  // What is written is for this account alone.
  process.umask(0o077)
  try {
    const code = Object.hasOwn(COMMANDS, name) ? await COMMANDS[name]?.(rest) : null
    if (typeof code === 'number') return code
    process.stderr.write(`Unknown: ${args.join(' ')}\n\n${USAGE}`)
    return 2
  } catch (error) {
    process.stderr.write(`Tagstead can't ${name}: ${(error as Error).message}\n`)
    return 1
  }
}

function show(text: string): number {
  process.stdout.write(text)
  return 0
}

process.exit(await main(process.argv.slice(2)))
