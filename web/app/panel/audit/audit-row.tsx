import type { AuditEntry } from '@clear-to-post/contract/audit'
import type { WorkWeek } from '@clear-to-post/domain/availability'
import { fullWords, whenWords } from '../../times.ts'
import { messages as people } from '../accounts/messages.ts'
import { messages as jobs } from '../jobs/messages.ts'
import { hoursOfWeek } from '../availability/week-words.ts'
import { moneyWords } from '../subscriptions/money.ts'
import { messages } from './messages.ts'

/** A change on a phone. */
export const AuditCard = ({ of: entry }: { of: AuditEntry }) => (
  <div className="grid min-w-0 flex-1 gap-1">
    <p className="font-medium [overflow-wrap:anywhere]">{whatWords(entry)}</p>
    <Changes of={entry} />
    <p className="text-[0.8125rem] text-muted [overflow-wrap:anywhere]">
      <When of={entry} /> · {actorWords(entry)}
    </p>
  </div>
)

export const When = ({ of: { at } }: { of: AuditEntry }) => (
  <time dateTime={at} title={fullWords(at)}>
    {whenWords(at)}
  </time>
)

/** Somebody out of a company's reach works for the service. */
export const actorWords = ({ actor, actorRole, key }: AuditEntry): string => {
  if (actor === undefined) return messages.service
  const who = messages.roleOf(actor.name ?? messages.hiddenActor, people.roles[actorRole])
  return key === undefined ? who : messages.byKey(who, key.name)
}

export const whatWords = ({ kind, act, subject }: AuditEntry): string =>
  [`${messages.kinds[kind]}: ${messages.acts[act].toLowerCase()}`, kind === 'criteria' ? undefined : subject.name]
    .filter(Boolean)
    .join(' · ')

/** So many lines stand in the list; the file has all. */
const shown = 4

export const Changes = ({ of: { kind, act, changes, isErased } }: { of: AuditEntry }) =>
  isErased ? (
    <p className="text-[0.8125rem] text-muted">{messages.erased}</p>
  ) : (
    <ul className="grid gap-0.5 text-[0.8125rem]">
      {changes.slice(0, shown).map(({ field, from, to, isHidden }) => (
        <li key={field} className="[overflow-wrap:anywhere]">
          <span className="text-muted">{fieldWords(field, kind)}: </span>
          {isHidden ? (
            <span className="text-muted">{act === 'added' ? messages.hiddenAdded : messages.hidden}</span>
          ) : (
            <>
              {from !== undefined && (
                <>
                  <del className="no-underline">{clipped(valueWords(field, from, currencyOf(changes)))}</del>{' '}
                  <span aria-hidden>→</span>
                  <span className="sr-only">{messages.to}</span>{' '}
                </>
              )}
              <ins className="font-medium no-underline">
                {to === undefined ? messages.empty : clipped(valueWords(field, to, currencyOf(changes)))}
              </ins>
            </>
          )}
        </li>
      ))}
      {changes.length > shown && <li className="text-muted">{messages.more(changes.length - shown)}</li>}
    </ul>
  )

const currencyOf = (changes: AuditEntry['changes']): string | undefined =>
  changes.find(({ field }) => field === 'currency')?.to

/** `preferences.primaryColor` → “Brand kit: primary color”. */
export const fieldWords = (field: string, kind?: AuditEntry['kind']): string => {
  const [column = '', ...keys] = field.split('.')
  const of = messages.fields[`${kind}.${column}`] ?? messages.fields[column] ?? upper(plain(column))
  return keys.length === 0 ? of : `${of}, ${plain(keys.join('.'))}`
}

/** A value as it was stored, as people say it: yes and no, moments, lists, hours, roles, and money where its currency is known. */
export const valueWords = (field: string, text: string, currency?: string): string => {
  if (field === 'work_week') return weekIn(text)
  if (field === 'four_eyes') return messages.fourEyes[text as keyof typeof messages.fourEyes] ?? text
  if (field === 'ended_by') return messages.endedBy[text] ?? text
  if (field === 'kind') return jobs.kinds[text as keyof typeof jobs.kinds] ?? text
  if (field === 'act') return messages.decisions[text as keyof typeof messages.decisions] ?? text
  if (field === 'role') return people.roles[text as keyof typeof people.roles] ?? text
  if (currency !== undefined && isMoney.has(field) && /^\d+$/.test(text)) return moneyWords(Number(text), currency)
  if (text === 'true' || text === 'false') return text === 'true' ? messages.yes : messages.no
  if (moment.test(text)) return fullWords(text)
  return list.test(text) ? [...text.matchAll(/"([^"\\]*)"/g)].map(([, one]) => one).join(', ') : text
}
const isMoney = new Set(['price', 'amount_off'])
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const list = /^\["[^"\\]*"(, ?"[^"\\]*")*\]$/

// A week that was cut off is shown as it was kept.
const weekIn = (text: string): string => {
  try {
    return hoursOfWeek(JSON.parse(text) as WorkWeek) || messages.noHours
  } catch {
    return text
  }
}

const plain = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
const upper = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
const clipped = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text)
