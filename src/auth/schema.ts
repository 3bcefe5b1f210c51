import { z } from 'zod'
import { isCredential, nfc } from '../base/text.ts'
import { ExpiresIn, IntegerId, NumberId, pageItems, Total } from '../http/fields.ts'

/** Bytes that the body of a login or refresh may have; anybody may send one. */
export const CREDENTIALS_LIMIT = 8 * 1024

/**
 * Texts have no limits here: an impossible name or password is simply a wrong one, which gets 401. Such a name stays as
 * it was sent.
 */
export const Login = z
  .object({
    name: z
      .string()
      .overwrite((name) => (isCredential(name) ? nfc(name).trim() : name))
      .meta({ description: 'Name of the user' }),
    password: z.string().meta({ description: 'Password of the user' }),
  })
  .meta({ id: 'Login' })

const RefreshToken = z.string().meta({ description: 'Can be exchanged for new tokens once' })

export const Refresh = z.object({ refresh_token: RefreshToken }).meta({ id: 'Refresh' })

export const SessionPath = z.object({
  session_id: IntegerId.meta({ description: 'Id of the session' }),
})

export const TokenPair = z
  .object({
    access_token: z.string().meta({ description: 'Send it as `Authorization: Bearer …`' }),
    refresh_token: RefreshToken,
    expires_in: ExpiresIn,
  })
  .meta({ id: 'TokenPair' })
export type TokenPair = z.infer<typeof TokenPair>

export const Session = z
  .object({
    id: NumberId,
    user_agent: z.string().meta({ description: 'What the client called itself when it signed in' }),
    started_at: z.iso.datetime().meta({ description: 'When the user signed in' }),
    expires_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it expires unless it is refreshed' }),
    last_activity: z.iso.datetime().meta({ description: 'When it was last used, to the minute' }),
    is_current: z.boolean().meta({ description: 'Whether it is the session of this request' }),
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

export const SessionList = z
  .object({ items: pageItems(Session), total: Total })
  .meta({ id: 'SessionList' })
export type SessionList = z.infer<typeof SessionList>
