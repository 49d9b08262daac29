/**
 * What the recorder noted while a take was filmed; milliseconds of the take, without its pauses. `again`: the officer pressed
 * “Again from here”, and the words went back to this one of the script. `shown`: which word was shown from when on.
 * `sentence`: this take is one sentence of another one, said anew after it.
 */
export type TakeLog = {
  again: readonly { ms: number; word: number }[]
  shown: readonly (readonly [word: number, ms: number])[]
  sentence?: string | undefined
}

/** So much is kept of a take at most. */
export const mostNoted = { again: 500, shown: 5000, sentence: 1000 } as const
