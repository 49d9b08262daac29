import type { Token, WordToken } from '@clear-to-post/edit/passages'

/** The sentence or sentences around these words, as they are written. */
export const sentenceAround = (flat: readonly Token[], words: readonly WordToken[]): string =>
  textOf(wordsAround(flat, words))

/** The words of the sentence or sentences around these words. */
export const wordsAround = (flat: readonly Token[], words: readonly WordToken[]): WordToken[] => {
  const all = flat.filter((token): token is WordToken => token.kind === 'word')
  const at = all.findIndex(({ key }) => key === words[0]?.key)
  const last = all.findIndex(({ key }) => key === words.at(-1)?.key)
  if (at < 0 || last < 0) return []
  const ends = ({ word }: WordToken) => /[.!?…]["”’)]?$/.test(word.text)
  const before = all.slice(0, at).findLastIndex(ends)
  const after = all.slice(last).findIndex(ends)
  return all.slice(before + 1, after < 0 ? undefined : last + after + 1)
}

export const textOf = (words: readonly WordToken[]): string => words.map(({ word }) => word.text).join(' ')
