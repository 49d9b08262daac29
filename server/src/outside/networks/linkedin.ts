import { cutText } from '@clear-to-post/domain/cut-text'
import {
  bearer,
  clocksMs,
  json,
  RefusedByNetwork,
  requireDone,
  withQuery,
  type Account,
  type Adapter,
  type Answer,
  type AppKeys,
  type Ask,
  type Tokens,
  type Work,
} from './adapter.ts'
import { oauthOf } from './oauth.ts'

// This network offers no PKCE to apps with a secret; the state alone binds the way to the person.
const oauth = oauthOf({
  token: ['accounts', '/oauth/v2/accessToken'],
  revoke: ['accounts', '/oauth/v2/revoke'],
  pkce: false,
})

/**
 * LinkedIn for members and, with an app for it, the pages that they administer: the video is uploaded by ranges, each to its own address; one request makes the post. Proof: the very same
 * body is refused as a duplicate that names the post, so asking again posts it at most once
 * (learn.microsoft.com/linkedin/marketing/community-management/shares/videos-api, …/posts-api).
 */
export const linkedin: Adapter = {
  network: 'linkedin',
  hosts: { accounts: 'https://www.linkedin.com', api: 'https://api.linkedin.com', site: 'https://www.linkedin.com' },
  // The network names the parts.
  partBytes: Infinity,
  authorize: ({ clientId, hosts, hasPages }, { state, redirectUri }) =>
    withQuery(`${hosts['accounts']}/oauth/v2/authorization`, {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      // An app with the Community Management API has no other product: who signs in is read otherwise there.
      scope: hasPages
        ? 'r_basicprofile w_member_social w_organization_social r_organization_social rw_organization_admin'
        : 'openid profile w_member_social',
      state,
    }),
  accounts: async (keys, ask, given) => {
    const { tokens } = await oauth.exchange(keys, ask, given)
    if (keys.hasPages) return memberAndPages(keys, ask, tokens)
    const me = requireDone(
      await ask(`${keys.hosts['api']}/v2/userinfo`, { headers: bearer(tokens.access) }),
    ).json() as { sub: string; name: string }
    return [{ id: me.sub, name: me.name, tokens }]
  },
  // Only chosen partners are given refresh tokens.
  refresh: oauth.refresh,
  revoke: oauth.revoke,
  prepare: async (work) => {
    const { keys, ask, accountId, file, keep } = work
    const videos = `${keys.hosts['api']}/rest/videos`
    if (work.handles['video'] === undefined) {
      const { value } = requireDone(
        await ask(`${videos}?action=initializeUpload`, {
          method: 'POST',
          headers: headersOf(work),
          body: JSON.stringify({
            initializeUploadRequest: {
              owner: authorOf(accountId),
              fileSizeBytes: file.bytes,
              uploadCaptions: (await work.captions?.read()) != null,
              uploadThumbnail: false,
            },
          }),
        }),
      ).json() as { value: Initialized }
      await keep({
        video: value.video,
        uploadToken: value.uploadToken,
        ranges: value.uploadInstructions.map(
          ({ firstByte, lastByte, uploadUrl }) => `${firstByte} ${lastByte} ${uploadUrl}`,
        ),
        tags: [],
        ...(value.captionsUploadUrl === undefined ? {} : { captionsUrl: value.captionsUploadUrl }),
      })
    }
    const ranges = work.handles['ranges'] as readonly string[]
    for (let index = (work.handles['tags'] as readonly string[]).length; index < ranges.length; index++) {
      const [first, last, address] = ranges[index]!.split(' ') as [string, string, string]
      // The address is its own permission: no token goes there.
      const answer = requireDone(
        await ask(address, {
          method: 'PUT',
          headers: { 'content-type': 'application/octet-stream' },
          body: await file.part(Number(first), Number(last)),
        }),
      )
      const tag = (answer.headers.get('etag') ?? '').replaceAll('"', '')
      await keep({ tags: [...(work.handles['tags'] as readonly string[]), tag] })
    }
    await bringCaptions(work)
    if (work.handles['finalized'] !== true) {
      requireDone(
        await ask(`${videos}?action=finalizeUpload`, {
          method: 'POST',
          headers: headersOf(work),
          body: JSON.stringify({
            finalizeUploadRequest: {
              video: work.handles['video'],
              uploadToken: work.handles['uploadToken'],
              uploadedPartIds: work.handles['tags'],
            },
          }),
        }),
      )
      await keep({ finalized: true })
    }
    const { status } = requireDone(
      await ask(`${videos}/${encodeURIComponent(String(work.handles['video']))}`, { headers: headersOf(work) }),
    ).json() as { status: string }
    if (status === 'PROCESSING_FAILED')
      throw new RefusedByNetwork('permanent', 'LinkedIn could not work on this video.')
    return status === 'AVAILABLE' ? 'ready' : 'waiting'
  },
  publish: (work) => post(work),
  // Members' posts cannot be read: the same body once more says it.
  find: (work) => post(work),
  findSends: true,
  // Members' comments cannot be read by apps of our kind, and the same one once more is another comment; a page's can.
  comment: {
    publish: async (work) => {
      const { keys, ask, accountId, comment } = work
      const answer = requireDone(
        await ask(`${keys.hosts['api']}/rest/socialActions/${encodeURIComponent(comment.postId)}/comments`, {
          method: 'POST',
          headers: headersOf(work),
          body: JSON.stringify({
            actor: authorOf(accountId),
            object: comment.postId,
            message: { text: comment.words },
          }),
        }),
      )
      return answer.headers.get('x-restli-id')
    },
    find: async (work) => {
      const { keys, ask, accountId, comment } = work
      if (!isPage(accountId)) return { is: 'untold' }
      const { elements = [] } = requireDone(
        await ask(
          withQuery(`${keys.hosts['api']}/rest/socialActions/${encodeURIComponent(comment.postId)}/comments`, {
            count: '100',
          }),
          { headers: headersOf(work) },
        ),
      ).json() as { elements?: { id: string; actor: string; message?: { text?: string } }[] }
      const found = elements.find(({ actor, message }) => actor === accountId && message?.text === comment.words)
      return found ? { is: 'live', id: found.id } : { is: 'absent' }
    },
  },
  // Members' posts cannot be read by an app of this kind.
  measure: null,
  takeDown: async ({ keys, token, ask, postId }) => {
    const answer = await ask(`${keys.hosts['api']}/rest/posts/${encodeURIComponent(postId)}`, {
      method: 'DELETE',
      headers: headersOf({ token }),
    })
    if (answer.status !== 404) requireDone(answer)
  },
}

/** A page stands under its whole name, a member under the number of theirs. */
export const isPage = (accountId: string): boolean => accountId.startsWith('urn:li:organization:')
const authorOf = (accountId: string): string => (isPage(accountId) ? accountId : `urn:li:person:${accountId}`)

/**
 * The member, and each page that they administer, with the same keys
 * (learn.microsoft.com/linkedin/marketing/community-management/organizations/organization-access-control-by-role, …/organization-lookup-api).
 */
const memberAndPages = async (keys: AppKeys, ask: Ask, tokens: Tokens): Promise<Account[]> => {
  const { api } = keys.hosts
  const headers = headersOf({ token: tokens.access })
  const me = requireDone(await ask(`${api}/v2/me`, { headers: bearer(tokens.access) })).json() as {
    id: string
    localizedFirstName?: string
    localizedLastName?: string
  }
  const query = { q: 'roleAssignee', role: 'ADMINISTRATOR', state: 'APPROVED', count: '50' }
  const { elements = [] } = requireDone(
    await ask(withQuery(`${api}/rest/organizationAcls`, query), { headers }),
  ).json() as { elements?: { organization?: string; role: string; state: string }[] }
  const pages: Account[] = []
  for (const { organization: id = '', role, state } of elements) {
    if (!isPage(id) || role !== 'ADMINISTRATOR' || state !== 'APPROVED') continue
    const { localizedName } = requireDone(
      await ask(`${api}/rest/organizations/${id.split(':').at(-1)}`, { headers }),
    ).json() as { localizedName: string }
    pages.push({ id, name: localizedName, tokens })
  }
  const name = [me.localizedFirstName, me.localizedLastName].filter(Boolean).join(' ')
  return [{ id: me.id, name: name === '' ? me.id : name, tokens }, ...pages]
}

type Initialized = {
  video: string
  uploadToken: string
  uploadInstructions: { firstByte: number; lastByte: number; uploadUrl: string }[]
  captionsUploadUrl?: string
}

/** Captions go to an address of their own before the upload is ended; what is refused is left out. */
const bringCaptions = async ({ captions, token, ask, handles, keep }: Work): Promise<void> => {
  const address = handles['captionsUrl']
  if (!captions || typeof address !== 'string' || handles['captions'] !== undefined) return
  const files = await captions.read()
  if (!files) return
  const form = new FormData()
  const locale =
    captions.language === 'en'
      ? { variant: 'AMERICAN', country: 'US', language: 'EN' }
      : { language: captions.language.toUpperCase() }
  const about = { format: 'SRT', formattedForEasyReader: true, largeText: false, source: 'USER_PROVIDED' }
  form.set('metadata', JSON.stringify({ ...about, locale, transcriptType: 'CLOSED_CAPTION' }))
  form.set('file', new Blob([files.srt], { type: 'application/x-subrip' }), 'captions.srt')
  const answer = await ask(address, { method: 'POST', headers: bearer(token), body: form })
  const isRefused = answer.status >= 400 && answer.status < 500 && answer.status !== 408 && answer.status !== 401
  if (!isRefused) requireDone(answer)
  await keep({ captions: isRefused ? 'refused' : 'set' })
}

const post = async (work: Work) => {
  const { keys, ask, accountId, handles, post: given } = work
  const answer = await ask(`${keys.hosts['api']}/rest/posts`, {
    method: 'POST',
    headers: headersOf(work),
    body: JSON.stringify({
      author: authorOf(accountId),
      commentary: littleText(given.words),
      visibility: 'PUBLIC',
      distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
      content: { media: { id: handles['video'], title: cutText(given.words, 100) } },
      lifecycleState: 'PUBLISHED',
      isReshareDisabledByAuthor: false,
    }),
  })
  const [, twin, number = '0'] = /duplicate of (urn:li:(?:share|ugcPost):(\d+))/.exec(answer.text) ?? []
  // A number holds the moment at which it was given out: an older one is another post with the same words, and any is while this
  // one was never armed. A newer one may still be another post of ours: `isTwin`.
  if (twin !== undefined && Number(BigInt(number) >> 22n) < (given.armedAt?.getTime() ?? Infinity) - clocksMs)
    throw new RefusedByNetwork(
      'permanent',
      'LinkedIn has a post with these words already. Schedule it with other words.',
    )
  const id = twin ?? requireDone(answer, kindOfPost).headers.get('x-restli-id')
  // It was taken, whatever its name is.
  return {
    is: 'live' as const,
    id: id ?? String(handles['video']),
    address: id === null ? null : `${keys.hosts['site']}/feed/update/${id}`,
    isTwin: twin !== undefined,
  }
}

/** A video that is still worked on is asked for again until it is not: whether the post is there, only a later answer says. */
const kindOfPost = ({ status, text }: Answer) =>
  status === 400 && /MEDIA_ASSET_(?:PROCESSING|WAITING_UPLOAD)(?!_)|not ready/i.test(text) ? 'retry' : null

/** The version is one of the last twelve months. */
const version = '202609'
const headersOf = ({ token }: Pick<Work, 'token'>): Record<string, string> => ({
  ...bearer(token),
  ...json,
  'linkedin-version': version,
  'x-restli-protocol-version': '2.0.0',
})

/** Signs that mean something in LinkedIn's "little text" stand for themselves; hashtags stay hashtags. */
export const littleText = (words: string): string => words.replace(/[\\<>~_|[\]*(){}@]/g, (sign) => `\\${sign}`)
