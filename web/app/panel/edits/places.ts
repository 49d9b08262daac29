import { plain } from '@clear-to-post/edit/emoji'
import type { Token, WordToken } from '@clear-to-post/edit/passages'
import type { Selection } from './selection.ts'

/** Words that were looked for, with some around them. */
export type Place = Selection & { text: string; before: string; after: string }

/** Where words follow each other as in `text`, whatever is written big or with a comma; of the last one its beginning will do. */
export const placesOf = (flat: readonly Token[], text: string): Place[] => {
  const wanted = text.trim().split(/\s+/).map(plain).filter(Boolean)
  if (wanted.length === 0) return []
  const words = flat.filter((token): token is WordToken => token.kind === 'word')
  const said = words.map((token) => plain(token.text || token.word.text))
  const isAt = (at: number) =>
    wanted.every((one, i) => (i === wanted.length - 1 ? said[at + i]?.startsWith(one) : said[at + i] === one))
  const textOf = (some: readonly WordToken[]) => some.map((token) => token.text || token.word.text).join(' ')
  const found: Place[] = []
  for (let at = 0; at < words.length && found.length < most; at++) {
    if (!isAt(at)) continue
    const end = at + wanted.length
    found.push({
      anchor: words[at]!.key,
      focus: words[end - 1]!.key,
      text: textOf(words.slice(at, end)),
      before: textOf(words.slice(Math.max(0, at - around), at)),
      after: textOf(words.slice(end, end + around)),
    })
  }
  return found
}

/** Places in a list, and words around each. */
const [most, around] = [50, 4]
