import { useEffect, type ReactNode } from 'react'
import { signOut, useSession } from '../session.ts'
import { AccountAvatar, AccountCard } from './account-menu.tsx'
import { Frame, slots } from './frame.tsx'

/** The public pages' frame for pages that are React: header, main area, footer (docs/specification/pages.md). */
export const SiteShell = ({ children }: { children: ReactNode }) => {
  const user = useSessionOnPage()
  return (
    <Frame
      // A prerendered page learns the year when it is served.
      year={typeof document === 'undefined' ? slots.year : String(new Date().getFullYear())}
      privacy=""
      account={{
        avatar: user && <AccountAvatar user={user} onLogout={leave} />,
        card: user && <AccountCard user={user} onLogout={leave} />,
      }}
    >
      {children}
    </Frame>
  )
}

/** Tells the page's CSS whether nobody is signed in (Sign In shows) or somebody may be; answers who is. */
export const useSessionOnPage = () => {
  const { isAuthenticating, isAuthenticated, user } = useSession()
  useEffect(() => {
    document.documentElement.dataset['session'] = isAuthenticating || isAuthenticated ? 'likely' : 'none'
  }, [isAuthenticating, isAuthenticated])
  return isAuthenticated ? user : null
}

/** Logging out closes whatever menu it was chosen from. */
export const leave = (): void => {
  for (const open of document.querySelectorAll<HTMLElement>('[popover]:popover-open')) open.hidePopover()
  void signOut()
}
