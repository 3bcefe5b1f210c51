import { audit, SYSTEM } from '../audit/record.ts'
import { type Config, readAdminPassword } from '../base/config.ts'
import { type WriteDeps, write } from '../db/write.ts'
import { generatePassword, type Passwords } from './password.ts'
import { hasUsers, insertAdmin } from './queries.ts'

interface FirstAdminDeps extends WriteDeps {
  passwords: Passwords
  config: Pick<
    Config,
    'adminUsername' | 'adminPassword' | 'adminPasswordFile' | 'passwordMinLength'
  >
}

/**
 * Creates the first admin when there are no users, and returns whether it did. A generated password is passed to `show`
 * before the commit: a password that is shown and rolled back does no harm, while one that nobody has seen locks
 * everybody out. If `show` throws, no admin is created. Throws a ConfigError when the password file is set but has no
 * usable password.
 */
export async function ensureFirstAdmin(
  deps: FirstAdminDeps,
  show: (name: string, password: string) => void,
): Promise<boolean> {
  const { db, config } = deps
  if (hasUsers(db)) return false
  const name = config.adminUsername
  const given = readAdminPassword(config)
  const password = given ?? generatePassword(config.passwordMinLength)
  const password_hash = await deps.passwords.hash(password)
  return write(db, { now: deps.clock() }, (tx) => {
    // Another process may have created one in the meantime.
    if (hasUsers(tx)) return false
    const user_id = insertAdmin(tx, { name, password_hash })
    const details = { user_id, name, is_admin: true, can_create: true }
    audit(tx, SYSTEM, 'user_create', null, details)
    if (given === null) show(name, password)
    return true
  })
}
