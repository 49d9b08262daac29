/**
 * Things whose name, other name or further words have every word that was typed, at the start of one of its own words; those that begin with
 * them first.
 */
export const matching = <Thing extends { label: string; also?: string; words?: string }>(
  things: readonly Thing[],
  text: string,
): Thing[] => {
  const wanted = wordsIn(text)
  const found = things.filter(({ label, also = '', words: further = '' }) => {
    const words = wordsIn(`${label} ${also} ${further}`)
    return wanted.every((one) => words.some((word) => word.startsWith(one)))
  })
  const begins = ({ label }: Thing) => Number(!label.toLowerCase().startsWith(text.trim().toLowerCase()))
  return found.toSorted((a, b) => begins(a) - begins(b))
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
