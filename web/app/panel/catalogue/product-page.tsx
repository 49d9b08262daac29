import { getRouteApi } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { catalogue, type SoldProduct } from '@clear-to-post/contract/catalogue'
import { query } from '../../api.ts'
import { paths } from '../../paths.ts'
import { Skeleton } from '../../ui/states.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { DetailPage } from '../detail-page.tsx'
import { TwoColumns } from '../two-columns.tsx'
import { moneyWords } from '../subscriptions/money.ts'
import { messages } from './messages.ts'
import { ProductForm } from './product-form.tsx'

const route = getRouteApi('/panel/payments/catalogue/$productId')

/** One product with its plans, or a new one. */
export const ProductPage = () => {
  const { productId } = route.useParams()
  const isNew = productId === 'new'
  const all = useQuery(query(catalogue.list, {}))
  const product = all.data?.products.find(({ id }) => id === productId)
  const found = all.data && (isNew || product) ? { ...all.data, product } : undefined
  return (
    <DetailPage
      title={isNew ? messages.newTitle : (product?.name ?? messages.one)}
      back={{ to: paths.catalogue, label: messages.back }}
      beside={() =>
        product && (
          <Badge tone={product.isActive ? 'good' : 'plain'}>
            {product.isActive ? messages.onSale : messages.notOnSale}
          </Badge>
        )
      }
      found={{ data: found, error: all.error, refetch: all.refetch }}
      isGone={all.data !== undefined && found === undefined}
      missing={{ title: messages.missingTitle, text: messages.missingText, toList: messages.toList }}
      failed={messages.oneFailed}
      loading={
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <TwoColumns>
            <Skeleton className="h-72 rounded-card" />
            <Skeleton className="h-96 rounded-card" />
          </TwoColumns>
          <Skeleton className="h-96 rounded-card" />
        </div>
      }
    >
      {(thing) =>
        thing && (
          <>
            <ProductForm key={productId} product={thing.product} products={thing.products} coupons={thing.coupons} />
            {thing.product && <EarlierPlans product={thing.product} />}
          </>
        )
      }
    </DetailPage>
  )
}

/** Plans that are sold no more, and how many still have each. */
const EarlierPlans = ({ product: { plans } }: { product: SoldProduct }) => {
  const earlier = plans.filter(({ isActive }) => !isActive)
  return earlier.length === 0 ? null : (
    <section
      aria-labelledby="earlier"
      className="grid gap-3 rounded-card border border-line bg-surface p-4 max-md:-mx-0 md:p-5"
    >
      <div>
        <h2 id="earlier" className="text-base">
          {messages.earlierPlans}
        </h2>
        <p className="text-muted">{messages.earlierText}</p>
      </div>
      <ul className="grid gap-1">
        {earlier.map(({ id, price, currency, interval, projectsPerMonth, subscribers }) => (
          <li key={id} className="figures">
            {messages.planLine(moneyWords(price, currency), interval)}
            <span className="text-muted">
              {' '}
              · {messages.videos(projectsPerMonth)} · {messages.subscribers(subscribers)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
