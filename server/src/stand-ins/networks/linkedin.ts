import {
  commentOn,
  jsonIn,
  newId,
  publishTo,
  sha256,
  takeOf,
  thingsOf,
  type Quota,
  type StandIn,
  type StandInReply,
} from './stand-in.ts'

type Video = {
  account: string
  bytes: number
  parts: string[]
  tags: string[]
  isFinal: boolean
  sha256: string
  captions?: Record<string, string>
}

const requests: readonly Quota[] = [
  { what: 'requests of a member', most: 150, per: 'account', within: { dayIn: 'UTC' } },
  { what: 'requests of the app', most: 100_000, per: 'app', within: { dayIn: 'UTC' } },
]

/** LinkedIn: one address for each range and no token there, the parts' tags in order, the same post refused by its twin's name. */
export const linkedinStandIn: StandIn = {
  network: 'linkedin',
  name: 'LinkedIn',
  hint: 'Whoever has “page” in their name administers two pages.',
  sources: [
    'learn.microsoft.com/linkedin/marketing/community-management/shares/videos-api (2026-09)',
    'learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api (2026-09)',
    'learn.microsoft.com/linkedin/marketing/community-management/shares/comments-api (2026-09)',
    'learn.microsoft.com/linkedin/marketing/community-management/organizations/organization-access-control-by-role (2026-09)',
  ],
  tokens: { seconds: 5_184_000, refresh: 'none' },
  paths: { authorize: '/oauth/v2/authorization', token: '/oauth/v2/accessToken', revoke: '/oauth/v2/revoke' },
  quotas: requests,
  shownAt: ({ path }) => /^\/feed\/update\/([^/]+)$/.exec(path)?.[1],
  handle: (request, stage): StandInReply | null => {
    const { state, now, base, account, slowUntil, partBytes = 4 * 1024 * 1024 } = stage
    const { method, path, query, headers, body } = request
    const videos: Record<string, Video> = thingsOf(state, 'videos')
    const [, upload = '', index = ''] = /^\/upload\/(\w+)\/(\d+)$/.exec(path) ?? []
    if (upload) {
      const video = videos[upload]
      if (!video || headers['authorization'] !== undefined) return bad(401, 'No token is sent to an upload address.')
      const size = Math.min(partBytes, video.bytes - Number(index) * partBytes)
      if (method !== 'PUT' || body.length !== size) return bad(400, 'This address takes its own range alone.')
      video.parts[Number(index)] = body.toString('base64')
      video.tags[Number(index)] = sha256(body).slice(0, 16)
      return { headers: { etag: `"${video.tags[Number(index)]}"` }, json: {} }
    }
    if (account === null) return bad(401, 'Invalid access token')
    const [, captioned = ''] = /^\/captions\/(\w+)$/.exec(path) ?? []
    if (captioned !== '') {
      const video = videos[captioned]
      const text = body.toString()
      const [, language = ''] = /"language":"([A-Z]{2})"/.exec(text) ?? []
      const [, srt = ''] = /\r\n\r\n(1\r?\n\d\d:\d\d[\s\S]*?)\r\n--/.exec(text) ?? []
      if (!video || video.account !== account || video.isFinal) return bad(400, 'video')
      if (language === '' || srt === '' || !text.includes('"transcriptType":"CLOSED_CAPTION"'))
        return bad(400, 'metadata')
      video.captions = { [language.toLowerCase()]: sha256(Buffer.from(srt)) }
      return { json: {} }
    }
    if (path === '/v2/userinfo') return { json: { sub: account, name: account } }
    if (path === '/v2/me') return { json: { id: account, localizedFirstName: account } }
    if (!path.startsWith('/rest/')) return null
    if (headers['linkedin-version'] === undefined || headers['x-restli-protocol-version'] !== '2.0.0')
      return bad(400, 'A version must be present. Please specify a version by adding the LinkedIn-Version header.')
    for (const quota of requests)
      if (takeOf(stage, quota) !== null)
        return bad(429, `Resource level throttle limit for calls to this resource is reached: ${quota.what}`)
    if (path === '/rest/organizationAcls') {
      const element = (organization: string, role: string, state = 'APPROVED') => ({
        organization,
        role,
        state,
        roleAssignee: `urn:li:person:${account}`,
      })
      return query.get('q') === 'roleAssignee'
        ? {
            json: {
              elements: [
                ...pagesOf(account).map((page) => element(page, 'ADMINISTRATOR')),
                element('urn:li:organization:1', 'ANALYST'),
                element('urn:li:organization:2', 'ADMINISTRATOR', 'REVOKED'),
              ],
            },
          }
        : bad(400, 'q')
    }
    const [, organization = ''] = /^\/rest\/organizations\/(\d+)$/.exec(path) ?? []
    if (organization !== '') {
      const at = pagesOf(account).indexOf(`urn:li:organization:${organization}`)
      return at < 0
        ? bad(403, 'Not enough permissions')
        : { json: { id: Number(organization), localizedName: `${account} ${pageNames[at]}` } }
    }
    // Who speaks: the member, or a page of theirs.
    const isOneself = (urn: unknown) => urn === `urn:li:person:${account}` || pagesOf(account).includes(String(urn))
    const { initializeUploadRequest: begin, finalizeUploadRequest: end, ...asked } = jsonIn(request)
    if (path === '/rest/videos' && query.get('action') === 'initializeUpload') {
      if (!isOneself(begin?.owner) || !(begin.fileSizeBytes >= 75_000)) return bad(400, 'fileSizeBytes')
      const id = newId()
      videos[id] = { account, bytes: begin.fileSizeBytes, parts: [], tags: [], isFinal: false, sha256: '' }
      const count = Math.ceil(begin.fileSizeBytes / partBytes)
      const uploadInstructions = Array.from({ length: count }, (_, part) => ({
        firstByte: part * partBytes,
        lastByte: Math.min((part + 1) * partBytes, begin.fileSizeBytes) - 1,
        uploadUrl: `${base}/upload/${id}/${part}`,
      }))
      const captions = begin.uploadCaptions === true ? { captionsUploadUrl: `${base}/captions/${id}` } : {}
      return { json: { value: { video: `urn:li:video:${id}`, uploadToken: newId(), uploadInstructions, ...captions } } }
    }
    if (path === '/rest/videos' && query.get('action') === 'finalizeUpload') {
      const video = videos[String(end?.video).replace('urn:li:video:', '')]
      if (!video || video.account !== account) return bad(404, 'video')
      if (String(end.uploadedPartIds) !== String(video.tags)) return bad(400, 'uploadedPartIds')
      const bytes = Buffer.concat(video.parts.map((part) => Buffer.from(part, 'base64')))
      if (!video.isFinal) Object.assign(video, { isFinal: true, sha256: sha256(bytes), parts: [] })
      return { json: {} }
    }
    const video = videos[decodeURIComponent(path).replace('/rest/videos/urn:li:video:', '')]
    if (path.startsWith('/rest/videos/'))
      return video
        ? { json: { status: !video.isFinal ? 'WAITING_UPLOAD' : now < slowUntil ? 'PROCESSING' : 'AVAILABLE' } }
        : bad(404, 'video')
    if (path === '/rest/posts' && method === 'POST') {
      const media = videos[String(asked.content?.media?.id).replace('urn:li:video:', '')]
      if (!isOneself(asked.author) || asked.lifecycleState !== 'PUBLISHED') return bad(400, 'author')
      if (!media?.isFinal || now < slowUntil) return bad(400, 'The media is not ready.')
      const words = String(asked.commentary).replace(/\\(.)/gs, '$1')
      // The same words of the same author, whatever the video is.
      const bodies = thingsOf(state, 'bodies')
      const key = `${asked.author} ${words}`
      const twin = bodies[key]
      if (twin) return bad(422, `Content is a duplicate of ${twin}`)
      const id = `urn:li:share:${(BigInt(now) << 22n) + BigInt(state.made)}`
      bodies[key] = id
      publishTo(state, now, {
        id,
        account: String(asked.author).replace('urn:li:person:', ''),
        words,
        bytes: media.bytes,
        sha256: media.sha256,
        captions: media.captions,
      })
      return { status: 201, headers: { 'x-restli-id': id }, json: {} }
    }
    const [, commented = ''] = /^\/rest\/socialActions\/([^/]+)\/comments$/.exec(path) ?? []
    if (commented !== '' && method === 'POST') {
      const { actor, object, message } = asked
      const words = String(message?.text ?? '')
      if (!isOneself(actor) || object !== decodeURIComponent(commented)) return bad(400, 'actor')
      if (words === '' || words.length > 1250) return bad(400, 'message')
      const id = commentOn(state, now, decodeURIComponent(commented), { account: String(actor), words })
      return id === null ? bad(404, 'object') : { status: 201, headers: { 'x-restli-id': id }, json: {} }
    }
    const entry = state.timeline.find(({ id }) => id === decodeURIComponent(commented))
    if (commented !== '' && entry && pagesOf(account).includes(entry.account))
      return {
        json: {
          elements: (entry.comments ?? []).map(({ id, account: actor, words }) => ({
            id,
            actor,
            message: { text: words },
          })),
        },
      }
    // Comments of members are read by chosen partners alone.
    if (commented !== '') return bad(403, 'Not enough permissions to access: GET')
    if (path.startsWith('/rest/posts/') && method === 'DELETE') {
      const id = decodeURIComponent(path.slice('/rest/posts/'.length))
      state.timeline = state.timeline.filter((entry) => entry.id !== id)
      return { status: 204 }
    }
    return null
  },
}

/** The pages that somebody administers: two, whose numbers come of their name; nobody whose name does not say so has any. */
const pagesOf = (account: string): string[] =>
  (/page/i.test(account) ? pageNames : []).map((_name, at) => {
    const number = 1000 + Number.parseInt(sha256(Buffer.from(`${account} ${at}`)).slice(0, 8), 16)
    return `urn:li:organization:${number}`
  })
const pageNames = ['Home Loans', 'Team']

const bad = (status: number, message: string): StandInReply => ({ status, json: { status, message } })
