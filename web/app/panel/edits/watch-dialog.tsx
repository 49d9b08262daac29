import type { Render } from '@clear-to-post/contract/edits'
import { Dialog } from '../../ui/dialog.tsx'
import { Player, useTransport } from '../../ui/player.tsx'
import { messages } from './messages.ts'

/** A finished file, played. */
export const WatchDialog = ({ render, onClose }: { render: Render; onClose: () => void }) => {
  const transport = useTransport()
  const { asset } = render
  return (
    <Dialog title={messages.watchTitle} size="large" isOpen onOpenChange={(open) => !open && onClose()}>
      {asset && (
        <Player
          transport={transport}
          label={messages.watchTitle}
          media={[
            {
              id: asset.assetId,
              playUrl: asset.playUrl,
              posterUrl: asset.posterUrl,
              peaksUrl: asset.peaksUrl,
              filmstrip: asset.filmstrip,
              width: asset.width,
              height: asset.height,
            },
          ]}
        />
      )}
    </Dialog>
  )
}
