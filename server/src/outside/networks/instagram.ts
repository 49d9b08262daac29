import { RefusedByNetwork, type Adapter, type Work } from './adapter.ts'
import { bring, commentsOf, graphVersion, insightsOf, liveAt, loginOf, newestLike, read, write } from './meta.ts'

const login = loginOf({
  prefix: 'ig',
  tokenHost: 'token',
  scope:
    'instagram_business_basic,instagram_business_content_publish,instagram_business_manage_insights,instagram_business_manage_comments',
  me: 'me',
  id: 'user_id',
})

/**
 * Instagram with Instagram Login: a container takes the bytes and is worked on unseen; `media_publish` shows it. Proof: the container
 * says PUBLISHED (developers.facebook.com/docs/instagram-platform/content-publishing, …/resumable-uploads).
 */
export const instagram: Adapter = {
  network: 'instagram',
  hosts: {
    accounts: 'https://www.instagram.com',
    token: 'https://api.instagram.com',
    api: 'https://graph.instagram.com',
    site: 'https://www.instagram.com',
  },
  partBytes: Infinity,
  ...login,
  measure: insightsOf(graphVersion, {
    views: ['views'],
    likes: ['likes'],
    comments: ['comments'],
    shares: ['shares'],
    watchMs: ['ig_reels_video_view_total_time'],
  }),
  prepare: async (work) => {
    const { accountId, post, keep } = work
    if ((work.handles['container'] ?? null) === null) {
      const { id, uri } = (await write(work, `${graphVersion}/${accountId}/media`, {
        media_type: 'REELS',
        upload_type: 'resumable',
        caption: post.words,
        ...(post.coverMs === undefined ? {} : { thumb_offset: String(post.coverMs) }),
      })) as { id: string; uri: string }
      await keep({ container: id, uri })
    }
    const status = await statusOf(work)
    if (status === 'FINISHED') return 'ready'
    if (status === 'EXPIRED' || status === 'ERROR') {
      // Nobody has seen it: another container is made.
      await keep({ container: null, uri: null, began: null, sent: null })
      throw new RefusedByNetwork(
        status === 'EXPIRED' ? 'retry' : 'permanent',
        'Instagram could not work on this video.',
      )
    }
    await bring(work, () => bytesThere(work))
    return (await statusOf(work)) === 'FINISHED' ? 'ready' : 'waiting'
  },
  publish: async (work) => {
    const { accountId, handles } = work
    const { id } = (await write(work, `${graphVersion}/${accountId}/media_publish`, {
      creation_id: String(handles['container']),
    })) as { id: string }
    return liveAt(work, graphVersion, id)
  },
  find: async (work) => {
    const status = await statusOf(work)
    if (status === 'PUBLISHED')
      return liveAt(work, graphVersion, await newestLike(work, `${graphVersion}/${work.accountId}/media`, 'caption'))
    if (status === 'FINISHED') return { is: 'absent' }
    if (status === 'IN_PROGRESS') return { is: 'processing' }
    return { is: status === 'EXPIRED' || status === 'ERROR' ? 'expired' : 'unknown' }
  },
  comment: commentsOf(graphVersion, 'text'),
  takeDown: null,
}

/** What an upload that was cut off has brought. */
const bytesThere = async (work: Work): Promise<number> => {
  const said = (await read(work, `${graphVersion}/${work.handles['container']}`, { fields: 'video_status' })) as {
    video_status?: { uploading_phase?: { bytes_transferred?: number } }
  }
  return Number(said.video_status?.uploading_phase?.bytes_transferred ?? 0)
}

const statusOf = async (work: Work): Promise<string> =>
  (await read(work, `${graphVersion}/${work.handles['container']}`, { fields: 'status_code,status' })).status_code
