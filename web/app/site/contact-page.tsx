import { paths } from '../paths.ts'
import { column } from './column.ts'
import { cx } from '../ui/cx.ts'
import { ContactForm } from './contact.tsx'
import { Frame } from './frame.tsx'
import { words } from './words/contact.ts'

/** Writing to us, at an address of its own. */
export const ContactPage = () => (
  <Frame>
    <div className={cx(column, 'grid gap-x-12 gap-y-8 py-14 md:py-20 lg:grid-cols-[2fr_3fr] lg:items-start')}>
      <header>
        <h1 className="text-4xl font-bold tracking-tight md:text-5xl">{words.pageTitle}</h1>
        <p className="mt-5 text-lg text-muted">{words.lead}</p>
        <Way lead={words.panelLead} to={paths.support} link={words.panelLink} text={words.panelText} />
        <Way lead={words.faqLead} to="/#faq" link={words.faqLink} text={words.faqText} />
      </header>
      <div className="rounded-card border border-line bg-surface p-6 md:p-10">
        <ContactForm />
      </div>
    </div>
  </Frame>
)

/** Another way to an answer. */
const Way = ({ lead, to, link, text }: { lead: string; to: string; link: string; text: string }) => (
  <p className="mt-5">
    {lead}{' '}
    <a href={to} className="text-primary-text underline underline-offset-2">
      {link}
    </a>{' '}
    {text}
  </p>
)
