/** What is planned for, and what it costs at prices that are assumed: docs/operations.md says which. */
export const planned = {
  officers: 400_000,
  videosAMonth: 4,
  /** The busiest hour beside the mean. */
  peak: 6,
  /** What is filmed, and what of it is finished, seconds. */
  filmed: 180,
  finished: 60,
  /** Of what a phone films, bytes a second; of a finished file and of what plays in the workbench. */
  filmedBytes: (12 * 1_000_000) / 8,
  playedBytes: 200 * 1_000_000,
  /** So long an original is kept, in months: a while for the edit and 30 days after it. */
  keptMonths: 1.5,
  finishedBytes: 60 * 1_000_000,
  finishedMonths: 12,
  /** Renders for each video: the first one, and corrections that make a fifth of it anew. */
  renders: 1.4,
  /** Of a core's time so much is bought and not used. */
  idle: 0.3,
} as const

/** Dollars, list prices of a large provider in late 2026 as assumed; `egress` and `core` are what their volume prices come to. */
export const assumedPrices = {
  core: 0.018,
  storageAMonth: 0.021,
  egress: 0.012,
  writes: 5 / 1_000_000,
  reads: 0.4 / 1_000_000,
  /** A database with a standby, its replica and its backups; API hosts; mails, a month. */
  fixedAMonth: 9000,
} as const

/** Core-seconds of one video, by class of work. */
export type Spent = { ingest: number; speech: number; render: number }

export const capacity = (spent: Spent) => {
  const videos = planned.officers * planned.videosAMonth
  const mean = videos / (30 * 86_400)
  const coreSeconds = spent.ingest + spent.speech + spent.render
  const gigabyte = 1_000_000_000
  const originals = (videos * planned.filmed * planned.filmedBytes) / gigabyte
  const kept = originals * planned.keptMonths + (videos * planned.finishedBytes * planned.finishedMonths) / gigabyte
  const costs = {
    cores: ((videos * coreSeconds) / 3600 / (1 - planned.idle)) * assumedPrices.core,
    storage: kept * assumedPrices.storageAMonth,
    egress: ((videos * planned.playedBytes) / gigabyte) * assumedPrices.egress,
    // Some forty parts, pieces and derivatives are written for each video, and read some times.
    requests: videos * (60 * assumedPrices.writes + 400 * assumedPrices.reads),
    fixed: assumedPrices.fixedAMonth,
  }
  const total = Object.values(costs).reduce((sum, one) => sum + one, 0)
  return {
    videos,
    mean,
    peak: mean * planned.peak,
    coreSeconds,
    coresAtPeak: mean * planned.peak * coreSeconds,
    originalsTB: originals / 1000,
    egressTB: (videos * planned.playedBytes) / gigabyte / 1000,
    costs,
    aVideo: total / videos,
  }
}
