import { catalogue } from '@clear-to-post/contract/catalogue'
import { onOpen, onRead, type Mounted, type OpenContext } from '../kernel/call.ts'
import { createCoupon, createProduct, readCatalogue, retireCoupon, updateProduct } from './catalogue.ts'

export const catalogueCalls: Mounted[] = [
  onRead(catalogue.list, (_input, { tx, caller, now }) => readCatalogue(tx, caller, now)),
  onOpen(catalogue.createProduct, ({ body }, context) => createProduct(asked(context), body)),
  onOpen(catalogue.updateProduct, ({ params: { productId }, body }, context) =>
    updateProduct(asked(context), productId, body),
  ),
  onOpen(catalogue.createCoupon, ({ body }, context) => createCoupon(asked(context), body)),
  onOpen(catalogue.retireCoupon, ({ params: { couponId } }, context) => retireCoupon(asked(context), couponId)),
]

const asked = ({ database, caller, now, requestId }: OpenContext) => ({ database, caller: caller!, now, requestId })
