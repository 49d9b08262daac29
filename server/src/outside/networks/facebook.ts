import type { Figures } from '@clear-to-post/domain/figures'
import { isReel } from '@clear-to-post/domain/networks'
import {
  bearer,
  countIn,
  RefusedByNetwork,
  requireDone,
  withQuery,
  type Adapter,
  type Answer,
  type Work,
} from './adapter.ts'
import { bring, commentsOf, erase, graphVersion, kindOf, read, readIfThere, write } from './meta.ts'
import { tokensOf } from './oauth.ts'

/**
 * Facebook Pages. A reel takes the bytes unseen, and `upload_phase=finish` shows it. Proof: the phases of the video say whether it was
 * asked to be published, and whether it is (developers.facebook.com/docs/video-api/guides/reels-publishing). What is no reel is brought
 * as a video that is not published, and one repeatable update shows it. Proof: the video says whether it is published
 * (developers.facebook.com/docs/graph-api/reference/page/videos, …/reference/video).
 */
export const facebook: Adapter = {
  network: 'facebook',
  hosts: {
    accounts: 'https://www.facebook.com',
    api: 'https://graph.facebook.com',
    site: 'https://www.facebook.com',
  },
  partBytes: Infinity,
  // This network offers no PKCE to apps with a secret; the state alone binds the way to the person.
  authorize: ({ clientId, hosts }, { state, redirectUri }) =>
    withQuery(`${hosts['accounts']}/${graphVersion}/dialog/oauth`, {
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'pages_show_list,pages_read_engagement,pages_manage_posts,pages_manage_engagement',
      state,
    }),
  // Each page has a token of its own, which lasts because the person's is a lasting one when it is given out.
  accounts: async (keys, ask, { code, redirectUri, now }) => {
    const app = { client_id: keys.clientId, client_secret: keys.clientSecret }
    const tokenFor = async (given: Record<string, string>) => {
      const answer = await ask(
        withQuery(`${keys.hosts['api']}/${graphVersion}/oauth/access_token`, { ...app, ...given }),
      )
      return tokensOf(requireDone(answer, ({ status }) => (status === 400 ? 'reauth' : kindOf(answer))).json(), now)
    }
    const short = await tokenFor({ redirect_uri: redirectUri, code })
    const lasting = await tokenFor({ grant_type: 'fb_exchange_token', fb_exchange_token: short.access })
    const { data = [] } = (await read({ keys, ask, token: lasting.access }, `${graphVersion}/me/accounts`, {
      fields: 'id,name,access_token,tasks',
      limit: '100',
    })) as { data?: { id: string; name: string; access_token: string; tasks?: string[] }[] }
    return data
      .filter(({ tasks }) => tasks?.includes('CREATE_CONTENT'))
      .map(({ id, name, access_token: access }) => ({
        id,
        name,
        tokens: { access, accessEndsAt: null, refresh: null, endsAt: null },
      }))
  },
  // A page's token ends by no date, and is renewed by connecting anew.
  refresh: () => Promise.resolve(null),
  // Ending the grant would end it for every page of the person's.
  revoke: null,
  measure: {
    most: 25,
    perMinute: 30,
    read: async (work, ids) => {
      const found = new Map<string, Figures>()
      for (const id of ids) {
        const said = (await readIfThere(work, `${graphVersion}/${id}`, {
          fields: 'views,likes.summary(true).limit(0),comments.summary(true).limit(0)',
        })) as { views?: unknown; likes?: Summary; comments?: Summary } | null
        if (said)
          found.set(id, {
            views: countIn(said.views),
            likes: countIn(said.likes?.summary?.total_count),
            comments: countIn(said.comments?.summary?.total_count),
          })
      }
      return found
    },
  },
  comment: commentsOf(graphVersion, 'message'),
  prepare: (work) => (isVideo(work) ? prepareVideo(work) : prepareReel(work)),
  publish: async (work) => {
    const video = String(work.handles['video'])
    if (isVideo(work)) await write(work, `${graphVersion}/${video}`, { published: 'true' })
    else
      await write(work, `${graphVersion}/${work.accountId}/video_reels`, {
        upload_phase: 'finish',
        video_id: video,
        video_state: 'PUBLISHED',
        description: work.post.words,
      })
    // A reel is worked on only now, and shown when that is done.
    return { is: 'processing' }
  },
  find: async (work) => {
    const status = await statusOf(work)
    const { video_status: video, processing_phase: processing, publishing_phase: publishing, published } = status
    const isShown = isVideo(work)
      ? published === true && video === 'ready'
      : publishing?.status === 'complete' || (video === 'ready' && publishing?.publish_status === 'published')
    if (isShown) {
      const id = String(work.handles['video'])
      const link = status.permalink
      const { site } = work.keys.hosts
      return { is: 'live', id, address: link === undefined ? `${site}/reel/${id}` : new URL(link, site).href }
    }
    if (video === 'error' || processing?.status === 'error' || publishing?.status === 'error')
      return { is: 'refused', kind: 'permanent', words: couldNot(status) }
    if (video === 'expired') return { is: 'expired' }
    if (isVideo(work)) return published === undefined ? { is: 'unknown' } : { is: published ? 'processing' : 'absent' }
    // Nothing after the upload has begun: nobody asked for it to be published, or it has not come to its turn there yet.
    const isUntouched =
      isIdle(processing?.status) && isIdle(publishing?.status) && publishing?.publish_status === undefined
    if (!isUntouched) return { is: 'processing' }
    const until = new Date((work.post.armedAt?.getTime() ?? 0) + turnMs)
    return work.now() < until ? { is: 'unknown', until } : { is: 'absent' }
  },
  takeDown: (work) => erase(work, `${graphVersion}/${work.postId}`),
}

/** As what it was begun stays; a video's upload has a session. */
const isVideo = ({ handles, file: { seconds, width, height } }: Work): boolean =>
  (handles['video'] ?? null) === null
    ? !isReel('facebook', { durationMs: seconds === null ? null : seconds * 1000, width, height })
    : (handles['session'] ?? null) !== null

const prepareReel = async (work: Work): Promise<'ready' | 'waiting'> => {
  const { accountId, keep } = work
  if ((work.handles['video'] ?? null) === null) {
    const { video_id: video, upload_url: uri } = (await write(work, `${graphVersion}/${accountId}/video_reels`, {
      upload_phase: 'start',
    })) as { video_id: string; upload_url: string }
    await keep({ video: String(video), uri })
  }
  const before = await statusOf(work)
  await requireUsable(work, before)
  if (isBrought(before)) return addCaptions(work)
  await bring(work, async () => Number((await statusOf(work)).uploading_phase?.bytes_transferred ?? 0))
  return isBrought(await statusOf(work)) ? addCaptions(work) : 'waiting'
}

/** Its parts are as large as the network asks for; worked on before its moment, it is shown at once. */
const prepareVideo = async (work: Work): Promise<'ready' | 'waiting'> => {
  const { accountId, file, post, keep } = work
  const path = `${graphVersion}/${accountId}/videos`
  if ((work.handles['video'] ?? null) === null) {
    const begun = (await write(work, path, { upload_phase: 'start', file_size: String(file.bytes) })) as Part & {
      video_id: string
      upload_session_id: string
    }
    await keep({ video: String(begun.video_id), session: String(begun.upload_session_id), ...placeOf(begun) })
  }
  const before = await statusOf(work)
  await requireUsable(work, before)
  if (isIdle(before.processing_phase?.status) && before.video_status !== 'ready') {
    await bringParts(work, path)
    const isAgain = work.handles['finishing'] === true
    await keep({ finishing: true })
    await write(work, path, {
      upload_phase: 'finish',
      upload_session_id: String(work.handles['session']),
      description: post.words,
      published: 'false',
    }).catch(async (error: unknown) => {
      // A session that was finished takes no second finish: then the video has all of its bytes.
      const isDone = isAgain && error instanceof RefusedByNetwork && isBrought(await statusOf(work))
      if (!isDone) throw error
    })
  }
  return (await statusOf(work)).video_status === 'ready' ? addCaptions(work) : 'waiting'
}

/** Nobody has seen what ran out there, or could not be worked on: another video is begun. */
const requireUsable = async ({ keep }: Work, status: Status): Promise<void> => {
  if (status.video_status !== 'expired' && status.video_status !== 'error') return
  await keep(nothingBegun)
  throw new RefusedByNetwork(status.video_status === 'expired' ? 'retry' : 'permanent', couldNot(status))
}
const nothingBegun = {
  video: null,
  uri: null,
  session: null,
  began: null,
  sent: null,
  finishing: null,
  captions: null,
}

/** Which part is wanted next: where the two are the same, all of them are there. */
type Part = { start_offset?: string | number; end_offset?: string | number }
const placeOf = ({ start_offset: from, end_offset: to }: Part) => ({ from: Number(from), to: Number(to) })

const bringParts = async (work: Work, path: string): Promise<void> => {
  const { keys, token, ask, file, keep } = work
  for (;;) {
    const from = Number(work.handles['from'])
    const to = Math.min(Number(work.handles['to']), file.bytes)
    if (!(from < to)) return
    const form = new FormData()
    form.set('upload_phase', 'transfer')
    form.set('upload_session_id', String(work.handles['session']))
    form.set('start_offset', String(from))
    form.set('video_file_chunk', await file.part(from, to - 1), 'part')
    const answer = await ask(`${keys.hosts['api']}/${path}`, { method: 'POST', headers: bearer(token), body: form })
    const next = wantedIn(answer)
    // A part that is there already is refused with the one that is wanted instead.
    const goesOn = next !== null && next.from > from
    if (!goesOn) requireDone(answer, kindOf)
    // The same part once more would be asked for without end.
    if (!goesOn) throw new RefusedByNetwork('retry', 'Facebook did not say which part of the video it wants.')
    await keep(next)
  }
}

const wantedIn = (answer: Answer): { from: number; to: number } | null => {
  if (answer.status >= 500) return null
  const said = answer.json() as Part & { error?: { error_data?: Part | string } }
  const { from, to } = placeOf(said.error === undefined ? said : (partIn(said.error.error_data) ?? {}))
  return Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 ? { from, to } : null
}

/** Some answers say it as a text. */
const partIn = (data: Part | string | undefined): Part | null | undefined => {
  if (typeof data !== 'string') return data
  try {
    return JSON.parse(data) as Part | null
  } catch {
    return null
  }
}

/**
 * What was asked to be published has been taken up there after so long. Facebook names no time; a finish whose answer was lost and that
 * is worked on later than this would be one that we say is not there.
 */
const turnMs = 600_000

/**
 * Captions of the video, before anybody sees it: the same language once more takes the place of the first. What is refused is left out
 * (developers.facebook.com/docs/graph-api/reference/video/captions).
 */
const addCaptions = async ({ captions, keys, token, ask, handles, keep }: Work): Promise<'ready'> => {
  if (!captions || (handles['captions'] ?? null) !== null) return 'ready'
  const files = await captions.read()
  if (!files) return 'ready'
  const locale = locales[captions.language]
  const form = new FormData()
  form.set('captions_file', new Blob([files.srt], { type: 'application/x-subrip' }), `captions.${locale}.srt`)
  if (locale === locales['en']) form.set('default_locale', locale!)
  const answer =
    locale === undefined
      ? null
      : await ask(`${keys.hosts['api']}/${graphVersion}/${handles['video']}/captions`, {
          method: 'POST',
          headers: bearer(token),
          body: form,
        })
  const kind = answer && kindOf(answer)
  const isRefused =
    answer === null || (answer.status >= 400 && answer.status < 500 && answer.status !== 408 && kind === null)
  if (!isRefused) requireDone(answer, kindOf)
  await keep({ captions: isRefused ? 'refused' : 'set' })
  return 'ready'
}

/** As Facebook names them. */
const locales: Partial<Record<string, string>> = {
  en: 'en_US',
  es: 'es_LA',
  pt: 'pt_BR',
  fr: 'fr_FR',
  ht: 'ht_HT',
  vi: 'vi_VN',
  tl: 'tl_PH',
  de: 'de_DE',
  it: 'it_IT',
  pl: 'pl_PL',
}

type Summary = { summary?: { total_count?: unknown } }
type Phase = { status?: string; bytes_transferred?: number; publish_status?: string; errors?: { message?: string }[] }
type Status = {
  video_status?: string
  uploading_phase?: Phase
  processing_phase?: Phase
  publishing_phase?: Phase
  permalink?: string | undefined
  /** Of a video that is no reel. */
  published?: boolean | undefined
}

const isIdle = (status: string | undefined): boolean => status === undefined || status === 'not_started'
const isBrought = ({ uploading_phase: uploading }: Status): boolean => uploading?.status === 'complete'

const statusOf = async (work: Work): Promise<Status> => {
  const fields = isVideo(work) ? 'status,permalink_url,published' : 'status,permalink_url'
  const said = (await read(work, `${graphVersion}/${work.handles['video']}`, { fields })) as {
    status?: Status
    permalink_url?: string
    published?: boolean
  }
  return { ...said.status, permalink: said.permalink_url, published: said.published }
}

const couldNot = ({ uploading_phase: a, processing_phase: b, publishing_phase: c }: Status): string => {
  const why = [a, b, c].flatMap((phase) => phase?.errors ?? []).find(({ message }) => message !== undefined)?.message
  return `Facebook could not work on this video${why === undefined ? '' : `: ${why}`}.`
}
