import { parseArgs } from 'node:util'
import { type Config, defaultOf, readConfig, readSettings, SETTINGS } from '../base/config.ts'
import { sizeText } from '../base/text.ts'
import type { Command } from './command.ts'

const usage = `Usage: tagstead config

Shows each setting with its value and where that comes from: the environment, the .env file of the
working folder, or the default. Secrets are hidden. If a setting is wrong, this says so and the exit code
is 1.
`

const SECRETS = new Set([
  'ADMIN_PASSWORD',
  'JWT_SECRET',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
])
const NONE = '-'

// The effective values of settings whose default depends on other things.
const EFFECTIVE: Record<string, (config: Config) => string | null> = {
  DATA_DIR: ({ dataDir }) => dataDir,
  S3_ENDPOINT: ({ store }) => store?.endpoint ?? null,
  S3_PATH_STYLE: ({ store }) => store && (store.isPathStyle ? 'on' : 'off'),
  IMPORT_PATH: ({ importPath }) => importPath,
  BACKUP_DIR: ({ backupDir }) => backupDir,
  TIME_ZONE: ({ timeZone }) => timeZone,
  DISK_RESERVE: ({ diskReserve }) =>
    diskReserve === null ? '512MiB, or 2 % of the disk when that is less' : null,
  CACHE_SIZE: ({ cacheSize }) => `${sizeText(cacheSize)}, and half as much in each of two readers`,
  SETS_SIZE: () => 'of no effect any more',
  DECODER_TIME: ({ decoderTime }) => (decoderTime === null ? 'by size, pixels and machine' : null),
}

/** `tagstead config`. */
export const configCommand: Command = {
  usage,
  async run(args) {
    parseArgs({ args })
    return showSettings()
  },
}

async function showSettings(): Promise<number> {
  const { values, ofFile } = readSettings()
  const { config, problem } = parsed()
  const lines = SETTINGS.map((name) => {
    const given = values[name]
    const effective = config && EFFECTIVE[name]?.(config)
    const value = SECRETS.has(name) && given ? '(hidden)' : (effective ?? given ?? defaultOf(name))
    const source = ofFile.has(name) ? '.env' : given === undefined ? 'default' : 'environment'
    return [name, source, value || NONE] as const
  })
  const width = Math.max(...lines.map(([name]) => name.length))
  for (const [name, source, value] of lines)
    process.stdout.write(`${name.padEnd(width)}  ${source.padEnd(11)}  ${value}\n`)
  if (problem) process.stderr.write(`${problem}\n`)
  return problem ? 1 : 0
}

function parsed(): { config: Config | null; problem: string | null } {
  try {
    return { config: readConfig(), problem: null }
  } catch (error) {
    return { config: null, problem: (error as Error).message }
  }
}
