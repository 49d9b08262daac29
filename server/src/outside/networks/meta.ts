import type { FigureName, Figures } from '@clear-to-post/domain/figures'
import {
  bearer,
  clocksMs,
  countIn,
  RefusedByNetwork,
  requireDone,
  withQuery,
  type Adapter,
  type Answer,
  type AppKeys,
  type Ask,
  type GivenCode,
  type Tokens,
  type Work,
} from './adapter.ts'
import { tokensOf } from './oauth.ts'

/** What Meta's networks share: Instagram, Facebook and Threads. */

/** The version of the Graph API that Instagram and Facebook are asked by. */
export const graphVersion = 'v23.0'

type Asking = Pick<Work, 'keys' | 'token' | 'ask'>

/** Reads `path` of the network's interface; throws what a refusal means. */
export const read = async (
  { keys, token, ask }: Asking,
  path: string,
  query: Record<string, string> = {},
): Promise<any> =>
  requireDone(await ask(withQuery(`${keys.hosts['api']}/${path}`, query), { headers: bearer(token) }), kindOf).json()

/** The same; null of a thing that is not there any more. */
export const readIfThere = async (work: Asking, path: string, query: Record<string, string>): Promise<any> => {
  const { keys, token, ask } = work
  const answer = await ask(withQuery(`${keys.hosts['api']}/${path}`, query), { headers: bearer(token) })
  if (answer.status === 404 || errorIn(answer).error_subcode === 33) return null
  return requireDone(answer, kindOf).json()
}

/** Figures by a media's insights, each the sum of what the network calls so. */
export const insightsOf = (
  version: string,
  names: Readonly<Partial<Record<Exclude<FigureName, 'watchSeconds'> | 'watchMs', readonly string[]>>>,
): NonNullable<Adapter['measure']> => ({
  most: 25,
  perMinute: 30,
  read: async (work, ids) => {
    const metric = Object.values(names).flat().join(',')
    const found = new Map<string, Figures>()
    for (const id of ids) {
      const said = (await readIfThere(work, `${version}/${id}/insights`, { metric })) as Insights | null
      if (!said) continue
      const counts = new Map((said.data ?? []).map(({ name, values }) => [name, countIn(values?.[0]?.value)]))
      const sumOf = (of: readonly string[] = []): number | undefined =>
        of.reduce<number | undefined>((sum, name) => {
          const count = counts.get(name)
          return count === undefined ? sum : (sum ?? 0) + count
        }, undefined)
      const watched = sumOf(names.watchMs)
      found.set(id, {
        views: sumOf(names.views),
        likes: sumOf(names.likes),
        comments: sumOf(names.comments),
        shares: sumOf(names.shares),
        watchSeconds: watched === undefined ? undefined : Math.round(watched / 1000),
      })
    }
    return found
  },
})
type Insights = { data?: { name: string; values?: { value?: unknown }[] }[] }

/** Sends a form to `path` of the network's interface. */
export const write = async (
  { keys, token, ask }: Asking,
  path: string,
  fields: Record<string, string>,
): Promise<any> => {
  const { headers, ...form } = formOf(fields)
  const request = { ...form, headers: { ...bearer(token), ...headers } }
  return requireDone(await ask(`${keys.hosts['api']}/${path}`, request), kindOf).json()
}

export const formOf = (fields: Record<string, string>) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})

/**
 * Comments of Instagram and Facebook: what was written is found by its words below the post, from the account itself; `field` is what
 * the network calls them (…/ig-media/comments, …/graph-api/reference/object/comments).
 */
export const commentsOf = (version: string, field: 'text' | 'message'): NonNullable<Adapter['comment']> => ({
  publish: async (work) => {
    const { words, postId } = work.comment
    const { id } = (await write(work, `${version}/${postId}/comments`, { message: words })) as { id: string }
    return id
  },
  find: async (work) => {
    const { words, postId } = work.comment
    const query = { fields: `id,from,${field}`, limit: '50', ...(field === 'message' ? { filter: 'stream' } : {}) }
    const { data = [] } = (await read(work, `${version}/${postId}/comments`, query)) as {
      data?: { id: string; from?: { id?: string }; text?: string; message?: string }[]
    }
    const found = data.find((one) => one[field] === words && (one.from?.id ?? work.accountId) === work.accountId)
    return found ? { is: 'live', id: found.id } : { is: 'absent' }
  },
})

/** Deletes a thing; one that is gone is deleted. */
export const erase = async ({ keys, token, ask }: Asking, path: string): Promise<void> => {
  const answer = await ask(`${keys.hosts['api']}/${path}`, { method: 'DELETE', headers: bearer(token) })
  const isGone = answer.status === 404 || errorIn(answer).error_subcode === 33
  if (!isGone) requireDone(answer, kindOf)
}

/**
 * Brings the file to the address that the network gave out (`uri`): one request with all that is not there yet. `there`: how many
 * bytes an upload that was cut off has brought.
 */
export const bring = async (work: Work, there: () => Promise<number>): Promise<void> => {
  const { token, ask, file, keep } = work
  if (work.handles['sent'] === true) return
  const known = work.handles['began'] === true ? await there() : 0
  const offset = known < file.bytes ? known : 0
  if (offset === 0) await keep({ began: true })
  const answer = await ask(String(work.handles['uri']), {
    method: 'POST',
    headers: { authorization: `OAuth ${token}`, offset: String(offset), file_size: String(file.bytes) },
    body: await file.part(offset, file.bytes - 1),
  })
  // What was sent before and got lost on its way may have come meanwhile: it goes on from there.
  if (answer.status === 400 && kindOf(answer) === null && (await there()) > offset)
    throw new RefusedByNetwork('retry', 'More of the video came there meanwhile.')
  requireDone(answer, kindOf)
  await keep({ sent: true })
}

/**
 * How Instagram and Threads are signed in to: a short token for the code, a lasting one for that, which renews itself. `me` is
 * where the account is read that signed in, and `id` the field of its number.
 */
export const loginOf = ({
  prefix,
  tokenHost,
  scope,
  me,
  id,
}: {
  prefix: 'ig' | 'th'
  tokenHost: 'token' | 'api'
  scope: string
  me: string
  id: string
}): Pick<Extract<Adapter, { signIn?: undefined }>, 'authorize' | 'accounts' | 'refresh' | 'revoke'> => {
  const lastingTokens = async (keys: AppKeys, ask: Ask, { code, redirectUri, now }: GivenCode): Promise<Tokens> => {
    const short = requireDone(
      await ask(
        `${keys.hosts[tokenHost]}/oauth/access_token`,
        formOf({
          client_id: keys.clientId,
          client_secret: keys.clientSecret,
          grant_type: 'authorization_code',
          redirect_uri: redirectUri,
          code,
        }),
      ),
      () => 'reauth',
    ).json() as { access_token: string }
    const said = requireDone(
      await ask(
        withQuery(`${keys.hosts['api']}/access_token`, {
          grant_type: `${prefix}_exchange_token`,
          client_secret: keys.clientSecret,
          access_token: short.access_token,
        }),
      ),
      kindOf,
    ).json()
    return tokensOf(said, now)
  }
  return {
    // These networks offer no PKCE; the state alone binds the way to the person.
    authorize: ({ clientId, hosts }, { state, redirectUri }) =>
      withQuery(`${hosts['accounts']}/oauth/authorize`, {
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope,
        state,
      }),
    accounts: async (keys, ask, given) => {
      const tokens = await lastingTokens(keys, ask, given)
      const account = await read({ keys, ask, token: tokens.access }, me, { fields: `${id},username` })
      return [{ id: String(account[id]), name: account.username, tokens }]
    },
    // The token itself is renewed; one that has ended cannot be.
    refresh: async (keys, ask, tokens, now) => {
      if (tokens.accessEndsAt !== null && tokens.accessEndsAt <= now.getTime()) return null
      const said = requireDone(
        await ask(
          withQuery(`${keys.hosts['api']}/refresh_access_token`, {
            grant_type: `${prefix}_refresh_token`,
            access_token: tokens.access,
          }),
        ),
        (answer) => (answer.status === 400 ? 'reauth' : kindOf(answer)),
      ).json()
      return tokensOf(said, now, tokens)
    },
    revoke: null,
  }
}

/**
 * The one post of `path` with exactly these words in `field` since this one may have been sent; null where there is none or several,
 * or it cannot be read. An older one is another post, perhaps made by hand.
 */
export const newestLike = async (work: Work, path: string, field: string): Promise<string | null> => {
  const { data = [] } = (await read(work, path, { fields: `id,${field},timestamp`, limit: '20' }).catch(
    () => ({}),
  )) as {
    data?: Record<string, string>[]
  }
  const since = (work.post.armedAt?.getTime() ?? Infinity) - clocksMs
  const alike = data.filter((one) => one[field] === work.post.words && Date.parse(one['timestamp'] ?? '') >= since)
  return alike.length === 1 ? alike[0]!['id']! : null
}

/** Where a thing is to be seen; null where that cannot be read now. */
export const permalinkOf = async (work: Work, path: string): Promise<string | null> => {
  const said = (await read(work, path, { fields: 'permalink' }).catch(() => ({}))) as { permalink?: unknown }
  return typeof said.permalink === 'string' ? said.permalink : null
}

/** What is there is live, also where its number or address cannot be read now: then the profile stands for its address. */
export const liveAt = async (work: Work, version: string, id: string | null) => ({
  is: 'live' as const,
  id,
  address: (id === null ? null : await permalinkOf(work, `${version}/${id}`)) ?? `${work.keys.hosts['site']}/`,
})

export const kindOf = (answer: Answer) => {
  const { code = 0, error_subcode: sub = 0 } = errorIn(answer)
  if (code === 190 || code === 102) return 'reauth'
  if ((code === 9 && sub === 2207042) || code === 1390008) return 'limit'
  // A page that has to be looked at by its owner: its authorization, or who they are.
  if (sub === 2207050 || sub === 2207051 || code === 1404078 || code === 4854002) return 'policy'
  // Too many asked, by everybody here or of this account: for an hour at times.
  if ([4, 17, 32, 613, 80002].includes(code)) return 'busy'
  if ([-2, -1, 9004, 9007, 1363047, 1609010].includes(code)) return 'retry'
  return null
}

const errorIn = ({ text }: Answer): { code?: number; error_subcode?: number } => {
  try {
    return JSON.parse(text).error ?? {}
  } catch {
    return {}
  }
}
