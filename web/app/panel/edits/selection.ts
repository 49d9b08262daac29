import type { Token, WordToken } from '@clear-to-post/edit/passages'

/** From one token to another, by their keys; `focus` is the one that moves. */
export type Selection = { anchor: string; focus: string }

/** The selection where its words stand now: a passage that was parted, or got a loudness of its own, gives them other keys. */
export const carried = (flat: readonly Token[], selection: Selection | null): Selection | null => {
  if (!selection) return null
  const now = (key: string) =>
    flat.some((token) => token.key === key)
      ? key
      : (flat.find((token) => token.kind === 'word' && key.endsWith(`.${token.word.id}`))?.key ?? key)
  const [anchor, focus] = [now(selection.anchor), now(selection.focus)]
  return anchor === selection.anchor && focus === selection.focus ? selection : { anchor, focus }
}

/** The tokens of a selection, ends included; nothing when one of its ends is gone. */
export const selectedTokens = (flat: readonly Token[], selection: Selection | null): Token[] => {
  if (!selection) return []
  const ends = [selection.anchor, selection.focus].map((key) => flat.findIndex((token) => token.key === key))
  const [from, to] = ends.toSorted((a, b) => a - b) as [number, number]
  return from < 0 ? [] : flat.slice(from, to + 1)
}

export const wordsOf = (tokens: readonly Token[]): WordToken[] => tokens.filter((token) => token.kind === 'word')

/** Where the arrow keys lead: the token `by` places away, or the first or last of its passage. */
export const stepped = (flat: readonly Token[], from: string | undefined, by: number): Token | undefined => {
  const at = flat.findIndex(({ key }) => key === from)
  return flat[at < 0 ? 0 : Math.max(0, Math.min(flat.length - 1, at + by))]
}
