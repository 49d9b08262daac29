import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { createPortal } from 'react-dom'
import { paths } from '../paths.ts'
import { begin, signOut, useSession } from '../session.ts'
import { Toasts } from '../ui/toasts.tsx'
import { AccountAvatar, AccountCard } from './account-menu.tsx'
import { PlanCards, type Product } from './plan-cards.tsx'
import { useProducts } from './use-products.ts'
import { words } from './words/plans.ts'

/** The small island for who may be signed in: the avatar's menu, the card in the phone's menu, and their own plans. */
const Island = () => {
  const { isAuthenticating, isAuthenticated, user } = useSession()
  useEffect(() => {
    // The Sign In button is part of the page; CSS shows it for `none` alone.
    document.documentElement.dataset['session'] = isAuthenticating || isAuthenticated ? 'likely' : 'none'
  }, [isAuthenticating, isAuthenticated])
  const [avatar, card, list] = places
  return (
    <>
      {isAuthenticated && user && avatar && createPortal(<AccountAvatar user={user} onLogout={leave} />, avatar)}
      {isAuthenticated && user && card && createPortal(<AccountCard user={user} onLogout={leave} />, card)}
      {list && <OwnPlans list={list} />}
      <Toasts />
    </>
  )
}

/** The public plans stay until somebody's own have come: a tenant may allow fewer, or bring a coupon. */
const OwnPlans = ({ list }: { list: HTMLElement }) => {
  const { isLoading, products, isOwn } = useProducts()
  const [own, setOwn] = useState<Product[] | null>(null)
  useEffect(() => {
    list.toggleAttribute('aria-busy', isLoading)
  }, [list, isLoading])
  useEffect(() => {
    if (isLoading) return
    if (own === null && isOwn) list.replaceChildren()
    if (isOwn || own !== null) setOwn(products)
  }, [isLoading, isOwn, list, own, products])
  if (own === null) return null
  return createPortal(isLoading ? <p role="status">{words.loading}</p> : <PlanCards products={own} />, list)
}

const leave = () => {
  for (const open of document.querySelectorAll<HTMLElement>('[popover]:popover-open')) open.hidePopover()
  void signOut()
}

const places = ['#account', '#account-card', '#plan-list'].map((place) => document.querySelector<HTMLElement>(place))
const ground = document.createElement('div')
document.body.append(ground)
void paths
void begin()
createRoot(ground).render(<Island />)
