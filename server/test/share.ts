import { createHash } from 'node:crypto'

/**
 * Bounds of a long form that takes hours. `SHARE=3/8` asks the third of eight parts, which have nothing in common and together are
 * all of it: each case falls into its part by its name, so that a new one moves no other (`PROVE_SEED` parts them anew).
 * `MINUTES=15` ends it after so many, between two cases.
 */
const [part, parts] = readShare(process.env.SHARE)
const until = Date.now() + Number(process.env.MINUTES ?? Infinity) * 60_000

export const shareWords = parts === 1 ? 'all' : `share ${part}/${parts}`

export const isInShare = (name: string): boolean => partOf(name, parts) === part

export const isTimeOver = (): boolean => Date.now() > until

/** Into which of so many parts a case falls, counted from 1. */
export function partOf(name: string, of: number): number {
  const hash = createHash('sha256')
    .update(`${process.env.PROVE_SEED ?? ''} ${name}`)
    .digest()
  return (hash.readUInt32BE() % of) + 1
}

export function readShare(written = '1/1'): readonly [part: number, parts: number] {
  const [, part = NaN, parts = NaN] = (/^(\d+)\/(\d+)$/.exec(written) ?? []).map(Number)
  if (!(part >= 1 && part <= parts)) throw new Error(`SHARE=${written}: write SHARE=3/8 for the third of eight parts.`)
  return [part, parts]
}
