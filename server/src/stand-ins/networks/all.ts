import { blueskyStandIn } from './bluesky.ts'
import { facebookStandIn } from './facebook.ts'
import { instagramStandIn } from './instagram.ts'
import { linkedinStandIn } from './linkedin.ts'
import type { StandIn } from './stand-in.ts'
import { threadsStandIn } from './threads.ts'
import { tiktokStandIn } from './tiktok.ts'
import { xStandIn } from './x.ts'
import { youtubeStandIn } from './youtube.ts'

/** Every network that can be stood in for. */
export const standIns: readonly StandIn[] = [
  youtubeStandIn,
  blueskyStandIn,
  instagramStandIn,
  facebookStandIn,
  linkedinStandIn,
  tiktokStandIn,
  xStandIn,
  threadsStandIn,
]
