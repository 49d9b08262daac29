import { useQueryClient } from '@tanstack/react-query'
import { assets, type Asset } from '@clear-to-post/contract/assets'
import { keyOf, useCall } from '../../api.ts'
import { toastFailure } from '../../ui/toasts.tsx'
import type { Waiting } from './follow.ts'
import { discardUpload } from './uploads.ts'

/** Removes a file at once on the screen; puts it back with the reason when the service says no. */
export const useDiscard = () => {
  const client = useQueryClient()
  const key = keyOf(assets.unused, {})
  const { mutate } = useCall(assets.discard, {
    onError: toastFailure,
    onSettled: () => void client.invalidateQueries({ queryKey: ['assets'] }),
  })
  return ({ upload, asset }: Waiting): void => {
    if (upload) return void discardUpload(upload.key)
    if (!asset) return
    client.setQueryData<{ items: Asset[] }>(
      key,
      (list) => list && { items: list.items.filter(({ assetId }) => assetId !== asset.assetId) },
    )
    mutate({ params: { assetId: asset.assetId } })
  }
}
