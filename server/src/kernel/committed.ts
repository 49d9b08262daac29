type Ear = (enqueued: ReadonlySet<string>) => void
const ears = new Set<Ear>()

/**
 * Hears of every transaction that this process has committed, and of the kinds of jobs that it enqueued, so that what it
 * changed is looked for at once; other processes' commits are found by looking again and again. Answers how to hear no more.
 */
export const onCommit = (ear: Ear): (() => void) => {
  ears.add(ear)
  return () => void ears.delete(ear)
}

export const committed: Ear = (enqueued) => {
  for (const ear of ears) ear(enqueued)
}
