import { CirclePause, CirclePlay } from 'lucide-react'
import { toast } from 'sonner'
import { catalogue, type SoldProduct } from '@clear-to-post/contract/catalogue'
import { queryClient, useCall } from '../../api.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { formOf, writtenOf } from './form.ts'
import { messages } from './messages.ts'

/** Takes a product off sale, or sells it again; either can be undone. */
export const ProductMenu = ({ product }: { product: SoldProduct }) => {
  const { name, isActive } = product
  const update = useCall(catalogue.updateProduct, { onError: toastFailure, onSettled: catalogueChanged })
  const sell = (of: SoldProduct, wanted: boolean, isUndo = false) =>
    update.mutate(saleOf(of, wanted), {
      onSuccess: (changed) =>
        void toast.success(
          wanted ? messages.soldAgain(name) : messages.retired(name),
          isUndo ? {} : { action: { label: messages.undo, onClick: () => sell(changed, !wanted, true) } },
        ),
    })
  return (
    <ActionMenu
      label={messages.actionsOf(name)}
      isPending={update.isPending}
      actions={[
        isActive
          ? { label: messages.retire, icon: CirclePause, onAction: () => sell(product, false) }
          : { label: messages.sellAgain, icon: CirclePlay, onAction: () => sell(product, true) },
      ]}
    />
  )
}

const saleOf = (product: SoldProduct, isActive: boolean) => ({
  params: { productId: product.id },
  // What was sold once has prices.
  body: { ...formOf({ ...writtenOf(product, product.position), isActive })!, version: product.version },
})

/** What is sold is read anew, also by the pages that sell it. */
export const catalogueChanged = (): void => {
  for (const room of ['catalogue', 'subscriptions', 'tenants']) void queryClient.invalidateQueries({ queryKey: [room] })
}
