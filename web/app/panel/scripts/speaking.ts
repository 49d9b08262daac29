import { locale } from '../../language.ts'
import { lengthWords } from '../../times.ts'

/** People read about 150 words a minute into a camera. */
const wordsAMinute = 150

export const wordsIn = (content: string): number => content.match(/\S+/g)?.length ?? 0

/** `55 s`, `1 min`; in steps of five seconds, for nobody speaks by the second. */
export const speakingTime = (content: string): string => {
  const seconds = Math.max(5, Math.round((wordsIn(content) / wordsAMinute) * 12) * 5)
  return lengthWords(seconds)
}

export const countWords = (content: string): string => wordsIn(content).toLocaleString(locale)

/** The script as far as a field takes it, cut after a sentence where there is one. */
export const shortened = (content: string, most: number): string => {
  if (content.length <= most) return content
  const part = content.slice(0, most - 1)
  const end = Math.max(part.lastIndexOf('. '), part.lastIndexOf('? '), part.lastIndexOf('! '), part.lastIndexOf('\n'))
  return end > most / 2 ? part.slice(0, end + 1) : `${part}…`
}
