import { z } from 'zod'

/**
 * A name, a title or a label: what stands inside somebody else's sentence or mail. Trimmed, one line of at most `max`
 * characters, at least one of which leaves a mark on the page, and none of which turns or hides what stands around it.
 */
export const visible = (max: number) =>
  line(max)
    .min(1)
    .refine((text) => text === '' || mark.test(text), 'Write something that can be seen')

/** The same, which may be left empty. */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((text) => !breaking.test(text), 'Write it on one line, in plain letters without hidden marks')

/** A text of its own, in as many lines as it needs: at most `max` characters, and something to be seen. */
export const visibleText = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => text === '' || mark.test(text), 'Write something that can be seen')

/** A name that comes from elsewhere, as `visible` would take it; empty when nothing is left of it. */
export const asLine = (text: string, max: number): string => {
  const plain = text.replaceAll(new RegExp(breaking.source, 'gu'), ' ').replaceAll(/ {2,}/g, ' ').trim()
  const short = [...plain].slice(0, max).join('').slice(0, max).trim()
  return mark.test(short) ? short : ''
}

/** A text for a terminal: what would drive it, or turn a line around, is written out; line ends and tabs stay. */
export const forTerminal = (text: string): string =>
  text.replaceAll(driving, (sign) => {
    const code = sign.codePointAt(0)!.toString(16).padStart(4, '0')
    return `\\u${code}`
  })

/** The same for what stands within a line: a name of a file, say, begins none of its own. */
export const inLineForTerminal = (text: string): string =>
  forTerminal(text)
    .replaceAll('\n', String.raw`\u000a`)
    .replaceAll('\t', String.raw`\u0009`)

// Spaces of all kinds, controls, marks without a letter, fillers, and the empty braille pattern leave none.
const mark = /[^\p{White_Space}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u

// Controls and line ends begin a line of their own in a mail; direction marks and isolates turn the sentence around. The
// joiners that emoji and some scripts need stay.
const breaking = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u
const driving = new RegExp(`(?![\\n\\t])${breaking.source}`, 'gu')
