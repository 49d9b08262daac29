// What npm run admin can be asked for, and with what.
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { Email } from '@clear-to-post/contract/accounts'
import { visible } from '@clear-to-post/contract/visible'

const usage = `npm run admin -- <command>
  create-admin --email ada@example.com --name "Ada Moreno"   the password is asked for, or read from ADMIN_PASSWORD
  disable      --email ada@example.com                        signs the person out everywhere, at once
  enable       --email ada@example.com
  reset-second-factor --email ada@example.com                 for who lost phone and recovery codes; ends their sessions
  disable-demo                                                the demo's accounts, whose password everybody knows
  rotate-keys                                                 a new key signs from now on; nobody is signed out
  given-up                                                    jobs that used up their tries, and why
  send-again --job ID | --job NAME                            one of them, or all of a kind, with all their tries
  let-rest --job ID | --job NAME                              they are not done, and no longer named
  check --sample 200                                          the ledger, and so many files against the store
  hold-back --as-of 2026-11-26T12:00:00Z                      after a restore to that moment: nothing that waited leaves twice
  bucket-lets-pages                                           pages of PUBLIC_URL may put to BUCKET_PUBLIC_URL
  edge-function                                               what a CDN runs before /media, with the keys of MEDIA_SECRET
  outbox                                                      the address where mails that went nowhere are read`

export type Given = { email: string; name: string; job: string; sample: string; 'as-of': string }

/** Each command, with what has to be said. */
const needs = {
  'create-admin': ['email', 'name'],
  disable: ['email'],
  enable: ['email'],
  'reset-second-factor': ['email'],
  'disable-demo': [],
  'rotate-keys': [],
  'given-up': [],
  'send-again': ['job'],
  'let-rest': ['job'],
  check: ['sample'],
  'hold-back': ['as-of'],
  'bucket-lets-pages': [],
  'edge-function': [],
  outbox: [],
} as const satisfies Record<string, readonly (keyof Given)[]>
export type CommandName = keyof typeof needs

const isCommand = (name: string): name is CommandName => Object.hasOwn(needs, name)

/** What an operator asked for. Throws what to say instead, before anything is opened. */
export function readCommand(args: string[]): { name: CommandName; given: Given } {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      email: { type: 'string', multiple: true },
      name: { type: 'string', multiple: true },
      job: { type: 'string', multiple: true },
      sample: { type: 'string', multiple: true },
      'as-of': { type: 'string', multiple: true },
    },
  })
  const asked = positionals[0] ?? ''
  if (!isCommand(asked) || positionals.length > 1) throw new Error(`Say what to do:\n\n${usage}`)
  const needed: readonly (keyof Given)[] = needs[asked]
  const missing = needed.filter((name) => !values[name]?.[0]?.trim())
  if (missing.length > 0) throw new Error(`${missing.map((name) => `--${name}`).join(' and ')} missing:\n\n${usage}`)
  for (const name of ['email', 'name', 'job', 'sample', 'as-of'] as const) {
    if ((values[name]?.length ?? 0) > 1) throw new Error(`Say --${name} once`)
    // Whoever says it believes that it counts.
    if (values[name] && !needed.includes(name)) throw new Error(`${asked} takes no --${name}`)
  }
  const [email, name] = [values.email?.[0]?.trim().toLowerCase() ?? '', values.name?.[0]?.trim() ?? '']
  // As calls ask for them: they stand in mails and panels.
  if (needed.includes('email') && !Email.safeParse(email).success)
    throw new Error(`${JSON.stringify(email)} is no e-mail address`)
  if (needed.includes('name') && !visible(120).safeParse(name).success)
    throw new Error('Write the name in one line of 120 characters at most')
  const [sample, asOf] = [values.sample?.[0]?.trim() ?? '', values['as-of']?.[0]?.trim() ?? '']
  if (needed.includes('sample') && !/^[1-9]\d{0,6}$/.test(sample)) throw new Error('--sample is a number of files')
  if (
    needed.includes('as-of') &&
    !(z.iso.datetime({ offset: true }).safeParse(asOf).success && new Date(asOf) <= new Date())
  )
    throw new Error('--as-of is the moment that was restored, such as 2026-11-26T12:00:00Z')
  return {
    name: asked,
    given: { email, name, job: values.job?.[0]?.trim() ?? '', sample, 'as-of': asOf },
  }
}
