import { lazy, Suspense, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react'
import { paths } from '../paths.ts'
import { signOut, useUser } from '../session.ts'
import { chooseTheme, chosenTheme, themes } from '../theme.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Menu, MenuHeader, MenuItem, MenuLine, MenuSection } from '../ui/menu.tsx'
import { onlyHere } from './assets/uploads.ts'
import { messages } from './messages.ts'

// Only who leaves while a file is on its way is asked.
const Confirm = lazy(() => import('../ui/dialog.tsx').then((module) => ({ default: module.Confirm })))

/** Who is signed in, the theme, and the way out. */
export const AccountMenu = ({ look }: { look: 'card' | 'avatar' }) => {
  const user = useUser()
  const navigate = useNavigate()
  const [theme, setTheme] = useState(chosenTheme)
  const [leaving, setLeaving] = useState<{ everywhere: boolean; what: 'take' | 'file' } | null>(null)
  const leave = (everywhere: boolean) => {
    const what = onlyHere()
    if (what) setLeaving({ everywhere, what })
    else void signOut({ everywhere })
  }
  return (
    <>
      <Menu
        label={messages.account}
        placement={look === 'card' ? 'top start' : 'bottom end'}
        trigger={
          look === 'card' ? (
            <Button className="touch flex w-full items-center gap-2.5 rounded-control p-2 text-left hover:bg-sunken">
              <Avatar name={user.name} photoUrl={user.photoUrl} />
              <span className="min-w-0 flex-1 leading-tight">
                <span className="sr-only">{messages.account}: </span>
                <span className="block truncate font-medium">{user.name}</span>
                <span className="block truncate text-[0.8125rem] text-muted">{user.tenantName ?? user.email}</span>
              </span>
              <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
            </Button>
          ) : (
            <Button
              aria-label={`${messages.account}: ${user.name}`}
              className="touch grid place-items-center rounded-full"
            >
              <Avatar name={user.name} photoUrl={user.photoUrl} />
            </Button>
          )
        }
        header={
          <div className="border-b border-line px-3.5 py-2.5">
            <p className="truncate font-medium">{user.name}</p>
            <p className="truncate text-[0.8125rem] text-muted">{user.email}</p>
          </div>
        }
      >
        <MenuItem icon={<UserRound aria-hidden />} onAction={() => void navigate({ to: paths.profile })}>
          {messages.profile}
        </MenuItem>
        <MenuLine />
        <MenuSection
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[theme]}
          onSelectionChange={(keys) => {
            const chosen = themes.find((one) => keys !== 'all' && keys.has(one)) ?? 'system'
            chooseTheme(chosen)
            setTheme(chosen)
          }}
        >
          <MenuHeader className="px-2.5 pt-1.5 pb-1 text-xs text-muted">{messages.theme}</MenuHeader>
          {themes.map((one) => (
            <MenuItem key={one} id={one} icon={themeIcons[one]} shouldCloseOnSelect={false}>
              {messages.themes[one]}
            </MenuItem>
          ))}
        </MenuSection>
        <MenuLine />
        <MenuItem icon={<LogOut aria-hidden />} onAction={() => leave(false)}>
          {messages.logout}
        </MenuItem>
        <MenuItem icon={<LogOut aria-hidden />} onAction={() => leave(true)}>
          {messages.logoutEverywhere}
        </MenuItem>
      </Menu>
      {leaving !== null && (
        <Suspense>
          <Confirm
            title={messages.logoutTitle}
            text={messages.logoutText[leaving.what]}
            confirm={messages.logout}
            keep={messages.stay}
            isOpen
            onOpenChange={() => setLeaving(null)}
            onConfirm={() => void signOut(leaving)}
          />
        </Suspense>
      )}
    </>
  )
}

const themeIcons = { system: <Monitor aria-hidden />, light: <Sun aria-hidden />, dark: <Moon aria-hidden /> }
