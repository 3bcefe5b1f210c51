import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unwatchAnswers, watchAnswers } from './contract/watch.ts'
import { addNewDatabase } from './database.ts'

export type Runtime = 'bun' | 'node'

interface Options {
  env?: Record<string, string>
  /**
   * A folder that outlives the server; by default a temporary one, which `stop` removes, with a database that is
   * migrated and otherwise empty.
   */
  dataDir?: string
  /** By default the runtime that runs the test. */
  runtime?: Runtime
  /** Starts it in another way, in the folder of the project, as the first of a group of processes. */
  command?: [string, ...string[]]
  /** Another folder for `command`. */
  cwd?: string
}

/** A server in a process of its own. */
export interface SpawnedServer {
  url: string
  /** The printed one when ADMIN_PASSWORD was given as ''; 'a password for tests' by default. */
  adminPassword: string
  dataDir: string
  process: ChildProcess
  /** What it has written to standard output so far. */
  output: () => string
  /** Ends it with a signal, SIGTERM by default, and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const BUN = fileURLToPath(new URL('../../node_modules/bun/bin/bun.exe', import.meta.url))
/** The runtime that runs the test. */
export const THIS_RUNTIME: Runtime = 'Bun' in globalThis ? 'bun' : 'node'

/** Returns the program and the arguments that run a file of the project on a runtime. */
export function commandLine(runtime: Runtime = THIS_RUNTIME, file = MAIN): [string, ...string[]] {
  if (runtime === 'bun') return [BUN, '--no-env-file', file]
  const node = THIS_RUNTIME === 'node' ? process.execPath : 'node'
  return /\.m?ts$/.test(file) ? [node, '--import', import.meta.resolve('tsx'), file] : [node, file]
}

/** Runs the command line to its end and returns the exit code and what it printed. */
export async function runToEnd(
  args: string[],
  { env, runtime, command, cwd }: Omit<Options, 'dataDir'> = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = start(command ?? commandLine(runtime), args, env ?? {}, { cwd })
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  const [code] = await once(child, 'close')
  return { code, stdout: stdout(), stderr: stderr() }
}

/** Starts a server and resolves once it prints its address; throws when it ends before that. */
export async function spawnServer(options: Options = {}): Promise<SpawnedServer> {
  const dataDir = options.dataDir ?? (await newDataFolder())
  const password = options.env?.ADMIN_PASSWORD ?? 'a password for tests'
  const env = { DATA_DIR: dataDir, ADMIN_PASSWORD: password, ...options.env }
  const child = options.command
    ? start(options.command, [], env, { cwd: options.cwd ?? process.cwd(), detached: true })
    : start(commandLine(options.runtime), [], env)
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const [output, complaints] = [collect(child.stdout), collect(child.stderr)]
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const address = / is at (http:\S+)\n/.exec(output())?.[1]
      if (address) resolve(address)
    })
    ended.then((code) => reject(new Error(`The server ended with ${code}: ${complaints()}`)))
  })
  await watchAnswers(url)
  ended.then(() => unwatchAnswers(url))
  return {
    url,
    adminPassword: /with the password (\S+)\n/.exec(output())?.[1] ?? password,
    dataDir,
    process: child,
    output,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      const code = await ended
      process.off('exit', kill)
      if (!options.dataDir) await rm(dataDir, { recursive: true })
      return code
    },
  }
}

async function newDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tagstead-'))
  const database = join(folder, 'tagstead.sqlite')
  await addNewDatabase(database)
  await chmod(database, 0o600)
  return folder
}

function start(
  command: [string, ...string[]],
  args: string[],
  env: Record<string, string>,
  { cwd, detached }: { cwd?: string | undefined; detached?: boolean } = {},
) {
  const [program, ...own] = command
  return spawn(program, [...own, ...args], {
    // It gets neither the settings of the person who runs the tests nor their .env file.
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DECODER_WALLS: 'environment',
      IMPORT_SETTLE: '0',
      ...env,
    } as NodeJS.ProcessEnv,
    cwd: cwd ?? tmpdir(),
    detached,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function collect(stream: ChildProcess['stdout']): () => string {
  const chunks: Buffer[] = []
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('utf8')
}
