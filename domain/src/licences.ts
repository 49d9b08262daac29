/**
 * What a lender's advertisement says of who speaks: numbers of the Nationwide Multistate Licensing System (NMLS), the states
 * somebody is licensed in, and a company's Equal Housing words.
 */

/** States and territories of the United States that license loan officers, by their postal code. */
export const licenceStates = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  DC: 'District of Columbia',
  FL: 'Florida',
  GA: 'Georgia',
  GU: 'Guam',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  PR: 'Puerto Rico',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VI: 'Virgin Islands',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
} as const
export type LicenceState = keyof typeof licenceStates
export const licenceStateCodes = Object.keys(licenceStates) as [LicenceState, ...LicenceState[]]

/** Which words a company puts on its advertisements; its charter decides. */
export const equalHousings = ['lender', 'opportunity'] as const
export type EqualHousing = (typeof equalHousings)[number]
export const equalHousingWords = {
  lender: 'Equal Housing Lender',
  opportunity: 'Equal Housing Opportunity',
} as const satisfies Record<EqualHousing, string>

/** The digits of an NMLS number as people write it (`NMLS #120456`, `120 456`); null where it is none. Empty stays empty. */
export const nmlsDigits = (written: string): string | null => {
  const digits = written.replace(/^\s*(?:nmls)?\s*(?:id)?\s*(?:#|no\.?)?\s*/i, '').replace(/\s/g, '')
  return /^\d{0,10}$/.test(digits) ? digits : null
}

export type Licences = {
  /** The officer's. */
  nmlsNumber: string | null
  company: { nmlsNumber: string | null; equalHousing: EqualHousing | null } | null
}

/** The small print of a card, each part where it is known: `NMLS #120456 · Company NMLS #3030 · Equal Housing Lender`. */
export const smallPrint = ({ nmlsNumber, company }: Licences): string =>
  [
    nmlsNumber && `NMLS #${nmlsNumber}`,
    company?.nmlsNumber && `Company NMLS #${company.nmlsNumber}`,
    company?.equalHousing && equalHousingWords[company.equalHousing],
  ]
    .filter(Boolean)
    .join(' · ')
