import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import type { z } from 'zod'
import { audit, SYSTEM } from '../audit/record.ts'
import { createPasswords } from '../auth/password.ts'
import { findAccountByName } from '../auth/queries.ts'
import { childEnvironment } from '../base/child-process.ts'
import { type Config, readConfig } from '../base/config.ts'
import { createLog } from '../base/log.ts'
import { nfc } from '../base/text.ts'
import type { Db } from '../db/client.ts'
import { write } from '../db/write.ts'
import { validationError } from '../http/validate.ts'
import { openCommandDatabase } from '../library-database.ts'
import { getUser, insertUser, listUsers } from '../users/queries.ts'
import { type User, type UserUpdate, userCreate } from '../users/schema.ts'
import { resetPassword, updateRights } from '../users/update.ts'
import type { Command } from './command.ts'

const usage = `Usage: tagstead user list [--json]
       tagstead user add NAME [--admin] [--can-create]
       tagstead user password NAME [--end-keys]
       tagstead user admin NAME [--off]
       tagstead user block NAME [--off]

Lists, adds and changes users, for people who can't sign in any more. A password is asked for without
being shown, or is the first line of the standard input. This works with and without a running server.
Users who get another password or are blocked are signed out.

  --admin       the new user may do everything
  --can-create  the new user may upload files and create tags, categories and pools
  --end-keys    also ends the keys of the user's apps
  --off         removes the right or the block again
  --json        write the users as one array, as GET /api/v1/users does
`

const OPTIONS = {
  json: { type: 'boolean' },
  admin: { type: 'boolean' },
  'can-create': { type: 'boolean' },
  'end-keys': { type: 'boolean' },
  off: { type: 'boolean' },
} as const

const ACTIONS = {
  list: { options: ['json'], run: listAll },
  add: { options: ['admin', 'can-create'], run: add },
  password: { options: ['end-keys'], run: changePassword },
  admin: { options: ['off'], run: (user) => changeRights(user, { is_admin: !user.options.off }) },
  block: { options: ['off'], run: (user) => changeRights(user, { is_blocked: !user.options.off }) },
} as const satisfies Record<string, { options: (keyof typeof OPTIONS)[]; run: Run }>

type Run = (request: Request) => void | Promise<void>

interface Request {
  db: Db
  config: Config
  /** Name of the user; empty for `list`. */
  name: string
  options: ReturnType<typeof parse>['values']
}

/** `tagstead user`. */
export const userCommand: Command = {
  usage,
  async run(args) {
    const read = readArguments(args)
    if (!read) return null
    const config = readConfig()
    const db = openCommandDatabase(
      config,
      createLog(config.logLevel, process.stderr, config.logFormat),
    )
    try {
      await ACTIONS[read.action].run({ db, config, ...read })
      return 0
    } finally {
      db.close()
    }
  },
}

const parse = (args: string[]) => parseArgs({ args, options: OPTIONS, allowPositionals: true })

function readArguments(
  args: string[],
): (Omit<Request, 'db' | 'config'> & { action: keyof typeof ACTIONS }) | null {
  const { values: options, positionals } = parse(args)
  const [action = '', name = '', ...more] = positionals
  if (!isAction(action) || more.length > 0 || (name === '') !== (action === 'list')) return null
  const known: readonly string[] = ACTIONS[action].options
  return Object.keys(options).every((option) => known.includes(option))
    ? { action, name, options }
    : null
}

function isAction(name: string): name is keyof typeof ACTIONS {
  return Object.hasOwn(ACTIONS, name)
}

function listAll({ db, options }: Request): void {
  const users = listUsers(db, { offset: 0, limit: Number.MAX_SAFE_INTEGER }).items
  if (options.json) {
    process.stdout.write(`${JSON.stringify(users)}\n`)
    return
  }
  for (const user of users) {
    const labels = [user.is_admin && 'admin', user.can_create && 'can create']
    const words = [...labels, user.is_blocked && 'blocked'].filter(Boolean).join(', ')
    process.stdout.write(`${user.name}${words && ` (${words})`}\n`)
  }
}

async function add({ db, config, name, options }: Request): Promise<void> {
  const { password, ...fields } = checked(userCreate(config.passwordMinLength), {
    name,
    is_admin: options.admin ?? false,
    can_create: options['can-create'] ?? false,
    password: await askFor(name),
  })
  const password_hash = await createPasswords().hash(password)
  write(db, { now: Date.now() }, (tx) => {
    const { id: user_id, ...user } = insertUser(tx, { ...fields, password_hash })
    const { is_admin, can_create } = user
    audit(tx, SYSTEM, 'user_create', null, { user_id, name: user.name, is_admin, can_create })
  })
  process.stdout.write(`The user "${fields.name}" was added\n`)
}

async function changePassword({ db, config, name, options }: Request): Promise<void> {
  const user = userByName(db, name)
  // The user's name isn't validated: it may be older than today's rules for names.
  const schema = userCreate(config.passwordMinLength).pick({ password: true })
  const { password } = checked(schema, { password: await askFor(user.name) })
  const password_hash = await createPasswords().hash(password)
  const set = { password_hash, end_keys: options['end-keys'] }
  write(db, { now: Date.now() }, (tx) => resetPassword(tx, BY_HAND, user.id, set))
  process.stdout.write(`"${user.name}" has the new password and is signed out everywhere\n`)
}

function changeRights({ db, name }: Request, update: UserUpdate): void {
  const { id } = userByName(db, name)
  const user = write(db, { now: Date.now() }, (tx) => updateRights(tx, BY_HAND, id, update))
  const rights = `${user.is_admin ? 'an' : 'not an'} admin, and ${user.is_blocked ? '' : 'not '}blocked`
  process.stdout.write(`"${user.name}" is ${rights}\n`)
}

// The audit log's actor for somebody at the server's own machine.
const BY_HAND = { ...SYSTEM, is_admin: true, can_create: true }

// Throws a readable error when there is no such user.
function userByName(db: Db, name: string): User {
  const account = findAccountByName(db, nfc(name).trim())
  if (!account) throw new Error(`There is no user "${name}"`)
  return getUser(db, account.id)
}

function askFor(name: string): Promise<string> {
  return askForPassword(`Password of "${name}": `)
}

// Throws validation_error, like the API.
function checked<Schema extends z.ZodType>(schema: Schema, fields: z.input<Schema>) {
  const result = schema.safeParse(fields)
  if (!result.success) throw validationError(result.error, fields)
  return result.data
}

/**
 * Asks for a new password on a terminal, twice and without showing it, and returns it; without a terminal, the password
 * is the first line of the standard input. Throws a readable error when the two differ, when there is none, and when
 * the terminal would show it.
 */
async function askForPassword(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, terminal: false })[Symbol.asyncIterator]()
  const next = async (): Promise<string> => {
    const { done, value } = await lines.next()
    if (done) throw new Error('no password was given')
    return value
  }
  if (!process.stdin.isTTY) return next()
  const ask = async (text: string) => {
    process.stderr.write(text)
    const answer = await next()
    process.stderr.write('\n')
    return answer
  }
  return unseen(async () => {
    const password = await ask(question)
    if ((await ask('Again: ')) !== password) throw new Error('the two passwords differ')
    return password
  })
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

// Also restores the echo when a signal ends the program. Throws a readable error when the echo can't be turned off.
async function unseen<Result>(work: () => Promise<Result>): Promise<Result> {
  const end = (_: NodeJS.Signals, number: number) => {
    setEcho(true)
    process.exit(128 + number)
  }
  // Not `once`: a second signal must not kill the process while it restores the terminal.
  for (const signal of ENDING) process.on(signal, end)
  try {
    if (!setEcho(false)) {
      throw new Error(
        'the terminal would show the password, because stty fails: give it by the standard input',
      )
    }
    return await work()
  } finally {
    setEcho(true)
    for (const signal of ENDING) process.off(signal, end)
  }
}

function setEcho(isOn: boolean): boolean {
  // Neither another Ctrl-C nor running in the background may stop this command.
  const command = `trap '' INT TERM HUP TTOU; exec stty ${isOn ? 'echo' : '-echo'}`
  const stdio = ['inherit', 'ignore', 'ignore'] satisfies SpawnSyncOptions['stdio']
  const options = { env: childEnvironment(), stdio }
  return spawnSync('/bin/sh', ['-c', command], options).status === 0
}
