import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { begin } from '../session.ts'
import { AccountAvatar, AccountCard } from './account-menu.tsx'
import { PlanCards, type Product } from './plan-cards.tsx'
import { leave, useSessionOnPage } from './shell.tsx'
import { useProducts } from './use-products.ts'
import { words } from './words/plans.ts'

/** The small island for who may be signed in: the avatar's menu, the card in the phone's menu, and their own plans. */
const Island = () => {
  const user = useSessionOnPage()
  const [avatar, card, list] = places
  return (
    <>
      {user && avatar && createPortal(<AccountAvatar user={user} onLogout={leave} />, avatar)}
      {user && card && createPortal(<AccountCard user={user} onLogout={leave} />, card)}
      {list && <OwnPlans list={list} />}
    </>
  )
}

/** The public plans stay until somebody's own have come: a tenant may allow fewer, or bring a coupon. */
const OwnPlans = ({ list }: { list: HTMLElement }) => {
  const { isLoading, products, isOwn } = useProducts()
  const [own, setOwn] = useState<Product[] | null>(null)
  useEffect(() => {
    list.setAttribute('aria-busy', String(isLoading))
    if (isLoading || (!isOwn && own === null)) return
    if (own === null) list.replaceChildren()
    if (own !== products) setOwn(products)
  }, [isLoading, isOwn, list, own, products])
  if (own === null) return null
  return createPortal(isLoading ? <p role="status">{words.loading}</p> : <PlanCards products={own} />, list)
}

const places = ['#account', '#account-card', '#plan-list'].map((place) => document.querySelector<HTMLElement>(place))
const ground = document.createElement('div')
document.body.append(ground)
void begin()
createRoot(ground).render(<Island />)
