const ears = new Set<() => void>()

/**
 * Hears of every transaction that this process has committed, so that what it changed is looked for at once; other
 * processes' commits are found by looking again and again. Answers how to hear no more.
 */
export const onCommit = (ear: () => void): (() => void) => {
  ears.add(ear)
  return () => void ears.delete(ear)
}

export const committed = (): void => {
  for (const ear of ears) ear()
}
