import type { Box, Size } from './safe-area.ts'
import type { Aspect } from './recipe.ts'

/**
 * What the networks’ apps draw over a video, in parts of the frame from above, below and the right, measured upright at
 * 1080 × 1920 on posts of people, not on advertisements: those carry a button more (Meta publishes 35 % from below for
 * them). The apps change without notice and look different on every phone, so how sure a row is stands in it: `reported`
 * by several who measured it, `assumed` from a network that looks like it. Networks publish nothing for posts.
 */
export const networkAreas = {
  instagram: {
    name: 'Instagram Reels',
    top: 0.115,
    bottom: 0.23,
    rail: 0.12,
    sure: 'reported',
  },
  facebook: { name: 'Facebook Reels', top: 0.115, bottom: 0.23, rail: 0.12, sure: 'assumed' },
  tiktok: { name: 'TikTok', top: 0.07, bottom: 0.2, rail: 0.13, sure: 'reported' },
  youtube: { name: 'YouTube Shorts', top: 0.1, bottom: 0.25, rail: 0.15, sure: 'reported' },
  linkedin: { name: 'LinkedIn', top: 0.08, bottom: 0.2, rail: 0.12, sure: 'assumed' },
} as const satisfies Record<string, NetworkArea>

type NetworkArea = {
  name: string
  top: number
  bottom: number
  /** How wide the column of buttons is that stands on the right over the lower half. */
  rail: number
  sure: 'reported' | 'assumed'
}

export type Network = keyof typeof networkAreas
export const networks = Object.keys(networkAreas) as Network[]
export const isNetwork = (name: string): name is Network => name in networkAreas

/** A part of the frame that an app draws over, in pixels. */
export type Covered = Box & { by: 'top' | 'words' | 'buttons' }

/** What a network’s app draws over a video; nothing for other shapes, which the apps show within their own frame. */
export const coveredBy = (network: Network, aspect: Aspect, { width, height }: Size): Covered[] => {
  if (aspect !== '9:16') return []
  const { top, bottom, rail } = networkAreas[network]
  const low = height * bottom
  return [
    { by: 'top', x: 0, y: 0, width, height: height * top },
    { by: 'words', x: 0, y: height - low, width, height: low },
    { by: 'buttons', x: width * (1 - rail), y: height / 2, width: width * rail, height: height / 2 - low },
  ]
}

/**
 * Do an app’s own words or buttons lie over a part of this? Its uppermost row is a thin one with much between its signs and
 * is left out; a pixel of the edge counts for nothing.
 */
export const isCovered = (network: Network, aspect: Aspect, frame: Size, box: Box): boolean =>
  coveredBy(network, aspect, frame).some(
    (one) =>
      one.by !== 'top' &&
      box.x + box.width - edge > one.x &&
      box.x + edge < one.x + one.width &&
      box.y + box.height - edge > one.y &&
      box.y + edge < one.y + one.height,
  )

const edge = 1
