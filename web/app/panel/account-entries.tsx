import { useState, type ComponentProps } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react'
import { paths } from '../paths.ts'
import { useUser } from '../session.ts'
import { chooseTheme, chosenTheme, themes } from '../theme.ts'
import { MenuHeader, MenuItem, MenuLine, MenuSection, OpenedMenu } from '../ui/menu.tsx'
import { messages } from './messages.ts'

/** What the account's button opens. */
export const AccountEntries = ({
  onLeave,
  ...opened
}: Pick<ComponentProps<typeof OpenedMenu>, 'button' | 'entered' | 'onClose' | 'placement'> & {
  onLeave: (everywhere: boolean) => void
}) => {
  const user = useUser()
  const navigate = useNavigate()
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <OpenedMenu
      {...opened}
      label={messages.account}
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
      <MenuItem icon={<LogOut aria-hidden />} onAction={() => onLeave(false)}>
        {messages.logout}
      </MenuItem>
      <MenuItem icon={<LogOut aria-hidden />} onAction={() => onLeave(true)}>
        {messages.logoutEverywhere}
      </MenuItem>
    </OpenedMenu>
  )
}

const themeIcons = { system: <Monitor aria-hidden />, light: <Sun aria-hidden />, dark: <Moon aria-hidden /> }
