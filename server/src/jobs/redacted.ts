/** So many characters of an error are told. */
const most = 400
/** So many are read: some patterns take the square of it, on the thread that answers everybody. */
const mostRead = 2000

/**
 * The words of an error for a person's eyes: its first line, without what may be somebody's address or a key. What stands for it
 * says what was left out.
 */
export const redacted = (words: string): string => {
  const text = replacements.reduce((said, [what, instead]) => said.replace(what, instead), beginningOf(words))
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

/** What is cut off in the middle may be no more what the patterns know: it is left out, unless it is all there is. */
const beginningOf = (words: string): string => {
  const line = words.trimStart().slice(0, mostRead).split('\n', 1)[0]!
  return (line.length < mostRead ? line : line.replace(/\s\S{0,500}$/, ' …')).trim()
}

const replacements: readonly [RegExp, string][] = [
  // A front with a slash is a password, or an address with a port before a name: nobody can tell, so the host goes, too.
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@"':]*:[^\s/@"']*\/[^\s@"']{0,300}@[^\s"')]*/gi, '$1…'],
  // What follows the place of an address may be a signature, and its front a password.
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^\s/"']*@)?([^\s/?#"')@]+)[^\s"')]*/gi, '$1$2/…'],
  [/(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu, '[e-mail address]'],
  // A header ends with its line or its quotes.
  [
    /((?:authorization|cookie)(?:\\*["']|%22)?\s*(?:[=:]|%(?:25)*3[AD])\s*)(?:"(?:[^"\\]|\\.)*(?:"|$)|'(?:[^'\\]|\\.)*(?:'|$)|(\\+)"[^\n]*?(?:(?<!\\)\2"|$)|[^\n]+)/gi,
    '$1[key]',
  ],
  [/\b(bearer|basic)\s+[\w+/=.~-]+/gi, '$1 [key]'],
  [/\b([Aa][Uu][Tt][Hh]\s+(?:PLAIN|LOGIN|XOAUTH2|plain|login|xoauth2))\s+(?![a-z]+\b)[\w+/=]+/g, '$1 [key]'],
  // In quotes, in quotes within quotes, as a part of an address, or bare.
  [
    /((?:token|secret|password|passw(?:or)?d|pass|pwd|api[-_ ]?key|signature)(?:\\*["']|%22)?\s*(?:[=:]|%(?:25)*3[AD])\s*)(?:"(?:[^"\\]|\\.)*(?:"|$)|'(?:[^'\\]|\\.)*(?:'|$)|(\\+)"[^\n]*?(?:(?<!\\)\2"|$)|[^\s;)}]+)/gi,
    '$1[key]',
  ],
  // In a sentence: what has a digit is no word.
  [/\b((?:token|secret|password|api[-_ ]?key)\s+(?:(?:is|was)\s+)?)(?=[\w+/=.~-]{0,99}\d)[\w+/=.~-]{6,}/gi, '$1[key]'],
  // Keys of Stripe, networks and push services, and JSON web tokens.
  [/\b(?:sk|rk|pk|whsec|ghp|xox[a-z]|EAA|ya29|AIza)[_.-]?[\w.-]{12,}/g, '[key]'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[key]'],
  // A uuid names a row, and is needed; anything longer of that kind opens something.
  [
    /\b(?![0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b)(?=[\w+/-]{0,99}\d)(?=[\w+/-]{0,99}[a-z])[\w+/-]{32,}={0,2}/gi,
    '[key]',
  ],
  [/(?<![\w.:-])\+?\d[\d ().-]{8,99}\d(?![\w:-])/g, '[number]'],
  // Where the service lies on its machine is nobody's business.
  [/(?<![\w:/])\/(?:[\w.@+-]+\/)+([\w.@+-]*)/g, '…/$1'],
]
