/**
 * Classes of a worker’s work. Heavy ones have as many lanes as the machine’s cores allow: `cores` is what one run of it keeps
 * busy, `share` which part of a machine that does everything is its. `rest` is what waits for others rather than for a
 * processor: mails, notices, posts, payments.
 */
export const workClasses = {
  render: { cores: 4, share: 0.5 },
  ingest: { cores: 2, share: 0.3 },
  speech: { cores: 1, share: 0.2 },
  rest: null,
} as const

export type WorkClass = keyof typeof workClasses
export const everyClass = Object.keys(workClasses) as WorkClass[]

/** Which part of a class's lanes takes only quick work, so that whoever waits in front of the screen finds one free. */
const keptForQuick = 0.3

/** What a worker has to share out: its cores, and the classes of work that it does. */
export type Machine = { cores: number; does: readonly WorkClass[] }

/**
 * How many runs of a kind of this class go at once on this machine, `least` at any rate; how many of these take only quick
 * work; and how many cores each may keep busy.
 */
export const lanesOf = (
  workClass: WorkClass,
  least: number,
  { cores, does }: Machine,
): { lanes: number; quick: number; cores: number } => {
  const rule = workClasses[workClass]
  if (!rule) return { lanes: least, quick: Math.min(1, least - 1), cores: 1 }
  const shares = does.reduce((sum, one) => sum + (workClasses[one]?.share ?? 0), 0)
  const share = shares > 0 ? rule.share / shares : 1
  const lanes = Math.max(least, Math.floor((cores * share) / rule.cores))
  return {
    lanes,
    quick: lanes === 1 ? 0 : Math.ceil(lanes * keptForQuick),
    cores: lanes === 1 ? cores : Math.max(1, Math.floor((cores * share) / lanes)),
  }
}
