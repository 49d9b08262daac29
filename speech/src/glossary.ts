/**
 * Words that a tenant or an officer uses and no dictionary knows: names, places, products, abbreviations. Kept per
 * tenant and per officer; `glossaryOf` lays them over each other.
 */
export type GlossaryEntry = {
  /** As it must be written in captions: `Nguyen`, `NMLS`, `Escrow Express`. */
  term: string
  /** How it is said, in plain words or letters: `win`, `N M L S`. Without it the rules of English spelling decide. */
  sounds?: string
  /** What a transcriber tends to write instead: `new yen`, `animal s`. */
  mistaken?: string[]
}

export type Glossary = readonly GlossaryEntry[]

/** The officer's own entries win over the tenant's, and those over the trade's. Terms are the same in any case. */
export function glossaryOf(layers: { tenant?: Glossary; officer?: Glossary }): Glossary {
  const byTerm = new Map<string, GlossaryEntry>()
  for (const layer of [mortgageTerms, layers.tenant ?? [], layers.officer ?? []])
    for (const entry of layer)
      byTerm.set(entry.term.toLowerCase(), { ...byTerm.get(entry.term.toLowerCase()), ...entry })
  return [...byTerm.values()]
}

/** What the mortgage trade says all day. */
export const mortgageTerms: Glossary = [
  { term: 'NMLS', sounds: 'N M L S', mistaken: ['animal s', 'n m l s', 'enemy less'] },
  { term: 'DTI', sounds: 'D T I', mistaken: ['d t i', 'dti'] },
  { term: 'LTV', sounds: 'L T V', mistaken: ['l t v'] },
  { term: 'FHA', sounds: 'F H A', mistaken: ['f h a'] },
  { term: 'VA', sounds: 'V A' },
  { term: 'USDA', sounds: 'U S D A', mistaken: ['u s d a'] },
  { term: 'APR', sounds: 'A P R', mistaken: ['a p r'] },
  { term: 'ARM', sounds: 'arm' },
  { term: 'PMI', sounds: 'P M I', mistaken: ['p m i'] },
  { term: 'MIP', sounds: 'M I P' },
  { term: 'HOA', sounds: 'H O A', mistaken: ['h o a'] },
  { term: 'HELOC', sounds: 'he lock', mistaken: ['he lock', 'helock', 'he loc'] },
  { term: 'HUD', sounds: 'hud' },
  { term: 'FICO', sounds: 'fie co', mistaken: ['fyco', 'fie co'] },
  { term: 'ITIN', sounds: 'eye tin' },
  { term: 'DSCR', sounds: 'D S C R', mistaken: ['d s c r'] },
  { term: 'buydown', sounds: 'buy down', mistaken: ['buy down', 'by down'] },
  { term: 'refi', sounds: 're fie', mistaken: ['re-fi', 'refy', 'reify'] },
  { term: 'preapproval', sounds: 'pre approval' },
  { term: 'preapproved', sounds: 'pre approved' },
  { term: 'prequalified', sounds: 'pre qualified' },
  { term: 'fiduciary', sounds: 'fi do she airy' },
  { term: 'Zillow', sounds: 'zill oh' },
  { term: 'Fannie', sounds: 'fanny' },
]
