import { useEffect, useRef, type ReactNode } from 'react'
import { X } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { messages } from './messages.ts'

type FormPanelProps = {
  title: string
  text: string
  /** What closes it; “Not now” unless told. */
  stop?: string
  /** Its first field is there. */
  isReady?: boolean
  onClose: () => void
  actions: ReactNode
  children: ReactNode
}

/** A form under what opens it, in the place of the tabs. Its first field takes the focus when it opens, Escape closes it; what was written stays as a draft. */
export const FormPanel = ({
  title,
  text,
  stop = messages.stop,
  isReady = true,
  onClose,
  actions,
  children,
}: FormPanelProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const panel = useRef<HTMLElement>(null)
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    // All of it where it fits, its beginning where it does not.
    panel.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  // Whoever went elsewhere while its fields came stays there.
  useEffect(() => {
    if (isReady && document.activeElement === heading.current)
      fields.current?.querySelector<HTMLElement>('input, textarea')?.focus({ preventScroll: true })
  }, [isReady])
  return (
    <section
      ref={panel}
      aria-label={title}
      className="rounded-card border border-line bg-surface animate-appear"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.stopPropagation()
        onClose()
      }}
    >
      <header className="flex items-start gap-3 px-4 pt-4 md:px-5">
        <div className="flex-1">
          <h2 ref={heading} tabIndex={-1} className="text-lg outline-none">
            {title}
          </h2>
          <p className="text-muted">{text}</p>
        </div>
        <IconButton label={stop} onPress={onClose}>
          <X aria-hidden />
        </IconButton>
      </header>
      <div ref={fields} className="grid gap-5 p-4 md:p-5">
        {children}
      </div>
      <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3 md:px-5">
        <Button onPress={onClose} size="large">
          {stop}
        </Button>
        {actions}
      </footer>
    </section>
  )
}
