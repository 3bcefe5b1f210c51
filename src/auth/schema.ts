import { z } from 'zod'
import { IntegerId } from '../http/fields.ts'

/** No limits here: a name or password that can't exist is a wrong one, which is 401. */
export const Login = z
  .object({
    name: z.string().overwrite((name) => name.normalize('NFC').trim()),
    password: z.string(),
  })
  .meta({ id: 'Login' })

export const Refresh = z.object({ refresh_token: z.string() }).meta({ id: 'Refresh' })

export const SessionPath = z.object({ session_id: IntegerId })

export const TokenPair = z
  .object({
    access_token: z.string(),
    refresh_token: z.string(),
    expires_in: z.int(),
  })
  .meta({ id: 'TokenPair' })
export type TokenPair = z.infer<typeof TokenPair>

export const Session = z
  .object({
    id: z.int(),
    user_agent: z.string(),
    started_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
    last_activity: z.iso.datetime(),
    is_current: z.boolean(),
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

export const SessionList = z
  .object({ items: z.array(Session), total: z.int() })
  .meta({ id: 'SessionList' })
export type SessionList = z.infer<typeof SessionList>
