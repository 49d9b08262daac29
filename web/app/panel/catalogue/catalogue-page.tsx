import { useQuery } from '@tanstack/react-query'
import { Plus, ReceiptText } from 'lucide-react'
import { catalogue, type SoldProduct } from '@clear-to-post/contract/catalogue'
import { query } from '../../api.ts'
import { paths } from '../../paths.ts'
import { LinkButton } from '../../ui/button.tsx'
import { listOf, RowList, RowsLoading, type RowParts } from '../../ui/listed.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { ListPage } from '../list-page.tsx'
import { PaymentsNav } from '../payments/payments-nav.tsx'
import { moneyWords } from '../subscriptions/money.ts'
import { CouponSection } from './coupons.tsx'
import { messages } from './messages.ts'
import { ProductMenu } from './product-menu.tsx'

/** What is sold and for how much, and the coupons. */
export const CataloguePage = () => {
  const found = useQuery(query(catalogue.list, {}))
  return (
    <ListPage
      words={messages}
      icon={ReceiptText}
      beside={<PaymentsNav />}
      create={
        <LinkButton to={paths.product} params={{ productId: 'new' }} variant="primary" icon={<Plus aria-hidden />}>
          {messages.create}
        </LinkButton>
      }
      list={listOf(found, ({ products }) => products)}
      loading={<RowsLoading count={3} />}
      foot={found.data && <CouponSection coupons={found.data.coupons} />}
    >
      {(products) => <RowList label={messages.products} items={products} row={row} />}
    </ListPage>
  )
}

const row: RowParts<SoldProduct> = {
  link: ({ id }) => ({ to: paths.product, params: { productId: id } }),
  name: ({ name }) => name,
  badge: ({ isActive }) => (
    <Badge tone={isActive ? 'good' : 'plain'}>{isActive ? messages.onSale : messages.notOnSale}</Badge>
  ),
  text: ({ subtitle, couponId }) =>
    [subtitle, couponId === null ? '' : messages.withCoupon(couponId)].filter(Boolean).join(' · '),
  facts: ({ plans }) => {
    const earlier = plans.filter(({ isActive }) => !isActive).length
    return (
      <>
        {plans
          .filter(({ isActive }) => isActive)
          .map((plan) => (
            <p key={plan.id} className="figures">
              {messages.planLine(moneyWords(plan.price, plan.currency), plan.interval)}
              <span className="text-muted">
                {' '}
                · {messages.videos(plan.projectsPerMonth)} · {messages.subscribers(plan.subscribers)}
              </span>
            </p>
          ))}
        {earlier > 0 && <p className="text-muted">{messages.earlier(earlier)}</p>}
      </>
    )
  },
  menu: (product) => <ProductMenu product={product} />,
}
