import type { StandIn } from './stand-in.ts'
import { youtubeStandIn } from './youtube.ts'

/** Every network that can be stood in for. */
export const standIns: readonly StandIn[] = [youtubeStandIn]
