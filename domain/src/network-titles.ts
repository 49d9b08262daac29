import type { Network } from './networks.ts'

/** As each network writes itself; apart from its limits, which a page that names networks does not need. */
export const networkTitles = {
  youtube: 'YouTube',
  bluesky: 'Bluesky',
  instagram: 'Instagram',
  facebook: 'Facebook',
  linkedin: 'LinkedIn',
  tiktok: 'TikTok',
  x: 'X',
  threads: 'Threads',
} as const satisfies Record<Network, string>
