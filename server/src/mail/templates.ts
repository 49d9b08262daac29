import { escapeHtml } from '../http/html.ts'
import type { Mail } from '../outside/mail.ts'

/** What each mail is told when it is written. */
export type Templates = {
  /** A one-time code. The code itself is read when the mail goes out. */
  code: { codeId: string }
  passwordChanged: Record<never, never>
  /** To the old address. */
  addressChanged: { newAddress: string }
  /** Anything said in words: a message of an ADMIN's, the contact form. `url` may begin with a slash. */
  message: { title: string; body: string; link?: { label: string; url: string }; replyTo?: string }
  /** What a person was told in the panel, one thing or a digest. It is read when the mail goes out. */
  notices: { userId: string; notificationIds: string[] }
}

/** A mail's words: what is said in order, each part a paragraph, a big code, or a link. */
export type Words = {
  subject: string
  parts: (string | { code: string } | { label: string; url: string })[]
  replyTo?: string | undefined
}

/** The words around a code. `known`: the address has an account, and the code sets its password. */
export const codeWords = (code: string, known: boolean, minutes: number): Words => ({
  subject: `${code} is your Clear to Post code`,
  parts: [
    known ? 'Type this code to choose a new password:' : 'Type this code to show that this address is yours:',
    { code },
    `It works once, within ${minutes} minutes.`,
    ...(known
      ? []
      : ['Did you want a new password? This address has no account with us. Try the one you signed up with.']),
    'If you did not ask for a code, do nothing. Nobody gets in without it.',
  ],
})

export const passwordChangedWords = (): Words => ({
  subject: 'Your password was changed',
  parts: [
    'The password of your account is new, and every device was signed out. Sign in with the new password.',
    'Was it not you? Choose a new password now.',
    { label: 'Go to sign in', url: '/login' },
  ],
})

export const addressChangedWords = (newAddress: string): Words => ({
  subject: 'Your account has a new e-mail address',
  parts: [
    `From now on you sign in with ${masked(newAddress)}. This address is no longer used.`,
    'Was it not you? Write to us at once, so that we can get your account back to you.',
  ],
})

export const messageWords = ({ title, body, link, replyTo }: Templates['message']): Words => ({
  subject: title,
  replyTo,
  parts: [...body.split(/\n{2,}/), ...(link ? [link] : [])],
})

/** What somebody was told: one thing in its own words, more as a list. */
export const noticesWords = (notices: readonly ToldNotice[]): Words => {
  const [first, ...more] = notices as [ToldNotice, ...ToldNotice[]]
  if (more.length === 0)
    return { subject: first.title, parts: [...first.body.split(/\n{2,}/), ...(first.cta ? [first.cta] : [])] }
  return {
    subject: `${notices.length} new notifications`,
    parts: notices.flatMap(({ title, body, cta }) => [`${title}\n${body}`, ...(cta ? [cta] : [])]),
  }
}
export type ToldNotice = { title: string; body: string; cta: { label: string; url: string } | null }

/** The words as plain text and as simple HTML. `origin` stands before addresses that begin with a slash. */
export const render = ({ subject, parts, replyTo }: Words, origin: string): Omit<Mail, 'id' | 'to'> => {
  const whole = (url: string) => (url.startsWith('/') ? origin + url : url)
  const text = parts.map((part) => {
    if (typeof part === 'string') return part
    return 'code' in part ? part.code : `${part.label}: ${whole(part.url)}`
  })
  const html = parts.map((part) => {
    if (typeof part === 'string') return `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`
    if ('code' in part)
      return `<p style="font-size:32px;font-weight:bold;letter-spacing:6px;margin:24px 0">${escapeHtml(part.code)}</p>`
    return `<p><a href="${escapeHtml(whole(part.url))}">${escapeHtml(part.label)}</a></p>`
  })
  return {
    subject: subject.replace(/\s+/g, ' ').trim(),
    replyTo,
    text: `${text.join('\n\n')}\n\n--\nClear to Post\n${origin}\n`,
    html:
      '<!doctype html><html lang="en"><body style="margin:0;padding:24px;font-family:sans-serif;font-size:16px;' +
      `line-height:1.5;color:#1c2733"><div style="max-width:520px">${html.join('')}` +
      `<p style="color:#5c6b7a;font-size:14px">Clear to Post · <a href="${escapeHtml(origin)}">${escapeHtml(origin)}</a></p>` +
      '</div></body></html>',
  }
}

// Whoever still reads the old mailbox need not learn the new address.
const masked = (address: string): string => address.replace(/^(.)[^@]*/, '$1…')
