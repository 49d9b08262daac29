import type { Profile } from '@clear-to-post/contract/accounts'
import { equalHousingWords, licenceStates, nmlsDigits } from '@clear-to-post/domain/licences'
import { onDevice } from '../../storage.ts'

/**
 * Blanks of scripts: `[name]`, `NMLS [number]`. Those of the officer and their company are filled from what is known, and what
 * was said once is kept on this device. Brackets that tell how to speak (`[smile]`) are notes and no blanks.
 */

/** What stands between the brackets of each blank, once each, in small letters. */
export const blanksIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(bracket)].map(([, inside]) => inside!.trim().toLowerCase()).filter((one) => isBlank(one)),
  ),
]

/** The same text with every blank of which something is known said in words. */
export const fillBlanks = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(bracket, (whole, inside: string) => {
    const blank = inside.trim().toLowerCase()
    return (Object.hasOwn(values, blank) && values[blank]!.trim()) || whole
  })

/** What is known of this person's blanks: `kept` are those that need not be asked for. */
export const knownBlanks = (user: SaidOf & Pick<Profile, 'id'>) => {
  const own = Object.fromEntries(
    Object.entries(blanksOf).flatMap(([known, blanks]) =>
      blanks.map((blank): [string, string] => [blank, knownOf(user)[known as Known] ?? '']),
    ),
  )
  const values: Record<string, string> = { ...own, ...read(user.id) }
  for (const [blank, value] of Object.entries(own)) if (value !== '') values[blank] = value
  return { values, kept: new Set(Object.keys(values).filter((blank) => values[blank] !== '')) }
}

/**
 * What was said for blanks and belongs into the profile, which every device of this person's knows: only what stands there
 * empty, and a licence number only where it is one. Null where that is nothing.
 */
export const blanksForProfile = (
  user: Pick<Profile, 'nmlsNumber' | 'preferences'>,
  values: Readonly<Record<string, string>>,
): { nmlsNumber?: string; preferences?: { phone?: string; city?: string } } | null => {
  const saidFor = (known: Known) =>
    blanksOf[known].map((blank) => values[blank]?.trim() ?? '').find((one) => one !== '')
  const nmls = nmlsDigits(saidFor('nmlsNumber') ?? '') ?? ''
  const nmlsNumber = nmls !== '' && !user.nmlsNumber ? { nmlsNumber: nmls } : {}
  const preferences = Object.fromEntries(
    (['phone', 'city'] as const).flatMap((known) => {
      const value = saidFor(known)
      return value !== undefined && value.length <= 40 && !user.preferences?.[known] ? [[known, value] as const] : []
    }),
  )
  const said = { ...nmlsNumber, ...(Object.keys(preferences).length > 0 ? { preferences } : {}) }
  return Object.keys(said).length === 0 ? null : said
}

/** Keeps what is the same in every script: the licence number, a phone, a city. */
export const keepBlanks = (userId: string, values: Readonly<Record<string, string>>): void => {
  const lasting = Object.entries(values).filter(([blank, value]) => value.trim() !== '' && lastingBlanks.test(blank))
  if (lasting.length > 0) onDevice.keep(keyOf(userId), JSON.stringify(Object.fromEntries(lasting)))
}

/** A blank as the name of its field: `number` stands behind NMLS in scripts. */
export const blankName = (blank: string): string =>
  blank === 'number' || blank === 'nmls' ? 'NMLS number' : blank.charAt(0).toUpperCase() + blank.slice(1)

/** What a profile says of an officer and their company. */
type SaidOf = Pick<Profile, 'name' | 'tenantName' | 'preferences' | 'nmlsNumber' | 'licenceStates' | 'companyLicences'>
/** How scripts write each. */
const blanksOf = {
  name: ['name', 'your name'],
  company: ['company', 'your company'],
  nmlsNumber: ['number', 'nmls', 'nmls number', 'your nmls number'],
  companyNmls: ['company nmls', 'company nmls number'],
  equalHousing: ['equal housing'],
  states: ['states'],
  phone: ['phone', 'phone number', 'your phone', 'your phone number'],
  city: ['city', 'town', 'your city', 'your town'],
} as const satisfies Record<string, readonly string[]>
type Known = keyof typeof blanksOf
const knownOf = ({ companyLicences = {}, licenceStates: states = [], ...user }: SaidOf): Record<Known, string> => ({
  name: user.name,
  company: user.tenantName ?? '',
  nmlsNumber: user.nmlsNumber ?? '',
  companyNmls: companyLicences.nmlsNumber ?? '',
  equalHousing: companyLicences.equalHousing ? equalHousingWords[companyLicences.equalHousing] : '',
  states: listed.format(states.map((state) => licenceStates[state])),
  phone: user.preferences?.phone ?? '',
  city: user.preferences?.city ?? '',
})

const listed = new Intl.ListFormat('en')
const bracket = /\[([^\]\n]{1,80})\]/g
const lastingBlanks = /^(company|number|nmls|nmls number|phone|phone number|city|town|office|state|website)$/
const isBlank = (inside: string): boolean => inside !== '' && !note.test(inside)
/** How one speaks, looks and stands. */
const note =
  /^(pause|smile|look|hold|show|point|breathe|breath|beat|wait|slow|fast|loud|quiet|whisper|laugh|nod|cut|turn|walk|sit|stand|lean|hands?|lift|note|b-?roll|camera|again|softly|stop|gesture|shrug|wave|serious|happy)\b/

const keyOf = (userId: string): string => `blanks ${userId}`
const read = (userId: string): Record<string, string> => {
  try {
    const kept = JSON.parse(onDevice.read(keyOf(userId)) ?? '{}') as Record<string, unknown>
    return Object.fromEntries(Object.entries(kept).filter((one): one is [string, string] => typeof one[1] === 'string'))
  } catch {
    return {}
  }
}
