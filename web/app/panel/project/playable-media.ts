import type { z } from 'zod'
import type { Asset } from '@clear-to-post/contract/assets'
import type { Project, Version } from '@clear-to-post/contract/projects'
import type { PlayerMedia } from '../../ui/player-stage.tsx'
import { messages } from './messages.ts'

/** One thing of a project that can be watched: a version, newest first, or a source file. */
export type PlayableMedia = {
  /** As in the address: `v2`, `s1`. */
  key: string
  name: string
  short: string
  asset: Asset
  version?: z.infer<typeof Version>
  /** The edit was changed after this cut was rendered and before it was sent. */
  isOlder?: boolean
}

export const playableMediaOf = (project: Project, versions: readonly z.infer<typeof Version>[]): PlayableMedia[] => {
  const cuts = versions.map((version) => ({
    key: `v${version.number}`,
    name: messages.version(version.number),
    short: `C${version.number}`,
    asset: version.asset,
    version,
    isOlder: project.timeline.some(
      ({ metadata: { verb, cut, isOlder } }) => verb === 'send' && cut === version.number && isOlder === true,
    ),
  }))
  const sources = sourcesOf(project).filter(({ type }) => type === 'video')
  return [
    ...cuts,
    ...sources.map((asset, index) => ({
      key: `s${index + 1}`,
      name: sources.length > 1 ? messages.sourceOf(index + 1) : messages.source,
      short: sources.length > 1 ? `S${index + 1}` : 'S',
      asset,
    })),
  ]
}

/** The cut that counts now, as far as it is loaded. */
export const currentOf = (project: Project, playable: readonly PlayableMedia[]): PlayableMedia | undefined =>
  playable.find(({ version }) => version?.number === project.currentCut)

/** The officer's files; the finished cut travels in the same list and is left out. */
export const sourcesOf = ({ assets = [], finalVideoId }: Project): Asset[] =>
  assets.filter(({ assetId }) => assetId !== finalVideoId)

export const mediaOf = ({ asset, name, short }: PlayableMedia): PlayerMedia => ({
  id: asset.assetId,
  name,
  short,
  playUrl: asset.playUrl,
  posterUrl: asset.posterUrl || asset.thumbnailUrl || undefined,
  peaksUrl: asset.peaksUrl,
  filmstrip: asset.filmstrip,
  width: asset.width,
  height: asset.height,
  pending: messages.pending(asset),
})
