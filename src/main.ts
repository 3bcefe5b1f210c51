import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createApp } from './app.ts'
import { ensureFirstAdmin } from './auth/first-admin.ts'
import { type Config, parseConfig, readEnvironment } from './config.ts'
import { runRescan } from './duplicates/rescan-command.ts'
import { scheduleRescans } from './duplicates/schedule.ts'
import { openForServer } from './library.ts'
import { serve } from './server.ts'

const USAGE = `Usage: tagstead [command]

  serve       run the server (the default)
  rescan      find the duplicates anew, beside a running server or without one

  --help      show this
  --version   show the version

Settings are environment variables or lines of a .env file; the README lists them.
`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const say = (text: string) => process.stdout.write(`${text}\n`)

async function runServe(config: Config): Promise<number> {
  const { deps, close } = await openForServer(config)
  const generated = await ensureFirstAdmin(deps)
  if (generated) {
    say(`The first admin is "${generated.name}" with the password ${generated.password}`)
    say('It is shown only now: sign in and change it.')
  }
  // Whoever sees the address may send the signal at once.
  const end = signalled()
  const { host, port, maxUploadSize } = config
  const serving = await serve(createApp(deps), { host, port, maxUploadSize, log: deps.log })
  say(`Tagstead ${version} is at ${serving.address}`)
  const rescans = scheduleRescans(deps)

  await end
  await Promise.all([serving.stop(), rescans.stop()])
  await close()
  return 0
}

/** Resolves when the process is asked to end. */
function signalled(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
    // bin/tagstead.mjs is gone, perhaps by kill -9: nobody would ever stop this process.
    process.once('disconnect', () => resolve())
  })
}

interface Command {
  options: NonNullable<Parameters<typeof parseArgs>[0]>['options']
  operands: number
  run(config: Config, values: Record<string, unknown>, operands: string[]): Promise<number>
}

const COMMANDS: Record<string, Command> = {
  serve: { options: {}, operands: 0, run: runServe },
  rescan: {
    // For the server, which starts this very command.
    options: { json: { type: 'boolean' }, by: { type: 'string' } },
    operands: 0,
    run: (config, values) => runRescan(config, values),
  },
}

async function main(args: string[]): Promise<number> {
  const [name = 'serve', ...rest] = args
  if (name === '--help' || name === '-h') return show(USAGE)
  if (name === '--version') return show(`${version}\n`)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  const parsed = command && parse(command, rest)
  if (!parsed) {
    process.stderr.write(`Unknown: ${args.join(' ')}\n\n${USAGE}`)
    return 2
  }
  // What is written is for this account alone.
  process.umask(0o077)
  try {
    const config = parseConfig(readEnvironment(process.env, process.cwd()))
    return await command.run(config, parsed.values, parsed.positionals)
  } catch (error) {
    process.stderr.write(`Tagstead can't ${name}: ${(error as Error).message}\n`)
    return 1
  }
}

function parse(command: Command, args: string[]) {
  try {
    const parsed = parseArgs({ args, options: command.options ?? {}, allowPositionals: true })
    return parsed.positionals.length <= command.operands ? parsed : null
  } catch {
    return null
  }
}

function show(text: string): number {
  process.stdout.write(text)
  return 0
}

process.exit(await main(process.argv.slice(2)))
