import { useState } from 'react'
import { isNetwork, type Network } from '@clear-to-post/edit/network-areas'
import { onDevice } from '../../storage.ts'

const key = 'bench-networks'

/** The networks for which an editor looks at a video; kept on this device, for they are the same from video to video. */
export const useNetworks = () => {
  const [networks, setNetworks] = useState<readonly Network[]>(read)
  const [isShown, show] = useState(false)
  return {
    networks,
    isShown,
    toggle: () => show((before) => !before),
    /** Who chooses one wants to see it. */
    choose: (next: readonly Network[]) => {
      onDevice.keep(key, next.join(' '))
      setNetworks(next)
      if (next.length > networks.length) show(true)
    },
  }
}

export type Networks = ReturnType<typeof useNetworks>

const read = (): Network[] => (onDevice.read(key) ?? '').split(' ').filter(isNetwork)
