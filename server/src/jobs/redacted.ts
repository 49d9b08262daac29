/** So many characters of an error are told. */
const most = 400

/**
 * The words of an error for a person's eyes: its first line, without what may be somebody's address or a key. What stands for it
 * says what was left out.
 */
export const redacted = (words: string): string => {
  const line = words.split('\n', 1)[0]!.trim()
  const text = replacements.reduce((said, [what, instead]) => said.replace(what, instead), line)
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

const replacements: readonly [RegExp, string][] = [
  // What follows the place of an address may be a signature, and its front a password.
  [/\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/@"']*@)?([^\s/?#"')]+)[^\s"')]*/gi, '$1$2/…'],
  [/[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu, '[e-mail address]'],
  [/\b(bearer|basic)\s+[\w+/=.~-]+/gi, '$1 [key]'],
  [
    /\b((?:[\w-]*(?:token|secret|password|api-?_?key|authorization|cookie|signature))["']?\s*[=:]\s*)(?:"[^"]*"|'[^']*'|[^\s,;)}]+)/gi,
    '$1[key]',
  ],
  // Keys of Stripe, networks and push services, and JSON web tokens.
  [/\b(?:sk|rk|pk|whsec|ghp|xox[a-z]|EAA|ya29|AIza)[_.-]?[\w.-]{12,}/g, '[key]'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[key]'],
  // A uuid names a row, and is needed; anything longer of that kind opens something.
  [/\b(?![0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b)(?=[\w+/-]*\d)(?=[\w+/-]*[a-z])[\w+/-]{32,}={0,2}/gi, '[key]'],
  [/(?<![\w.:-])\+?\d[\d ().-]{8,}\d(?![\w:-])/g, '[number]'],
  // Where the service lies on its machine is nobody's business.
  [/(?<![\w:/])\/(?:[\w.@+-]+\/)+([\w.@+-]*)/g, '…/$1'],
]
