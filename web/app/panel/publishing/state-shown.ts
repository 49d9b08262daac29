import { networks, type Network, type NetworkLimits } from '@clear-to-post/domain/networks'
import type { PostState } from '@clear-to-post/domain/posting'

/** What is said of a post: nothing was uploaded yet where the file goes at the moment itself. */
export const stateShown = (state: PostState, network: Network): PostState | 'checking' | 'checked' => {
  const { goesAtMoment }: NetworkLimits = networks[network]
  if (!goesAtMoment) return state
  return state === 'prepared' ? 'checked' : state === 'preparing' ? 'checking' : state
}
