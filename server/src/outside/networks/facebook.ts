import type { Figures } from '@clear-to-post/domain/figures'
import { bearer, countIn, RefusedByNetwork, requireDone, withQuery, type Adapter, type Work } from './adapter.ts'
import { bring, commentsOf, erase, graphVersion, kindOf, read, readIfThere, write } from './meta.ts'
import { tokensOf } from './oauth.ts'

/**
 * Facebook Pages, as reels: a video takes the bytes unseen, and `upload_phase=finish` shows it. Proof: the phases of the video say
 * whether it was asked to be published, and whether it is (developers.facebook.com/docs/video-api/guides/reels-publishing).
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
  prepare: async (work) => {
    const { accountId, keep } = work
    if ((work.handles['video'] ?? null) === null) {
      const { video_id: video, upload_url: uri } = (await write(work, `${graphVersion}/${accountId}/video_reels`, {
        upload_phase: 'start',
      })) as { video_id: string; upload_url: string }
      await keep({ video: String(video), uri })
    }
    const before = await statusOf(work)
    if (before.video_status === 'expired' || before.video_status === 'error') {
      // Nobody has seen it: another video is begun.
      await keep({ video: null, uri: null, began: null, sent: null, captions: null })
      throw new RefusedByNetwork(before.video_status === 'expired' ? 'retry' : 'permanent', couldNot(before))
    }
    if (isBrought(before)) return addCaptions(work)
    await bring(work, () => Promise.resolve(Number(before.uploading_phase?.bytes_transferred ?? 0)))
    return isBrought(await statusOf(work)) ? addCaptions(work) : 'waiting'
  },
  publish: async (work) => {
    await write(work, `${graphVersion}/${work.accountId}/video_reels`, {
      upload_phase: 'finish',
      video_id: String(work.handles['video']),
      video_state: 'PUBLISHED',
      description: work.post.words,
    })
    // It is worked on only now, and shown when that is done.
    return { is: 'processing' }
  },
  find: async (work) => {
    const status = await statusOf(work)
    const { video_status: video, processing_phase: processing, publishing_phase: publishing } = status
    if (publishing?.status === 'complete' || (video === 'ready' && publishing?.publish_status === 'published')) {
      const id = String(work.handles['video'])
      const link = status.permalink
      const { site } = work.keys.hosts
      return { is: 'live', id, address: link === undefined ? `${site}/reel/${id}` : new URL(link, site).href }
    }
    if (video === 'error' || processing?.status === 'error' || publishing?.status === 'error')
      return { is: 'refused', kind: 'permanent', words: couldNot(status) }
    if (video === 'expired') return { is: 'expired' }
    // Nothing after the upload has begun: nobody asked for it to be published, or it has not come to its turn there yet.
    const isUntouched =
      isIdle(processing?.status) && isIdle(publishing?.status) && publishing?.publish_status === undefined
    if (!isUntouched) return { is: 'processing' }
    const until = new Date((work.post.armedAt?.getTime() ?? 0) + turnMs)
    return work.now() < until ? { is: 'unknown', until } : { is: 'absent' }
  },
  takeDown: (work) => erase(work, `${graphVersion}/${work.postId}`),
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
  const locale = locales[captions.language]
  const form = new FormData()
  form.set('captions_file', new Blob([captions.srt], { type: 'application/x-subrip' }), `captions.${locale}.srt`)
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
}

const isIdle = (status: string | undefined): boolean => status === undefined || status === 'not_started'
const isBrought = ({ uploading_phase: uploading }: Status): boolean => uploading?.status === 'complete'

const statusOf = async (work: Work): Promise<Status> => {
  const said = (await read(work, `${graphVersion}/${work.handles['video']}`, { fields: 'status,permalink_url' })) as {
    status?: Status
    permalink_url?: string
  }
  return { ...said.status, permalink: said.permalink_url }
}

const couldNot = ({ uploading_phase: a, processing_phase: b, publishing_phase: c }: Status): string => {
  const why = [a, b, c].flatMap((phase) => phase?.errors ?? []).find(({ message }) => message !== undefined)?.message
  return `Facebook could not work on this video${why === undefined ? '' : `: ${why}`}.`
}
