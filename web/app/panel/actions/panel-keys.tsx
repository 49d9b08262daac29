import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useRouter } from '@tanstack/react-router'
import { useUser } from '../../session.ts'

const load = () => import('./finder.tsx')
const Finder = lazy(() => load().then(({ Finder: one }) => ({ default: one })))
const PanelKeySheet = lazy(() => load().then(({ PanelKeySheet: one }) => ({ default: one })))

/** Listens for the panel's own keys, everywhere: Ctrl+K, `?`, and “g, then …”. Keys rest while somebody types. */
export const PanelKeys = ({ open, onOpen }: { open: Opened; onOpen: (open: Opened) => void }) => {
  const { history } = useRouter()
  const user = useUser()
  const [isAfterG, setAfterG] = useState(false)
  const pressed = useEffectEvent(async (event: KeyboardEvent) => {
    // A key that a page has taken ends what “g” began.
    if (event.defaultPrevented || event.altKey) return setAfterG(false)
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      return onOpen('find')
    }
    if (event.ctrlKey || event.metaKey || isTyping(event)) return
    if (event.key === '?') {
      event.preventDefault()
      return onOpen('sheet')
    }
    const second = isAfterG ? event.key : null
    setAfterG(event.key === 'g' && !isAfterG)
    if (second === null) return
    const { commandsOf } = await import('./registry.ts')
    const found = commandsOf(user).find(({ keys, to }) => to && keys[0] === 'g' && keys[1] === second)
    if (found?.to) history.push(found.to)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => void pressed(event)
    // Pages hear first: a player's or a workbench's own keys are theirs.
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  const close = () => onOpen(null)
  return (
    <Suspense>
      {open === 'find' && <Finder onSheet={() => onOpen('sheet')} onClose={close} />}
      {open === 'sheet' && <PanelKeySheet onClose={close} />}
    </Suspense>
  )
}

export type Opened = 'find' | 'sheet' | null

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"], [role="grid"]') !==
    null
