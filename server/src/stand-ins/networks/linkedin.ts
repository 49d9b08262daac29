import { jsonIn, newId, publishTo, sha256, thingsOf, type StandIn, type StandInReply } from './stand-in.ts'

type Video = { account: string; bytes: number; parts: string[]; tags: string[]; isFinal: boolean; sha256: string }

/** LinkedIn: one address for each range and no token there, the parts' tags in order, the same post refused by its twin's name. */
export const linkedinStandIn: StandIn = {
  network: 'linkedin',
  name: 'LinkedIn',
  sources: [
    'learn.microsoft.com/linkedin/marketing/community-management/shares/videos-api (2026-09)',
    'learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api (2026-09)',
  ],
  tokens: { seconds: 5_184_000, refresh: 'none' },
  paths: { authorize: '/oauth/v2/authorization', token: '/oauth/v2/accessToken', revoke: '/oauth/v2/revoke' },
  handle: (request, { state, now, base, account, slowUntil, partBytes = 4 * 1024 * 1024 }): StandInReply | null => {
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
    if (path === '/v2/userinfo') return { json: { sub: account, name: account } }
    if (!path.startsWith('/rest/')) return null
    if (headers['linkedin-version'] === undefined || headers['x-restli-protocol-version'] !== '2.0.0')
      return bad(400, 'A version must be present. Please specify a version by adding the LinkedIn-Version header.')
    const { initializeUploadRequest: begin, finalizeUploadRequest: end, ...asked } = jsonIn(request)
    if (path === '/rest/videos' && query.get('action') === 'initializeUpload') {
      if (begin?.owner !== `urn:li:person:${account}` || !(begin.fileSizeBytes >= 75_000))
        return bad(400, 'fileSizeBytes')
      const id = newId()
      videos[id] = { account, bytes: begin.fileSizeBytes, parts: [], tags: [], isFinal: false, sha256: '' }
      const count = Math.ceil(begin.fileSizeBytes / partBytes)
      const uploadInstructions = Array.from({ length: count }, (_, part) => ({
        firstByte: part * partBytes,
        lastByte: Math.min((part + 1) * partBytes, begin.fileSizeBytes) - 1,
        uploadUrl: `${base}/upload/${id}/${part}`,
      }))
      return { json: { value: { video: `urn:li:video:${id}`, uploadToken: newId(), uploadInstructions } } }
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
      if (asked.author !== `urn:li:person:${account}` || asked.lifecycleState !== 'PUBLISHED') return bad(400, 'author')
      if (!media?.isFinal || now < slowUntil) return bad(400, 'The media is not ready.')
      const words = String(asked.commentary).replace(/\\(.)/gs, '$1')
      // The same words of the same author, whatever the video is.
      const bodies = thingsOf(state, 'bodies')
      const key = `${account} ${words}`
      const twin = bodies[key]
      if (twin) return bad(422, `Content is a duplicate of ${twin}`)
      const id = `urn:li:share:${(BigInt(now) << 22n) + BigInt(state.made)}`
      bodies[key] = id
      publishTo(state, now, { id, account, words, bytes: media.bytes, sha256: media.sha256 })
      return { status: 201, headers: { 'x-restli-id': id }, json: {} }
    }
    if (path.startsWith('/rest/posts/') && method === 'DELETE') {
      const id = decodeURIComponent(path.slice('/rest/posts/'.length))
      state.timeline = state.timeline.filter((entry) => entry.id !== id)
      return { status: 204 }
    }
    return null
  },
}

const bad = (status: number, message: string): StandInReply => ({ status, json: { status, message } })
