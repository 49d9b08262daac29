import type { Project } from '@clear-to-post/contract/projects'
import type { PostFile } from '@clear-to-post/domain/networks'

/** The video that is posted: its file and where it is played from, as far as they are known. */
export type Approved = { file: PostFile | undefined; video: string | undefined }

export const approvedOf = ({ assets = [], finalVideoId }: Project): Approved => {
  const asset = assets.find(({ assetId }) => assetId === finalVideoId)
  if (!asset) return { file: undefined, video: undefined }
  const { duration, fileSize, width = null, height = null, format, playUrl } = asset
  const durationMs = duration === undefined ? null : duration * 1000
  return { file: { durationMs, bytes: fileSize, width, height, format }, video: playUrl }
}
