import type { Deps } from '../context.ts'
import type { TokenPair } from './schema.ts'
import type { RefreshSource } from './tokens.ts'

/** Returns a new access token and the live refresh token of a session. */
export async function issueTokenPair(
  deps: Deps,
  session: RefreshSource & { user_id: number },
): Promise<TokenPair> {
  return {
    access_token: await deps.tokens.signAccess(session.user_id, session.id),
    refresh_token: deps.tokens.refreshToken(session),
    expires_in: Math.floor(deps.config.accessTokenTtl / 1000),
  }
}
