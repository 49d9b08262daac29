import type { Project } from '@clear-to-post/contract/projects'
import type { PostFile } from '@clear-to-post/domain/networks'
import type { Captioned } from './caption-words.tsx'

/** The video that is posted: its file, where it is played from, and whose captions go with it, as far as they are known. */
export type Approved = { file: PostFile | undefined; video: string | undefined; captioned: Captioned | undefined }

export const approvedOf = ({ id, assets = [], finalVideoId }: Project): Approved => {
  const asset = assets.find(({ assetId }) => assetId === finalVideoId)
  const captioned = finalVideoId === undefined ? undefined : { projectId: id, assetId: finalVideoId }
  if (!asset) return { file: undefined, video: undefined, captioned }
  const { duration, fileSize, width = null, height = null, format, playUrl } = asset
  const durationMs = duration === undefined ? null : duration * 1000
  return { file: { durationMs, bytes: fileSize, width, height, format }, video: playUrl, captioned }
}
