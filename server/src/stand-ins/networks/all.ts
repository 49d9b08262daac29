import { instagramStandIn } from './instagram.ts'
import { linkedinStandIn } from './linkedin.ts'
import type { StandIn } from './stand-in.ts'
import { tiktokStandIn } from './tiktok.ts'
import { xStandIn } from './x.ts'
import { youtubeStandIn } from './youtube.ts'

/** Every network that can be stood in for. */
export const standIns: readonly StandIn[] = [youtubeStandIn, instagramStandIn, linkedinStandIn, tiktokStandIn, xStandIn]
