import { useNavigate } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, ArrowUpToLine, Ellipsis, SquareArrowOutUpRight } from 'lucide-react'
import type { Project } from '@clear-to-post/contract/projects'
import { paths } from '../../paths.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuHeader, MenuItem, MenuSection } from '../../ui/menu.tsx'
import { verbName } from '../project/verb-name.ts'
import { messages } from './messages.ts'
import type { BoardVerb } from './moves.ts'
import { useBoardMoves } from './use-moves.ts'

/** What may be done with a card now: only the verbs of `actions`, and in the queue its place. */
export const CardMenu = ({
  project,
  items,
  className,
}: {
  project: Project
  items: readonly Project[]
  className?: string
}) => {
  const moves = useBoardMoves()
  const navigate = useNavigate()
  const verbs = offered.filter((verb) => project.actions.includes(verb))
  const at = items.findIndex(({ id }) => id === project.id)
  const [first, above, below] = [items[0], items[at - 1], items[at + 1]]
  const mayOrder = project.actions.includes('reorder') && at >= 0 && items.length > 1
  return (
    <Menu
      label={messages.menu(project.title)}
      trigger={
        <IconButton label={messages.menu(project.title)} className={className ?? ''}>
          <Ellipsis aria-hidden />
        </IconButton>
      }
    >
      <MenuSection>
        <MenuItem
          icon={<SquareArrowOutUpRight aria-hidden />}
          onAction={() => void navigate({ to: paths.project, params: { projectId: project.id } })}
        >
          {messages.open}
        </MenuItem>
      </MenuSection>
      {mayOrder && (
        <MenuSection className={section}>
          <MenuHeader className={header}>{messages.inQueue}</MenuHeader>
          <MenuItem
            icon={<ArrowUpToLine aria-hidden />}
            isDisabled={!above}
            onAction={() => first && moves.place(project, items, first, 'before')}
          >
            {messages.first}
          </MenuItem>
          <MenuItem
            icon={<ArrowUp aria-hidden />}
            isDisabled={!above}
            onAction={() => above && moves.place(project, items, above, 'before')}
          >
            {messages.up}
          </MenuItem>
          <MenuItem
            icon={<ArrowDown aria-hidden />}
            isDisabled={!below}
            onAction={() => below && moves.place(project, items, below, 'after')}
          >
            {messages.down}
          </MenuItem>
        </MenuSection>
      )}
      {verbs.length > 0 && (
        <MenuSection className={section}>
          <MenuHeader className={header}>{messages.moveTo}</MenuHeader>
          {verbs.map((verb) => (
            <MenuItem key={verb} isDanger={verb === 'cancel'} onAction={() => moves.act(project, verb)}>
              {verbName(verb, project)}
            </MenuItem>
          ))}
        </MenuSection>
      )}
    </Menu>
  )
}

const offered: readonly BoardVerb[] = [
  'start',
  'send',
  'approve',
  'deny',
  'schedule',
  'unschedule',
  'review',
  'assign',
  'rollback',
  'cancel',
]
const section = 'mt-1 border-t border-line pt-1'
const header = 'px-2.5 pt-1 pb-0.5 text-xs text-muted'
