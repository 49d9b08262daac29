import { useState } from 'react'
import { useRouter } from '@tanstack/react-router'
import { useUser } from '../../session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { KeyRow } from '../../ui/player-key-sheet.tsx'
import { ChooseDialog } from '../edits/choose-dialog.tsx'
import { matching } from '../edits/matching.ts'
import { messages } from './messages.ts'
import { commandsOf, type PanelCommand } from './registry.ts'
import { useFound, type Found } from './use-found.ts'

type Thing = { id: string; label: string; detail: string; kind: keyof typeof messages.kinds; to?: string }

const thingOf = ({ id, label, also = '', to }: PanelCommand): Thing => ({
  id,
  label,
  detail: also,
  kind: 'command',
  ...(to === undefined ? {} : { to }),
})

/** Ctrl+K: everything that has a name and that this person may see, some letters and Enter away. */
export const Finder = ({ onSheet, onClose }: { onSheet: () => void; onClose: () => void }) => {
  const { history } = useRouter()
  const user = useUser()
  const [text, setText] = useState('')
  const { items, isPending } = useFound(text)
  const commands = commandsOf(user).filter(({ id }) => id !== 'find')
  const find = (typed: string): readonly Thing[] => [...matching(commands, typed).map(thingOf), ...items]
  return (
    <ChooseDialog<Thing>
      title={messages.title}
      label={messages.label}
      listLabel={messages.results}
      find={find}
      onType={setText}
      keyOf={({ kind, id }) => `${kind} ${id}`}
      show={(thing) => <Line thing={thing} />}
      say={(found, typed) =>
        found.length > 0 || typed.trim().length < 2
          ? messages.found(found.length)
          : isPending
            ? messages.searching
            : messages.none
      }
      onChoose={({ id, to }) => (id === 'sheet' ? onSheet() : to && history.push(to))}
      onClose={onClose}
    />
  )
}

const Line = ({ thing: { label, detail, kind } }: { thing: Pick<Found, 'label' | 'detail' | 'kind'> }) => (
  <>
    <span className="min-w-0 [overflow-wrap:anywhere]">
      {label}
      {detail && <span className="text-muted"> {detail}</span>}
    </span>
    <span className="shrink-0 text-xs text-muted">{messages.kinds[kind]}</span>
  </>
)

/** What `?` opens on pages without keys of their own. */
export const PanelKeySheet = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={messages.sheet} size="medium" isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
    <p className="text-muted">{messages.sheetText}</p>
    <dl className="mt-3 grid gap-x-8 sm:grid-cols-2">
      {commandsOf(useUser())
        .filter(({ keys }) => keys.length > 0)
        .map(({ id, label, keys }) => (
          <KeyRow key={id} label={label} shown={keys.map(capOf)} className="min-h-10" />
        ))}
    </dl>
  </Dialog>
)

const capOf = (key: string): string => (key === 'Control' ? 'Ctrl' : key.length === 1 ? key.toUpperCase() : key)
