import { networks } from '@clear-to-post/domain/networks'
import {
  bearer,
  countIn,
  json,
  RefusedByNetwork,
  requireDone,
  withQuery,
  type Adapter,
  type Answer,
  type Work,
} from './adapter.ts'
import { oauthOf } from './oauth.ts'

const oauth = oauthOf({ token: ['token', '/token'], revoke: ['token', '/revoke'], pkce: true })

/**
 * YouTube Data API v3: a resumable upload makes a private video, and one idempotent update shows it. Proof: the session says how
 * many bytes it has, and the video says who may see it (developers.google.com/youtube/v3/guides/using_resumable_upload_protocol).
 */
export const youtube: Adapter = {
  network: 'youtube',
  hosts: {
    accounts: 'https://accounts.google.com',
    token: 'https://oauth2.googleapis.com',
    api: 'https://www.googleapis.com',
    site: 'https://www.youtube.com',
  },
  // Multiples of 256 KiB are taken.
  partBytes: 8 * 1024 * 1024,
  authorize: ({ clientId, hosts }, { state, challenge, redirectUri }) =>
    withQuery(`${hosts['accounts']}/o/oauth2/v2/auth`, {
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      // The second one is for comments and captions.
      scope: 'https://www.googleapis.com/auth/youtube https://www.googleapis.com/auth/youtube.force-ssl',
      // Without both no refresh token comes.
      access_type: 'offline',
      prompt: 'consent',
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }),
  accounts: async (keys, ask, given) => {
    const { tokens } = await oauth.exchange(keys, ask, given)
    if (tokens.refresh === null)
      throw new RefusedByNetwork('reauth', 'YouTube gave no lasting access. Connect once more.')
    const channels = requireDone(
      await ask(withQuery(`${keys.hosts['api']}/youtube/v3/channels`, { part: 'snippet', mine: 'true' }), {
        headers: bearer(tokens.access),
      }),
      kindOf,
    ).json()
    return ((channels.items ?? []) as { id: string; snippet: { title: string } }[]).map(({ id, snippet }) => ({
      id,
      name: snippet.title,
      tokens,
    }))
  },
  refresh: oauth.refresh,
  revoke: oauth.revoke,
  prepare: async (work) => {
    if (work.handles['videoId'] !== undefined) return besideVideo(work)
    const session = (work.handles['session'] as string | undefined) ?? (await begin(work))
    let at = await received(work, session)
    while (at !== 'done' && at !== 'gone') at = await sendChunk(work, session, at)
    // A session that is gone left no video that anybody sees.
    if (at === 'gone') await work.keep({ session: null })
    return at === 'done' ? besideVideo(work) : 'waiting'
  },
  publish: async (work) => {
    const { keys, token, ask, handles, post } = work
    requireDone(
      await ask(withQuery(`${keys.hosts['api']}/youtube/v3/videos`, { part: 'status' }), {
        method: 'PUT',
        headers: { ...bearer(token), ...json },
        body: JSON.stringify({
          id: handles['videoId'],
          status: { privacyStatus: wantedPrivacy(post.privacy), selfDeclaredMadeForKids: false },
        }),
      }),
      kindOf,
    )
    return live(work)
  },
  find: async (work) => {
    const { keys, token, ask, handles, post } = work
    const { items = [] } = requireDone(
      await ask(
        withQuery(`${keys.hosts['api']}/youtube/v3/videos`, { part: 'status', id: String(handles['videoId']) }),
        { headers: bearer(token) },
      ),
      kindOf,
    ).json() as { items?: { status: { privacyStatus: string; uploadStatus: string; rejectionReason?: string } }[] }
    const [video] = items
    if (!video) return { is: 'expired' }
    if (video.status.uploadStatus === 'rejected' || video.status.uploadStatus === 'failed')
      return {
        is: 'refused',
        kind: 'policy',
        words: `YouTube refused the video: ${video.status.rejectionReason ?? 'no reason told'}.`,
      }
    const isShown = handles['shown'] === true || video.status.privacyStatus === wantedPrivacy(post.privacy)
    // A video that is to be private looks the same before and after: it is there.
    return isShown ? live(work) : { is: 'absent' }
  },
  // developers.google.com/youtube/v3/docs/commentThreads: 50 units to write one, and one to read.
  comment: {
    publish: async ({ keys, token, ask, accountId, comment: { words, postId } }) => {
      const { id } = requireDone(
        await ask(withQuery(`${keys.hosts['api']}/youtube/v3/commentThreads`, { part: 'snippet' }), {
          method: 'POST',
          headers: { ...bearer(token), ...json },
          body: JSON.stringify({
            snippet: {
              channelId: accountId,
              videoId: postId,
              topLevelComment: { snippet: { textOriginal: words } },
            },
          }),
        }),
        kindOf,
      ).json() as { id: string }
      return id
    },
    find: async ({ keys, token, ask, accountId, comment: { words, postId } }) => {
      const query = { part: 'snippet', videoId: postId, maxResults: '100', order: 'time' }
      const { items = [] } = requireDone(
        await ask(withQuery(`${keys.hosts['api']}/youtube/v3/commentThreads`, query), { headers: bearer(token) }),
        kindOf,
      ).json() as { items?: Thread[] }
      const found = items.find(
        ({ snippet: { topLevelComment: top } }) =>
          top.snippet.textOriginal === words && top.snippet.authorChannelId?.value === accountId,
      )
      return found ? { is: 'live', id: found.id } : { is: 'absent' }
    },
  },
  // One unit for fifty videos, of 10,000 a day for the whole project: a third of them.
  measure: {
    most: 50,
    perMinute: 2,
    read: async ({ keys, token, ask }, ids) => {
      const { items = [] } = requireDone(
        await ask(withQuery(`${keys.hosts['api']}/youtube/v3/videos`, { part: 'statistics', id: ids.join(',') }), {
          headers: bearer(token),
        }),
        kindOf,
      ).json() as { items?: { id: string; statistics?: Record<string, unknown> }[] }
      return new Map(
        items.map(({ id, statistics: said = {} }) => [
          id,
          {
            views: countIn(said['viewCount']),
            likes: countIn(said['likeCount']),
            comments: countIn(said['commentCount']),
          },
        ]),
      )
    },
  },
  takeDown: async ({ keys, token, ask, postId }) => {
    const answer = await ask(withQuery(`${keys.hosts['api']}/youtube/v3/videos`, { id: postId }), {
      method: 'DELETE',
      headers: bearer(token),
    })
    if (answer.status !== 404) requireDone(answer, kindOf)
  },
}

type Thread = {
  id: string
  snippet: { topLevelComment: { snippet: { textOriginal?: string; authorChannelId?: { value: string } } } }
}

const wantedPrivacy = (privacy: string | undefined): string => privacy ?? networks.youtube.privacy.chosen

const live = ({ keys, handles }: Work) => ({
  is: 'live' as const,
  id: String(handles['videoId']),
  address: `${keys.hosts['site']}/watch?v=${handles['videoId']}`,
})

const begin = async ({ keys, token, ask, post, file, keep }: Work): Promise<string> => {
  const answer = requireDone(
    await ask(
      withQuery(`${keys.hosts['api']}/upload/youtube/v3/videos`, { uploadType: 'resumable', part: 'snippet,status' }),
      {
        method: 'POST',
        headers: {
          ...bearer(token),
          ...json,
          'x-upload-content-length': String(file.bytes),
          'x-upload-content-type': 'video/mp4',
        },
        body: JSON.stringify({
          snippet: { title: post.title, description: post.words, categoryId: '22' },
          status: { privacyStatus: 'private', selfDeclaredMadeForKids: false },
        }),
      },
    ),
    kindOf,
  )
  const session = answer.headers.get('location')
  if (session === null) throw new RefusedByNetwork('retry', 'YouTube began no upload.')
  await keep({ session })
  return session
}

/** What goes with the video while nobody sees it yet. */
const besideVideo = async (work: Work): Promise<'ready'> => {
  await setCover(work)
  await addCaptions(work)
  return 'ready'
}

/**
 * The picture that stands before it: set twice it is the same. A channel that may not set one, or none for now, is posted to without
 * (developers.google.com/youtube/v3/docs/thumbnails/set).
 */
const setCover = async ({ cover, keys, token, ask, handles, keep }: Work): Promise<void> => {
  if (!cover || handles['cover'] !== undefined) return
  const query = { videoId: String(handles['videoId']), uploadType: 'media' }
  const answer = await ask(withQuery(`${keys.hosts['api']}/upload/youtube/v3/thumbnails/set`, query), {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'image/jpeg' },
    body: await cover.read(),
  })
  await keep({ cover: besideOutcome(answer) })
}

/**
 * Captions of the video: the same language once more is refused as there already. What is refused otherwise is left out
 * (developers.google.com/youtube/v3/docs/captions/insert).
 */
const addCaptions = async ({ captions, keys, token, ask, handles, keep }: Work): Promise<void> => {
  if (!captions || handles['captions'] !== undefined) return
  const files = await captions.read()
  if (!files) return
  const snippet = { videoId: handles['videoId'], language: captions.language, name: '', isDraft: false }
  const mark = `captions-${String(handles['videoId'])}`
  const body = [
    `--${mark}`,
    'content-type: application/json; charset=UTF-8',
    '',
    JSON.stringify({ snippet }),
    `--${mark}`,
    'content-type: application/octet-stream',
    '',
    files.srt,
    `--${mark}--`,
    '',
  ].join('\r\n')
  const query = { uploadType: 'multipart', part: 'snippet' }
  const answer = await ask(withQuery(`${keys.hosts['api']}/upload/youtube/v3/captions`, query), {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': `multipart/related; boundary=${mark}` },
    body,
  })
  await keep({ captions: besideOutcome(answer) })
}

/** What became of something beside the video; a sign-in that has ended and silence are thrown. */
const besideOutcome = (answer: Answer): 'set' | 'refused' => {
  if (answer.status === 409) return 'set'
  const isRefused = answer.status >= 400 && answer.status < 500 && answer.status !== 408 && kindOf(answer) !== 'reauth'
  if (!isRefused) requireDone(answer, kindOf)
  return isRefused ? 'refused' : 'set'
}

/** How many bytes the session has; `done` once it answered with the video, which is kept. */
const received = async (work: Work, session: string): Promise<number | 'done' | 'gone'> =>
  afterPut(work, await work.ask(session, { method: 'PUT', headers: { 'content-range': `bytes */${work.file.bytes}` } }))

const sendChunk = async (work: Work, session: string, at: number): Promise<number | 'done' | 'gone'> => {
  const end = Math.min(at + work.partBytes, work.file.bytes) - 1
  const body = await work.file.part(at, end)
  const headers = { 'content-type': 'video/mp4', 'content-range': `bytes ${at}-${end}/${work.file.bytes}` }
  const answer = await work.ask(session, { method: 'PUT', headers, body })
  if (answer.status === 400) {
    // What was sent before and got lost on its way may have come meanwhile: the session knows from where it goes on.
    const there = await received(work, session)
    if (typeof there === 'string' || there > at) return there
  }
  return afterPut(work, answer)
}

const afterPut = async (work: Work, answer: Answer): Promise<number | 'done' | 'gone'> => {
  if (answer.status === 404 || answer.status === 410) return 'gone'
  if (answer.status === 308) {
    const [, last] = /^bytes=0-(\d+)$/.exec(answer.headers.get('range') ?? '') ?? []
    return last === undefined ? 0 : Number(last) + 1
  }
  const { id } = requireDone(answer, kindOf).json() as { id: string }
  await work.keep({ videoId: id })
  return 'done'
}

const kindOf = (answer: Answer) => {
  const reason = /"reason":\s*"(\w+)"/.exec(answer.text)?.[1] ?? ''
  if (answer.status === 401 || /^(authError|youtubeSignupRequired|insufficientPermissions)$/.test(reason))
    return 'reauth'
  if (/^(quotaExceeded|uploadLimitExceeded|rateLimitExceeded|dailyLimitExceeded)$/.test(reason)) return 'limit'
  return null
}
