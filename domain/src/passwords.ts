import { commonPasswords, keyboardRows } from './common-passwords.ts'
import { shortestPassword } from './password-length.ts'
import { isStaff, type Role } from './roles.ts'

/** Kinds of characters that a server's policy may demand; none by default. */
export const characterClasses = {
  lower: { pattern: /\p{Ll}/u, words: 'a lower-case letter' },
  upper: { pattern: /\p{Lu}/u, words: 'an upper-case letter' },
  digit: { pattern: /\p{Nd}/u, words: 'a digit' },
  symbol: { pattern: /[^\p{L}\p{Nd}\s]/u, words: 'a symbol' },
} as const
export type CharacterClass = keyof typeof characterClasses

/** Lengths in characters as a person counts them. */
export type PasswordPolicy = {
  minLength: { user: number; staff: number }
  maxLength: number
  classes: readonly CharacterClass[]
}

/** Length beats composition rules. */
export const defaultPasswordPolicy: PasswordPolicy = { minLength: shortestPassword, maxLength: 256, classes: [] }

/**
 * Why this password is too weak for a person of this role, as a sentence for that person; null when it will do.
 * `own` are words that anyone who knows the person would try first: the address, the name.
 */
export const weaknessOf = (
  password: string,
  role: Role,
  { policy = defaultPasswordPolicy, own = [] }: { policy?: PasswordPolicy; own?: readonly string[] } = {},
): string | null => {
  const length = [...password].length
  const least = isStaff(role) ? policy.minLength.staff : policy.minLength.user
  if (length < least) return `Choose a password of at least ${least} characters.`
  if (length > policy.maxLength) return `Choose a password of at most ${policy.maxLength} characters.`
  const missing = policy.classes.filter((name) => !characterClasses[name].pattern.test(password))
  if (missing.length > 0) return `Add ${missing.map((name) => characterClasses[name].words).join(' and ')}.`
  if (isCommon(password)) return 'This password is among the first that anyone would try. Choose a less common one.'
  if (isOwnWord(password, own)) return 'Choose a password that is not your own name or address.'
  return null
}

/** Is this a password that guessers try early? In any case, with l33t spelling, and with a short tail such as `123!`. */
export const isCommon = (password: string): boolean => {
  const lower = password.toLowerCase()
  return (
    commonPasswords.has(lower) ||
    isOneBlockRepeated(lower) ||
    isKeyboardRun(lower) ||
    readings(lower).some((reading) => commonPasswords.has(reading))
  )
}

// The same word as its letters, without what people hang on it to please a rule. A long tail is a secret of its own.
const readings = (lower: string): string[] => {
  const word = withoutTails(lower)
  return lower.length - word.length > longestTail ? [] : [word, plain(word), withoutTails(plain(lower)), plain(lower)]
}
const longestTail = 5

const withoutTails = (text: string): string => text.replace(/^[^\p{L}]+|(?<![^\p{L}])[^\p{L}]+$/gu, '')

const plain = (text: string): string => text.replace(/[0134578@$!+]/g, (sign) => l33t[sign as keyof typeof l33t])
const l33t = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '+': 't',
} as const

const isOneBlockRepeated = (lower: string): boolean => /^(.{1,4}?)\1+.{0,3}$/su.test(lower) && new Set(lower).size <= 4

const isKeyboardRun = (lower: string): boolean =>
  keyboardRows.some((row) => row.includes(lower) || [...row].reverse().join('').includes(lower))

const isOwnWord = (password: string, own: readonly string[]): boolean => {
  const word = withoutTails(password.toLowerCase())
  return own
    .flatMap((text) => [text, ...text.split('@').slice(0, 1), ...text.split(/[\s@._+-]+/)])
    .map((text) => text.toLowerCase())
    .some((text) => text.length >= 4 && (text === word || text === password.toLowerCase()))
}
