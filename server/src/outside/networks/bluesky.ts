import { createHash } from 'node:crypto'
import { cutText } from '@clear-to-post/domain/cut-text'
import { networks } from '@clear-to-post/domain/networks'
import { visible } from '@clear-to-post/contract/visible'
import { decodeJwt } from 'jose'
import { z } from 'zod'
import { isPublicAddress } from '../public-address.ts'
import {
  bearer,
  countIn,
  json,
  RefusedByNetwork,
  requireDone,
  SilentNetwork,
  withQuery,
  type Adapter,
  type Answer,
  type AppKeys,
  type Ask,
  type CommentWork,
  type Tokens,
  type Work,
} from './adapter.ts'
import { mentionsIn, richTextOf } from './bluesky-text.ts'

/**
 * Bluesky (AT Protocol): the video service brings the file to the account's own server, where nobody sees it; `createRecord` shows
 * it. Proof: the record's key is ours and the same for each try of a post, so a second record cannot come to be, and `getRecord`
 * says whether the first one did (docs.bsky.app/docs/tutorials/video, lexicons app.bsky.* and com.atproto.*).
 */
export const bluesky: Adapter = {
  network: 'bluesky',
  hosts: { server: 'https://bsky.social', video: 'https://video.bsky.app', site: 'https://bsky.app' },
  partBytes: Infinity,
  signIn: async (keys, ask, { server, name, password }) => {
    const at = server ?? keys.hosts['server']!
    const answer = requireDone(
      await ask(method(at, 'com.atproto.server.createSession'), {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ identifier: name, password }),
        isGiven: isGiven(keys, at),
      }),
      ({ status }) => (status === 400 || status === 401 ? 'reauth' : null),
    )
    const session = saidBy(answer, Named, 'permanent')
    const { tokens, scope } = tokensOf(session, serverIn(keys, session.didDoc) ?? at)
    // What its owner made for this app can be taken back alone, and opens neither address nor password of the account.
    if (!appScopes.includes(scope)) {
      await endSession(keys, ask, tokens).catch(() => {})
      throw new RefusedByNetwork('reauth', 'This is no password for an app.')
    }
    return [{ id: session.did, name: session.handle, tokens }]
  },
  refresh: async (keys, ask, tokens) => {
    if (tokens.refresh === null) return null
    const at = serverOf(keys, tokens)
    const answer = requireDone(
      await ask(method(at, 'com.atproto.server.refreshSession'), {
        method: 'POST',
        headers: bearer(tokens.refresh),
        isGiven: isGiven(keys, at),
      }),
      ({ status }) => (status === 400 || status === 401 ? 'reauth' : null),
    )
    const session = saidBy(answer, Session, 'reauth')
    // An account that moved to another server says so here.
    return tokensOf(session, serverIn(keys, session.didDoc) ?? at).tokens
  },
  revoke: async (keys, ask, tokens) => endSession(keys, ask, tokens),
  prepare: async (work) => {
    const { keys, ask, file, keep } = work
    if (work.handles['job'] === undefined) {
      await requireRoom(work)
      const { did } = await asked(work, 'com.atproto.server.describeServer', {}, OfAccount)
      const { token } = await asked(
        work,
        'com.atproto.server.getServiceAuth',
        {
          aud: did,
          lxm: 'com.atproto.repo.uploadBlob',
          exp: String(Math.floor(work.now().getTime() / 1000) + uploadSeconds),
        },
        Permission,
      )
      const answer = await ask(
        withQuery(method(keys.hosts['video']!, 'app.bsky.video.uploadVideo'), {
          did: work.accountId,
          name: `${work.post.id}.mp4`,
        }),
        {
          method: 'POST',
          headers: { ...bearer(token), 'content-type': 'video/mp4' },
          body: await file.part(0, file.bytes - 1),
        },
      )
      // The same file once more is its first job again.
      const known = answer.status === 409 ? (/"jobId":\s*"([^"]+)"/.exec(answer.text)?.[1] ?? null) : null
      const job = known ?? (requireDone(answer, kindOf).json() as { jobStatus: Job }).jobStatus.jobId
      await keep({ job, isKnown: known !== null })
    }
    if (work.handles['blob'] === undefined) {
      const { jobStatus } = requireDone(
        await ask(
          withQuery(method(keys.hosts['video']!, 'app.bsky.video.getJobStatus'), {
            jobId: String(work.handles['job']),
          }),
        ),
        kindOf,
      ).json() as { jobStatus: Job }
      if (jobStatus.state === 'JOB_STATE_FAILED')
        throw new RefusedByNetwork(
          'permanent',
          `Bluesky could not work on this video: ${jobStatus.message ?? jobStatus.failureCode ?? jobStatus.error ?? 'no reason told'}.`,
        )
      if (!jobStatus.blob) return 'waiting'
      await keep({ blob: JSON.stringify(jobStatus.blob) })
    }
    await bringCaptions(work)
    if (work.handles['mentions'] === undefined)
      await keep({ mentions: JSON.stringify(await mentionsIn(work.post.words, didBy(work))) })
    return 'ready'
  },
  publish: async (work) => {
    const { accountId: repo, handles, file, post } = work
    const { text, facets } = await richTextOf(work.post.words, work.handles)
    const answer = await askServer(work, 'com.atproto.repo.createRecord', {
      repo,
      collection,
      rkey: keyOf(post),
      record: {
        $type: collection,
        text,
        ...(facets === undefined ? {} : { facets }),
        embed: {
          $type: 'app.bsky.embed.video',
          video: JSON.parse(String(handles['blob'])),
          ...(typeof handles['captionsBlob'] === 'string' ? { captions: [JSON.parse(handles['captionsBlob'])] } : {}),
          ...(file.width && file.height ? { aspectRatio: { width: file.width, height: file.height } } : {}),
        },
        createdAt: work.now().toISOString(),
      },
    })
    // A file that no post names is thrown away by the server after a while: it is brought anew.
    if (answer.status === 400 && /could not find blob|BlobNotFound/i.test(answer.text)) {
      // Brought again it would be the same job, of the file that is gone.
      if (handles['isKnown'] === true)
        throw new RefusedByNetwork('permanent', 'Bluesky has thrown this file away, and takes it no second time.')
      return { is: 'expired' }
    }
    requireDone(answer, kindOf)
    return live(work)
  },
  find: async (work) => {
    const query = { repo: work.accountId, collection, rkey: keyOf(work.post) }
    const answer = await askServer(work, 'com.atproto.repo.getRecord', query, 'GET')
    if (answer.status === 400 && errorIn(answer) === 'RecordNotFound') return { is: 'absent' }
    requireDone(answer, kindOf)
    return live(work)
  },
  measure: {
    most: 25,
    perMinute: 60,
    read: async (work, ids) => {
      const { keys, token, server, ask } = work
      const at = serverOf(keys, { server })
      // The account's server asks the network's own index for it.
      const address = `${method(at, 'app.bsky.feed.getPosts')}?${new URLSearchParams(ids.map((id) => ['uris', id]))}`
      const said = Counted.safeParse(
        requireDone(await ask(address, { headers: bearer(token), isGiven: isGiven(keys, at) }), kindOf).json(),
      )
      if (!said.success) throw new SilentNetwork('the account’s server answered something else')
      return new Map(
        said.data.posts.map(({ uri, likeCount, replyCount, repostCount, quoteCount }) => [
          uri,
          {
            likes: countIn(likeCount),
            comments: countIn(replyCount),
            shares: countIn((repostCount ?? 0) + (quoteCount ?? 0)),
          },
        ]),
      )
    },
  },
  // A reply is a record as a post is, under a key of ours: it cannot be made twice.
  comment: {
    prepare: async (work) => {
      const { accountId, comment, handles, keep } = work
      if (handles['cid'] === undefined) {
        const query = { repo: accountId, collection, rkey: comment.postId.split('/').at(-1)! }
        const { cid } = await asked(work, 'com.atproto.repo.getRecord', query, Pinned)
        await keep({ cid })
      }
      if (work.handles['mentions'] === undefined)
        await keep({ mentions: JSON.stringify(await mentionsIn(work.comment.words, didBy(work))) })
      return 'ready'
    },
    publish: async (work) => {
      const { accountId: repo, comment, handles } = work
      const { text, facets } = await richTextOf(work.comment.words, work.handles)
      const post = { uri: comment.postId, cid: String(handles['cid']) }
      requireDone(
        await askServer(work, 'com.atproto.repo.createRecord', {
          repo,
          collection,
          rkey: keyOf(commentKey(comment)),
          record: {
            $type: collection,
            text,
            ...(facets === undefined ? {} : { facets }),
            reply: { root: post, parent: post },
            createdAt: work.now().toISOString(),
          },
        }),
        kindOf,
      )
      return `at://${repo}/${collection}/${keyOf(commentKey(comment))}`
    },
    find: async (work) => {
      const rkey = keyOf(commentKey(work.comment))
      const query = { repo: work.accountId, collection, rkey }
      const answer = await askServer(work, 'com.atproto.repo.getRecord', query, 'GET')
      if (answer.status === 400 && errorIn(answer) === 'RecordNotFound') return { is: 'absent' }
      requireDone(answer, kindOf)
      return { is: 'live', id: `at://${work.accountId}/${collection}/${rkey}` }
    },
  },
  takeDown: async (work) => {
    const rkey = /\/([a-z2-7]{13})$/.exec(work.postId)?.[1]
    if (rkey === undefined) throw new RefusedByNetwork('permanent', 'This post is not one of ours.')
    requireDone(
      await askServer(work, 'com.atproto.repo.deleteRecord', { repo: work.accountId, collection, rkey }),
      kindOf,
    )
  },
}

/**
 * The video service takes so many videos and bytes of an account in a day, and none while its address is not confirmed: it says so
 * before anything is brought. Where it says nothing of the kind, the upload itself is asked.
 */
const requireRoom = async (work: Work): Promise<void> => {
  const { keys, ask, file } = work
  const video = keys.hosts['video']!
  const asking = { aud: `did:web:${new URL(video).hostname}`, lxm: 'app.bsky.video.getUploadLimits' }
  const { token: pass } = await asked(work, 'com.atproto.server.getServiceAuth', asking, Permission)
  const answer = await ask(method(video, 'app.bsky.video.getUploadLimits'), { headers: bearer(pass) })
  const { data: room } = Room.safeParse(answer.status === 200 ? answer.json() : null)
  if (room?.canUpload !== false) return
  const isUsedUp = room.remainingDailyVideos === 0 || (room.remainingDailyBytes ?? Infinity) < file.bytes
  const why = cutText((room.message ?? '').toWellFormed().replaceAll('\0', ''), 200)
  throw new RefusedByNetwork(
    isUsedUp ? 'limit' : 'policy',
    `Bluesky takes no video of this account now${why === '' ? '' : `: ${why}`}.`,
  )
}
const Room = z.object({
  canUpload: z.boolean(),
  remainingDailyVideos: z.number().optional(),
  remainingDailyBytes: z.number().optional(),
  message: z.string().optional(),
})

/** Captions lie at the account's own server as the video does, and the record names them; what is too long, or refused, is left out. */
const bringCaptions = async ({ captions, keys, server, token, ask, handles, keep }: Work): Promise<void> => {
  if (!captions || handles['captions'] !== undefined) return
  const files = await captions.read()
  if (!files) return
  const body = new Blob([files.vtt], { type: 'text/vtt' })
  if (body.size > networks.bluesky.captions.most) return keep({ captions: 'refused' })
  const at = serverOf(keys, { server })
  const answer = await ask(method(at, 'com.atproto.repo.uploadBlob'), {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'text/vtt' },
    // An address that people gave is sent text alone.
    body: files.vtt,
    isGiven: isGiven(keys, at),
  })
  const kind = kindOf(answer)
  const isRefused =
    answer.status >= 400 && answer.status < 500 && answer.status !== 408 && answer.status !== 401 && kind === null
  if (isRefused) return keep({ captions: 'refused' })
  const { blob } = requireDone(answer, kindOf).json() as { blob: unknown }
  return keep({ captions: 'set', captionsBlob: JSON.stringify({ lang: captions.language, file: blob }) })
}

type Job = { jobId: string; state: string; blob?: unknown; error?: string; message?: string; failureCode?: string }

const collection = 'app.bsky.feed.post'
/** An account's name for good; `did:web` names a host. */
const didPattern = /^did:(?:plc:[a-z2-7]{24}|web:[\w.:%-]{1,200})$/
/** What a server says of a session: it may be anybody's, so nothing is kept that is not of this form. A token has 8 KB at most. */
const token = z
  .string()
  .max(8192)
  .regex(/^[!-~]+$/)
const Session = z.object({ accessJwt: token, refreshJwt: token, didDoc: z.unknown().optional() })
const Named = Session.extend({ did: z.string().regex(didPattern), handle: visible(253) })
/** Of an account's own document what names its server; a name of a host has 253 signs at most. */
const Service = z.object({ id: z.string(), type: z.string(), serviceEndpoint: z.string().max(300) })
const Document = z.object({
  service: z.array(Service.or(z.unknown().transform(() => ({ id: '', type: '', serviceEndpoint: '' })))).max(100),
})
const Count = z.int().min(0).optional()
const Counted = z.object({
  posts: z
    .array(
      z.object({
        uri: z.string().max(300),
        likeCount: Count,
        replyCount: Count,
        repostCount: Count,
        quoteCount: Count,
      }),
    )
    .max(25),
})
const OfAccount = z.object({ did: z.string().regex(didPattern) })
const Pinned = z.object({ cid: z.string().regex(/^[a-zA-Z0-9]{20,120}$/) })
const Permission = z.object({ token })
/** Seconds since 1970, until the end of the year 9999. */
const Claims = z.object({ exp: z.number().min(0).max(253_402_300_799).optional(), scope: z.unknown().optional() })
/** What a password for an app opens: without direct messages, or with them. */
const appScopes: readonly unknown[] = ['com.atproto.appPass', 'com.atproto.appPassPrivileged']

const saidBy = <T>(answer: Answer, form: z.ZodType<T>, kind: 'permanent' | 'reauth'): T => {
  const said = form.safeParse(answer.json())
  if (!said.success) throw new RefusedByNetwork(kind, 'The server did not say whose account this is, or what opens it.')
  return said.data
}

/** The permission to bring a file holds so long. */
const uploadSeconds = 1800

const method = (server: string, name: string): string => `${server}/xrpc/${name}`

/** Where the account lives; an address that people gave, or their accounts, is asked with care. */
const serverOf = (keys: AppKeys, { server }: { server?: string | undefined }): string => server ?? keys.hosts['server']!
const isGiven = (keys: AppKeys, server: string): boolean => server !== keys.hosts['server']

/** The server that an account's own document names; undefined where it names none that may be asked. */
const serverIn = (keys: AppKeys, document: unknown): string | undefined => {
  const { data } = Document.safeParse(document)
  const found = data?.service.find(
    ({ id, type }) => id.endsWith('#atproto_pds') && type === 'AtprotoPersonalDataServer',
  )
  const address = (found?.serviceEndpoint ?? '').replace(/\/$/, '')
  if (address === keys.hosts['server']) return address
  return isPublicAddress(address) ? new URL(address).origin : undefined
}

const tokensOf = (
  { accessJwt, refreshJwt }: z.infer<typeof Session>,
  server: string,
): { tokens: Tokens; scope: unknown } => {
  const access = claimsIn(accessJwt)
  const ends = ({ exp }: { exp?: number | undefined }) => (exp === undefined ? null : exp * 1000)
  // Not used until then, the connection ends; each use brings other tokens.
  const tokens = {
    access: accessJwt,
    accessEndsAt: ends(access),
    refresh: refreshJwt,
    endsAt: ends(claimsIn(refreshJwt)),
  }
  return { tokens: { ...tokens, server }, scope: access.scope }
}

/** A server may give out tokens of its own kind: then it says itself when they end. */
const claimsIn = (token: string): Partial<z.infer<typeof Claims>> => {
  let claims: unknown
  try {
    claims = decodeJwt(token)
  } catch {
    return {}
  }
  const read = Claims.safeParse(claims)
  if (!read.success) throw new RefusedByNetwork('permanent', 'The server gave a token whose end is no moment.')
  return read.data
}

const endSession = async (keys: AppKeys, ask: Ask, tokens: Tokens): Promise<void> => {
  if (tokens.refresh === null) return
  const at = serverOf(keys, tokens)
  requireDone(
    await ask(method(at, 'com.atproto.server.deleteSession'), {
      method: 'POST',
      headers: bearer(tokens.refresh),
      isGiven: isGiven(keys, at),
    }),
    kindOf,
  )
}

/**
 * The same for every try of a post: a second record cannot come to be under it. It is written as the protocol's own keys are, by the
 * microsecond: 53 bits of time and 10 of chance, five bits a sign.
 */
const keyOf = ({ id, madeAt }: Pick<Work['post'], 'id' | 'madeAt'>): string => {
  const chance = BigInt(`0x${createHash('sha256').update(id).digest('hex').slice(0, 12)}`)
  const number = ((BigInt(madeAt.getTime()) * 1000n + (chance % 1000n)) << 10n) | ((chance / 1000n) % 1024n)
  const signs = '234567abcdefghijklmnopqrstuvwxyz'
  return Array.from({ length: 13 }, (_, place) => signs[Number((number >> BigInt(60 - 5 * place)) & 31n)]).join('')
}

const live = ({ keys, accountId, post }: Work) => ({
  is: 'live' as const,
  id: `at://${accountId}/${collection}/${keyOf(post)}`,
  address: `${keys.hosts['site']}/profile/${accountId}/post/${keyOf(post)}`,
})

/** The key of a comment is another one than its post's, whose id it has. */
const commentKey = ({ id, madeAt }: CommentWork['comment']) => ({ id: `comment ${id}`, madeAt })

type Asking = Pick<Work, 'keys' | 'token' | 'server' | 'ask'>

const askServer = (
  { keys, token, server, ask }: Asking,
  name: string,
  input: Record<string, unknown>,
  how: 'GET' | 'POST' = 'POST',
  withinSeconds?: number,
): Promise<Answer> => {
  const at = serverOf(keys, { server })
  const address = method(at, name)
  return how === 'GET'
    ? ask(withQuery(address, input as Record<string, string>), {
        headers: bearer(token),
        isGiven: isGiven(keys, at),
        ...(withinSeconds === undefined ? {} : { withinSeconds }),
      })
    : ask(address, {
        method: 'POST',
        headers: { ...bearer(token), ...json },
        body: JSON.stringify(input),
        isGiven: isGiven(keys, at),
      })
}

/** Reads something of this form at the account's server. */
const asked = async <T>(
  work: Asking,
  name: string,
  query: Record<string, string>,
  form: z.ZodType<T>,
  withinSeconds?: number,
): Promise<T> => {
  const said = form.safeParse(requireDone(await askServer(work, name, query, 'GET', withinSeconds), kindOf).json())
  if (said.success) return said.data
  throw new RefusedByNetwork('permanent', 'The account’s server answered something else than Bluesky’s servers do.')
}

/** Whose a name is, as the account's server says. */
const didBy = (work: Asking) => async (handle: string, withinSeconds: number) =>
  (await asked(work, 'com.atproto.identity.resolveHandle', { handle }, OfAccount, withinSeconds)).did

const errorIn = ({ text }: Answer): string => /"error":\s*"(\w+)"/.exec(text)?.[1] ?? ''

const kindOf = (answer: Answer) => {
  const error = errorIn(answer)
  if (/^(ExpiredToken|InvalidToken|AuthMissing|AuthenticationRequired|AccountDeactivated)$/.test(error)) return 'reauth'
  if (error === 'AccountTakedown' || error === 'AccountSuspended') return 'policy'
  return null
}
