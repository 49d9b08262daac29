import type { z } from 'zod'
import type { Asset } from '@clear-to-post/contract/assets'
import type { Project, Cut } from '@clear-to-post/contract/projects'
import type { PlayerMedia } from '../../ui/player-stage.tsx'
import { messages } from './messages.ts'

/** One thing of a project that can be watched: a cut, newest first, or a source file. */
export type PlayableMedia = {
  /** As in the address: `v2`, `s1`. */
  key: string
  name: string
  short: string
  asset: Asset
  cut?: z.infer<typeof Cut>
  /** The edit was changed after this cut was rendered and before it was sent. */
  isOlder?: boolean
}

export const playableMediaOf = (project: Project, sent: readonly z.infer<typeof Cut>[]): PlayableMedia[] => {
  const cuts = sent.map((cut) => ({
    key: `v${cut.number}`,
    name: messages.cut(cut.number),
    short: `C${cut.number}`,
    asset: cut.asset,
    cut,
    isOlder: project.timeline.some(
      ({ metadata: { verb, cut: number, isOlder } }) => verb === 'send' && number === cut.number && isOlder === true,
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
  playable.find(({ cut }) => cut?.number === project.currentCut)

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
