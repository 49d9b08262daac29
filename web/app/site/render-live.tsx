import { renderToStaticMarkup } from 'react-dom/server'
import { firstPrice, PlanCards, type Product } from './plan-cards.tsx'
import { StatusList, type AreaState } from './status-list.tsx'
import { StaticProviderButtons, type Way } from '../sign-in/ways.tsx'
import { words as faq } from './words/faq.ts'
import { words } from './words/frame.ts'

/**
 * What stands in the front page and is known only when it is served: built to dist/.server and called by the service
 * (server/src/http/site.ts). `products` as the products call answers them.
 */
export const renderPlans = (products: readonly Product[]): string =>
  renderToStaticMarkup(<PlanCards products={products} />)

/** The ways in beside a password that this service offers. */
export const renderWays = (ways: readonly Way[]): string => renderToStaticMarkup(<StaticProviderButtons ways={ways} />)

/** How each area of the service is, null where nobody could find out, at that moment. */
export const renderStatus = (states: readonly AreaState[] | null, at: Date): string =>
  renderToStaticMarkup(<StatusList states={states} at={at} />)

/** Says that visits are counted, and takes a no: for operators who configured tags. */
export const renderPrivacy = (): string =>
  renderToStaticMarkup(
    <p className="privacy w-full text-sm text-muted-on-night">
      <span data-when="allowed">
        {words.counted}{' '}
        <button type="button" data-counting="refused" className="touch underline">
          {words.doNotCount}
        </button>
      </span>
      <span data-when="refused">
        {words.notCounted}{' '}
        <button type="button" data-counting="allowed" className="touch underline">
          {words.count}
        </button>
      </span>
    </p>,
  )

/** Canonical address, social card and structured data; `origin` without a slash at the end. */
export const renderHead = (origin: string, products: readonly Product[]): string =>
  renderToStaticMarkup(
    <>
      <link rel="canonical" href={`${origin}/`} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Clear to Post" />
      <meta property="og:title" content={words.title} />
      <meta property="og:description" content={words.description} />
      <meta property="og:url" content={`${origin}/`} />
      <meta property="og:image" content={`${origin}/social-card.jpg`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={words.title} />
      <meta name="twitter:card" content="summary_large_image" />
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: structured(origin, products) }} />
    </>,
  )

const structured = (origin: string, products: readonly Product[]): string =>
  JSON.stringify({
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Organization',
        '@id': `${origin}/#us`,
        name: 'Clear to Post',
        url: `${origin}/`,
        logo: `${origin}/icons/icon-512.png`,
      },
      {
        '@type': 'Service',
        name: 'Clear to Post',
        description: words.description,
        provider: { '@id': `${origin}/#us` },
        audience: { '@type': 'BusinessAudience', audienceType: 'Loan officers' },
        offers: products.flatMap(({ name, plans }) =>
          plans.map((plan) => ({
            '@type': 'Offer',
            name: `${name}, ${plan.interval === 'month' ? 'monthly' : 'yearly'}`,
            price: (firstPrice(plan, 1) / 100).toFixed(2),
            priceCurrency: plan.currency.toUpperCase(),
            url: `${origin}/#plans`,
          })),
        ),
      },
      {
        '@type': 'FAQPage',
        mainEntity: faq.list.map(({ question, answer }) => ({
          '@type': 'Question',
          name: question,
          acceptedAnswer: { '@type': 'Answer', text: answer },
        })),
      },
    ],
    // A closing script tag inside a text must not end the element.
  }).replaceAll('<', '\\u003c')
