import {
  basic,
  RefusedByNetwork,
  requireDone,
  type Adapter,
  type AppKeys,
  type Ask,
  type GivenCode,
  type Tokens,
} from './adapter.ts'

/** How one network speaks OAuth: the host (by its name in `hosts`) and path of each endpoint, and what it calls the app. */
export type OAuth = {
  token: readonly [host: string, path: string]
  /** Where a grant is ended (RFC 7009); null where the network's pages name no such address. */
  revoke: readonly [host: string, path: string] | null
  clientName?: 'client_id' | 'client_key'
  /** Whether the code is exchanged with its PKCE verifier. */
  pkce: boolean
  /** The app says who it is by `Authorization: Basic`, not in the form. */
  isBasic?: true
}

/** A network's OAuth as all of them share it. */
export const oauthOf = ({ token, revoke, clientName = 'client_id', pkce, isBasic }: OAuth) => {
  const addressOf = ({ hosts }: AppKeys, [host, path]: readonly [string, string]) => `${hosts[host]}${path}`
  const asked = (ask: Ask, keys: AppKeys, at: readonly [string, string], form: Record<string, string>) =>
    ask(addressOf(keys, at), {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        ...(isBasic ? basic(keys.clientId, keys.clientSecret) : {}),
      },
      body: new URLSearchParams({
        [clientName]: keys.clientId,
        ...(isBasic ? {} : { client_secret: keys.clientSecret }),
        ...form,
      }).toString(),
    })
  /** A refused grant asks for a new sign-in. */
  const askForTokens = async (ask: Ask, keys: AppKeys, form: Record<string, string>): Promise<TokenAnswer> =>
    requireDone(await asked(ask, keys, token, form), ({ status }) =>
      status === 400 || status === 401 ? 'reauth' : null,
    ).json()
  return {
    /** Exchanges the code; `said` is all that the network answered. */
    exchange: async (keys: AppKeys, ask: Ask, { code, verifier, redirectUri, now }: GivenCode) => {
      const said = await askForTokens(ask, keys, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        ...(pkce ? { code_verifier: verifier } : {}),
      })
      return { said, tokens: tokensOf(said, now) }
    },
    /** Null where there is no refresh token. */
    refresh: async (keys: AppKeys, ask: Ask, tokens: Tokens, now: Date): Promise<Tokens | null> =>
      tokens.refresh === null
        ? null
        : tokensOf(
            await askForTokens(ask, keys, { grant_type: 'refresh_token', refresh_token: tokens.refresh }),
            now,
            tokens,
          ),
    revoke: (revoke === null
      ? null
      : async (keys, ask, { access, refresh }) => {
          // Each of the two names the grant, and either may have ended.
          const answers = []
          for (const one of [refresh, access])
            if (one !== null) answers.push(await asked(ask, keys, revoke, { token: one }))
          if (!answers.some(({ status }) => status < 300)) requireDone(answers.at(-1)!)
        }) satisfies Adapter['revoke'],
  }
}

export type TokenAnswer = {
  access_token?: unknown
  expires_in?: unknown
  refresh_token?: unknown
  refresh_expires_in?: unknown
  open_id?: unknown
}

/** A token as OAuth's token endpoint answers it (RFC 6749, section 5.1). */
export const tokensOf = (said: TokenAnswer, now: Date, before?: Tokens): Tokens => {
  if (typeof said.access_token !== 'string') throw new RefusedByNetwork('reauth', 'The network gave no access.')
  const inSeconds = (seconds: unknown) => (Number(seconds) > 0 ? now.getTime() + Number(seconds) * 1000 : null)
  const refresh = typeof said.refresh_token === 'string' ? said.refresh_token : (before?.refresh ?? null)
  const accessEndsAt = inSeconds(said.expires_in)
  return {
    access: said.access_token,
    accessEndsAt,
    refresh,
    endsAt: refresh === null ? accessEndsAt : (inSeconds(said.refresh_expires_in) ?? before?.endsAt ?? null),
  }
}
