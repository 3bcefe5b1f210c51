import type { Config } from '../base/config.ts'
import type { WriteDeps } from '../db/write.ts'
import type { TokenPair } from './schema.ts'
import type { RefreshSource, Tokens } from './tokens.ts'

export interface SessionDeps extends WriteDeps {
  tokens: Tokens
  config: Pick<Config, 'accessTokenTtl' | 'refreshTokenTtl'>
}

/** Returns a new access token and the live refresh token of a session. */
export async function issueTokenPair(
  deps: Pick<SessionDeps, 'tokens' | 'config'>,
  session: RefreshSource & { user_id: number },
): Promise<TokenPair> {
  return {
    access_token: await deps.tokens.signAccess(session.user_id, session.id),
    refresh_token: deps.tokens.refresh.make(session),
    expires_in: Math.floor(deps.config.accessTokenTtl / 1000),
  }
}
