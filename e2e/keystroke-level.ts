/**
 * The keystroke-level model: S. Card, T. Moran and A. Newell, "The keystroke-level model for user performance time with
 * interactive systems", Communications of the ACM 23 (7), 1980, pages 396 to 410. How long a practised person takes who
 * makes no mistake; finding out what is wrong, and watching, is not in it.
 */
export type Operator = keyof typeof seconds

const seconds = {
  /** A key, a held one too, or a button of the mouse: an average skilled typist, 55 words a minute. */
  K: 0.2,
  /** Pointing at something on the screen. */
  P: 1.1,
  /** A hand goes to the mouse, or back to the keys. */
  H: 0.4,
  /** Deciding for the next command. */
  M: 1.35,
} as const

export const Klm = {
  seconds: (operators: readonly Operator[]): number => operators.reduce((sum, one) => sum + seconds[one], 0),
  /** `M 3K P` as a list: a number says how often. */
  read: (written: string): Operator[] =>
    written.split(' ').flatMap((one) => {
      const [, times, operator] = /^(\d*)([KPHM])$/.exec(one) ?? []
      if (!operator) throw new Error(`“${one}” is no operator.`)
      return Array.from({ length: Number(times || 1) }, () => operator as Operator)
    }),
}
