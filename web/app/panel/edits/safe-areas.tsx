import { Frame } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { coveredBy, isNetwork, networkAreas, networks as all, type Network } from '@clear-to-post/edit/network-areas'
import type { Aspect } from '@clear-to-post/edit/recipe'
import { safeArea, type Box, type Size } from '@clear-to-post/edit/safe-area'
import { Menu, MenuHeader, MenuItem, MenuLine, MenuSection } from '../../ui/menu.tsx'
import type { Networks } from './use-networks.ts'
import { safeWords } from './words/safe.ts'

/** Over the picture: what the chosen networks’ apps draw there, or, where none is chosen, what is safe from most of them. */
export const SafeAreas = ({
  networks,
  aspect,
  frame,
}: {
  networks: readonly Network[]
  aspect: Aspect
  frame: Size
}) => {
  const place = ({ x, y, width, height }: Box) => ({
    left: `${(x / frame.width) * 100}%`,
    top: `${(y / frame.height) * 100}%`,
    width: `${(width / frame.width) * 100}%`,
    height: `${(height / frame.height) * 100}%`,
  })
  if (networks.length === 0)
    return (
      <div aria-hidden className="safe-own" style={place(safeArea(frame))}>
        <span>{safeWords.own}</span>
      </div>
    )
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0">
      {networks.flatMap((network) =>
        coveredBy(network, aspect, frame).map((covered) => (
          <div key={`${network} ${covered.by}`} className="safe-covered" data-by={covered.by} style={place(covered)}>
            {covered.by !== 'top' && (
              <span>{covered.by === 'words' ? safeWords.words(networkAreas[network].name) : safeWords.buttons}</span>
            )}
          </div>
        )),
      )}
    </div>
  )
}

/** Shows them or not, and for which networks. */
export const SafeControls = ({ networks: { networks, isShown, toggle, choose } }: { networks: Networks }) => (
  <Menu
    label={safeWords.menu}
    placement="top end"
    trigger={
      <AriaButton className="player-control safe-menu" data-on={isShown || undefined} aria-label={safeWords.menu}>
        <Frame aria-hidden />
      </AriaButton>
    }
  >
    <MenuItem onAction={toggle}>{isShown ? safeWords.hide : safeWords.show}</MenuItem>
    <MenuLine />
    <MenuSection
      selectionMode="multiple"
      selectedKeys={networks}
      onSelectionChange={(keys) => choose(keys === 'all' ? all : [...keys].map(String).filter(isNetwork))}
    >
      <MenuHeader className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">{safeWords.choose}</MenuHeader>
      {all.map((network) => (
        <MenuItem key={network} id={network} aria-description={safeWords.sure[networkAreas[network].sure]}>
          {networkAreas[network].name}
        </MenuItem>
      ))}
    </MenuSection>
  </Menu>
)
