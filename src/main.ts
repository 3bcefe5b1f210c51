import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type Config, parseConfig, readEnvironment } from './config.ts'
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

/**
 * What each command makes of its arguments: an exit code, or null when it can't read them. Each is
 * loaded when it is asked for: a rescan needs neither the routes nor their schemas.
 */
const COMMANDS: Record<string, (args: string[]) => Promise<number | null>> = {
  async serve(args) {
    const { runServe } = await import('./commands/serve.ts')
    return args.length === 0 ? runServe(readConfig()) : null
  },
  async rescan(args) {
    const { runRescan } = await import('./commands/rescan.ts')
    // The options are for the server, which starts this very command.
    const values = optionsOf(args, { json: { type: 'boolean' }, by: { type: 'string' } })
    return values && runRescan(readConfig(), values)
  },
  async import(args) {
    const { runImport } = await import('./commands/import.ts')
    return runImport(args)
  },
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
