import type { Kind } from '@clear-to-post/domain/audiences'
import { asWhat, type PersonRole } from '@clear-to-post/domain/roles'
import { escapeHtml } from '../kernel/html.ts'
import type { Mail } from '../outside/mail.ts'
import { coloursOf, ownBranding, type Brand, type Branding } from './branding.ts'

/** What each mail is told when it is written. */
export type Templates = {
  /** A one-time code. The code itself is read when the mail goes out. */
  code: { codeId: string }
  /** An invitation. Its link is made when the mail goes out. */
  invitation: { mailId: string }
  /** What still signs in beside the password, and what was taken away, by name. */
  passwordChanged: { kept?: string[]; removed?: string[]; hadLink?: boolean; hadCompany?: boolean }
  /** To the old address. */
  addressChanged: { newAddress: string }
  /** To somebody who was removed: the receipt. */
  removed: { number: string; erased: string[]; stays: { what: string; why: string }[] }
  /** Anything said in words: a message of an ADMIN's, an answer to the contact form. `url` may begin with a slash. */
  message: { title: string; body: string; link?: { label: string; url: string }; replyTo?: string }
  /** What a person was told in the panel, one thing or a digest. It is read when the mail goes out. */
  notices: { userId: string; notificationIds: string[] }
}

/** A mail's words: what is said in order, each part a paragraph, a big code, a link, or a thing with its own title. */
export type Words = {
  subject: string
  parts: Part[]
  replyTo?: string | undefined
  /** Ours unless said. */
  branding?: Brand
  /** Said of mails that somebody may do without: what they are, and the path that ends them. */
  subscription?: { about: string; path: string }
}
type Link = { label: string; url: string }
type Part = string | { code: string } | Link | { title: string; text: string; link: Link | null }

/**
 * The words around a code. `known`: the address has an account, and the code sets its password. `new`: it has one, but nobody
 * has shown yet whose it is. `stranger`: it has none.
 */
export const codeWords = (code: string, address: 'known' | 'new' | 'stranger', minutes: number): Words => ({
  subject: `${code} is your Clear to Post code`,
  parts: [
    {
      known: 'Type this code to choose a new password:',
      new: 'Type this code to confirm your e-mail address, or to choose a new password:',
      stranger: 'Type this code to show that this address is yours:',
    }[address],
    { code },
    `It works once, within ${minutes} minutes.`,
    ...(address === 'stranger'
      ? ['Did you want a new password? This address has no account with us. Try the one you signed up with.']
      : []),
    'If you did not ask for a code, do nothing. Nobody gets in without it.',
  ],
})

/** Somebody is invited; `token` stands behind the # of the address, where no server's log has it. */
export const invitationWords = ({ token, role, company, inviter, endsAt }: InvitationToSend): Words => ({
  subject: `${inviter} invites you to ${company ?? ownBranding.name}`,
  parts: [
    `You are invited to work with Clear to Post${company === null ? '' : ` for ${company}`}, as ${asWhat[role]}. ` +
      'Officers send in short videos there, and get them back edited and approved.',
    { label: 'Look at the invitation', url: `/login?mode=invited#invited=${token}` },
    `The link is good until ${endsAt.toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZone: 'America/New_York' })}, and for you alone: hand it to nobody.`,
    'Do you not know who this is from? Do nothing. Nobody has an account by this mail.',
  ],
})
export type InvitationToSend = {
  token: string
  role: PersonRole
  company: string | null
  inviter: string
  endsAt: Date
}
export const removedWords = ({ number, erased, stays }: Templates['removed']): Words => ({
  subject: 'Your account is deleted',
  parts: [
    `Your account is deleted. Files and what others keep for us are erased within minutes. Receipt ${number}: keep it, for nothing of ours names you any more.`,
    { title: 'Erased', text: erased.join('\n'), link: null },
    { title: 'What stays', text: stays.map(({ what, why }) => `${what}. ${why}`).join('\n'), link: null },
    'To ask about it, write to us and name the receipt’s number. We keep no address of yours, not even of this mail.',
  ],
})

export const passwordChangedWords = ({
  kept = [],
  removed = [],
  hadLink = false,
  hadCompany = false,
}: Templates['passwordChanged']): Words => ({
  subject: 'Your password was changed',
  parts: [
    'The password of your account is new, and every device was signed out. Sign in with the new password.',
    ...(removed.length > 0
      ? [`These were added before this address was confirmed, and were taken away: ${removed.join(', ')}.`]
      : []),
    ...(hadCompany
      ? [
          'Do you work at that company? Join it again in your profile, with its invitation code. If you do not know it, do nothing.',
        ]
      : []),
    ...(hadLink
      ? [
          'The link of your calendar has ended. Make a new one in your profile.',
          { label: 'Make a new link', url: '/panel/profile#calendar' },
        ]
      : []),
    ...(kept.length > 0
      ? [
          `These ways still work: ${kept.join(', ')}. Is one of them not yours? Remove it in your profile.`,
          { label: 'Look at what signs you in', url: '/panel/profile#security' },
        ]
      : []),
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
export const noticesWords = (
  notices: readonly MailedNotice[],
  branding: Brand,
  subscription: NonNullable<Words['subscription']>,
): Words => {
  const [first, ...more] = notices as [MailedNotice, ...MailedNotice[]]
  const worn = { branding, subscription }
  if (more.length === 0)
    return {
      subject: first.title,
      parts: [
        ...first.body.split(/\n{2,}/),
        ...(first.cta ? [first.cta] : []),
        ...(first.kind === 'support' ? ['Answer in the panel: a reply to this e-mail reaches nobody.'] : []),
      ],
      ...worn,
    }
  return {
    subject: `${notices.length} new notifications`,
    parts: notices.map(({ title, body, cta }) => ({ title, text: body, link: cta })),
    ...worn,
  }
}
export type MailedNotice = { kind: Kind; title: string; body: string; cta: Link | null }

/** The words as plain text and as simple HTML. `origin` stands before addresses that begin with a slash. */
export const render = (
  { subject, parts, replyTo, branding = ownBranding, subscription }: Omit<Words, 'branding'> & { branding?: Branding },
  origin: string,
): Omit<Mail, 'id' | 'to'> => {
  const whole = (url: string) => (url.startsWith('/') ? origin + url : url)
  const line = subject.replace(/\s+/g, ' ').trim()
  const { fill, ink, text: words } = coloursOf(branding.colour)
  const inText = ({ label, url }: Link) => `${label}: ${whole(url)}`
  const inHtml = ({ label, url }: Link, style: string) =>
    `<a href="${escapeHtml(whole(url))}" style="${style}">${escapeHtml(label)}</a>`
  const button = `display:inline-block;padding:10px 20px;border-radius:8px;background:${fill};color:${ink};font-weight:600;text-decoration:none`
  const plain = `color:${words}`
  const text = parts.map((part) => {
    if (typeof part === 'string') return part
    if ('code' in part) return part.code
    return 'url' in part ? inText(part) : `* ${part.title}\n${part.text}${part.link ? `\n${inText(part.link)}` : ''}`
  })
  const html = parts.map((part) => {
    if (typeof part === 'string') return paragraph(part)
    if ('code' in part)
      return `<p style="font-size:32px;font-weight:bold;letter-spacing:6px;margin:24px 0">${escapeHtml(part.code)}</p>`
    if ('url' in part) return `<p style="margin:24px 0">${inHtml(part, button)}</p>`
    return (
      `<h2 style="margin:24px 0 4px;font-size:16px">${escapeHtml(part.title)}</h2>` +
      `<p style="margin:0">${lines(part.text)}${part.link ? `<br>${inHtml(part.link, plain)}` : ''}</p>`
    )
  })
  const footText = subscription
    ? `\n\n${subscription.about}\nNo more of these e-mails: ${whole(subscription.path)}\nAll choices: ${whole(choicesPath)}`
    : ''
  const footHtml = subscription
    ? `<p style="${small}">${escapeHtml(subscription.about)}<br>` +
      `${inHtml({ label: 'No more of these e-mails', url: subscription.path }, 'color:#5c6b7a')} · ` +
      `${inHtml({ label: 'All choices', url: choicesPath }, 'color:#5c6b7a')}</p>`
    : ''
  const by = branding.name === ownBranding.name ? '' : `${branding.name}, with `
  return {
    subject: line,
    replyTo,
    picture: branding.logo ?? undefined,
    unsubscribe: subscription && whole(subscription.path),
    text: `${text.join('\n\n')}\n\n--\n${by}Clear to Post\n${origin}${footText}\n`,
    html:
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
      `<meta name="color-scheme" content="light"><title>${escapeHtml(line)}</title></head>` +
      '<body style="margin:0;padding:24px 12px;background:#f4f5f7;font-family:Arial,Helvetica,sans-serif;font-size:16px;line-height:1.5;color:#1c2733">' +
      `<div style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-top:4px solid ${fill};border-radius:8px">` +
      `<p style="margin:0 0 24px;font-size:18px;font-weight:bold;color:${words}">${
        branding.logo
          ? `<img src="cid:${branding.logo.cid}" alt="${escapeHtml(branding.name)}" height="40" style="height:40px;width:auto;max-width:220px">`
          : escapeHtml(branding.name)
      }</p>` +
      `<h1 style="margin:0 0 12px;font-size:20px;line-height:1.3">${escapeHtml(line)}</h1>` +
      `${html.join('')}</div><div style="max-width:560px;margin:16px auto 0;padding:0 24px">${footHtml}` +
      `<p style="${small}">${escapeHtml(by)}Clear to Post · <a href="${escapeHtml(origin)}" style="color:#5c6b7a">${escapeHtml(origin)}</a></p>` +
      '</div></body></html>',
  }
}

const choicesPath = '/panel/profile#notifications'
const small = 'margin:0 0 8px;color:#5c6b7a;font-size:14px'
const lines = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>')
const paragraph = (text: string): string => `<p style="margin:0 0 12px">${lines(text)}</p>`

// Whoever still reads the old mailbox need not learn the new address.
const masked = (address: string): string => address.replace(/^(.)[^@]*/, '$1…')
