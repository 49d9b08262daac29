import type { Profile } from '@clear-to-post/contract/accounts'
import { paths } from '../paths.ts'
import { Avatar } from '../ui/avatar.tsx'
import { words } from './words/frame.ts'

type Props = { user: Profile; onLogout: () => void }

/** The avatar and its menu, for wide screens. A popover: an outside press or Escape closes it. */
export const AccountAvatar = ({ user, onLogout }: Props) => (
  <>
    <button
      type="button"
      popoverTarget="account-menu"
      aria-label={`${words.account}: ${user.name}`}
      className="touch grid place-items-center rounded-full"
    >
      <Avatar name={user.name} photoUrl={user.photoUrl} className="size-9 text-base" />
    </button>
    <div
      id="account-menu"
      popover="auto"
      className="top-15 right-[max(2rem,calc((100vw-72rem)/2+2rem))] left-auto m-0 w-64 rounded-card border border-line bg-surface p-1.5 text-sm text-ink shadow-float"
    >
      <Who user={user} />
      <Ways onLogout={onLogout} />
    </div>
  </>
)

/** The same in the phone's menu. */
export const AccountCard = ({ user, onLogout }: Props) => (
  <div className="mt-2 border-t border-line pt-2 text-base">
    <div className="flex items-center pl-3">
      <Avatar name={user.name} photoUrl={user.photoUrl} className="size-10 text-base" />
      <Who user={user} />
    </div>
    <Ways onLogout={onLogout} />
  </div>
)

const Who = ({ user: { name, email } }: { user: Profile }) => (
  <div className="min-w-0 px-3 py-2">
    <p className="truncate font-medium">{name}</p>
    <p className="truncate text-[0.8125rem] text-muted">{email}</p>
  </div>
)

const Ways = ({ onLogout }: { onLogout: () => void }) => (
  <div className="grid border-t border-line pt-1.5">
    <a href={paths.panel} className={way}>
      {words.panel}
    </a>
    <button type="button" onClick={onLogout} className={way}>
      {words.logout}
    </button>
  </div>
)

const way = 'flex min-h-11 items-center rounded-control px-3 text-left hover:bg-sunken'
