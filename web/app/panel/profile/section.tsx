import type { ReactNode } from 'react'
import { LongForm } from '../../ui/form-card.tsx'

type About = { id: string; title: string; text?: ReactNode }

/** A card of the profile: what it is about, and what is in it. */
export const Section = ({ id, title, text, children }: About & { children: ReactNode }) => (
  <section aria-labelledby={id} className="scroll-mt-20 rounded-card border border-line bg-surface">
    <Head id={id} title={title} text={text} />
    <div className="p-4 md:p-5">{children}</div>
  </section>
)

/** The same as a form: its foot comes up when something was changed. */
export const FormSection = ({
  id,
  title,
  text,
  isChanged,
  isPending,
  failure,
  onSave,
  onUndo,
  children,
}: About & {
  isChanged: boolean
  isPending: boolean
  failure: string | undefined
  onSave: () => void
  onUndo: () => void
  children: ReactNode
}) => (
  <LongForm
    label={id}
    isUnsaved={isChanged}
    isPending={isPending}
    failure={failure}
    onSave={onSave}
    onUndo={onUndo}
    className="scroll-mt-20 rounded-card border border-line bg-surface"
    footClassName="rounded-b-card md:px-5"
  >
    <Head id={id} title={title} text={text} />
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 p-4 md:p-5">{children}</div>
  </LongForm>
)

const Head = ({ id, title, text }: About) => (
  <header className="px-4 pt-4 md:px-5">
    <h2 id={id} tabIndex={-1} className="text-base outline-none">
      {title}
    </h2>
    {text !== undefined && <p className="mt-0.5 text-muted">{text}</p>}
  </header>
)
