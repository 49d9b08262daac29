import { buttonLook } from '../ui/button-look.ts'
import { words } from './words/contact.ts'

/** A question at the foot of the front page. */
export const Contact = () => (
  <div className="mt-14 grid gap-x-12 gap-y-6 rounded-card border border-line bg-surface p-6 md:mt-20 md:p-10 lg:grid-cols-[2fr_3fr]">
    <div>
      <h2 className="text-2xl font-bold tracking-tight">{words.title}</h2>
      <p className="mt-2 text-muted">{words.lead}</p>
    </div>
    <ContactForm />
  </div>
)

/** Posted as a plain form it comes back to #contact-sent or #contact-failed; home.ts sends it without leaving the page. */
export const ContactForm = () => (
  <form id="contact" method="post" action="/contact" className="grid gap-4">
    <input type="hidden" name="subject" value={words.subject} />
    <label className="grid gap-1.5 text-sm font-medium">
      {words.email}
      <input type="email" name="to" required maxLength={254} autoComplete="email" className={field} />
    </label>
    <label className="grid gap-1.5 text-sm font-medium">
      {words.message}
      <textarea name="body" required maxLength={5000} rows={4} className={field} />
    </label>
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <button type="submit" data-sending={words.sending} className={buttonLook({ variant: 'primary', size: 'large' })}>
        {words.send}
      </button>
      <p id="contact-sent" role="status" className="told text-good">
        {words.sent}
      </p>
      <p id="contact-failed" role="alert" className="told text-danger">
        {words.failed}
      </p>
    </div>
  </form>
)

const field =
  'min-h-11 w-full rounded-control border border-edge bg-canvas px-3 py-2.5 text-base font-normal text-ink placeholder:text-muted'
