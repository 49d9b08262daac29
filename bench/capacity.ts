/** What is planned for, and what it costs at prices that are assumed: docs/operations.md says which. */
export const planned = {
  officers: 400_000,
  videosAMonth: 4,
  /** The busiest hour beside the mean. */
  peak: 6,
  /** What is filmed, and what of it is finished, seconds. */
  filmed: 180,
  finished: 60,
  /** Bytes that leave the service for each video: plays of it, and of its source in the workbench. */
  playedBytes: 200 * 1_000_000,
  /** So long an original is kept, in months: a while for the edit and 30 days after it. */
  keptMonths: 1.5,
  finishedBytes: 60 * 1_000_000,
  /** Finished files are kept for a year; when originals are gone the bucket's own rule moves them to a colder class. */
  finishedMonths: 12,
  /** Renders for each video: the first one, and corrections that make a fifth of it anew. */
  renders: 1.4,
  /** Of a core's time so much is bought and not used. */
  idle: 0.3,
} as const

/**
 * Dollars, as assumed: a core-hour of machines that may be taken away, a gigabyte-month of a store's usual class and of one for
 * files that are seldom read, a gigabyte out of a CDN bought by volume, and out of a large cloud's own at its list price.
 */
export const assumedPrices = {
  core: 0.018,
  storageAMonth: 0.021,
  coldAMonth: 0.004,
  egress: 0.012,
  listEgress: 0.053,
  writes: 5 / 1_000_000,
  reads: 0.4 / 1_000_000,
  /** A database with a standby, its replica and its backups; API hosts; mails, a month. */
  fixedAMonth: 9000,
} as const

/** Core-seconds of one video, by class of work. */
export type Spent = { ingest: number; speech: number; render: number }

/** The plan for films of so many Mbit/s. */
export const capacity = (spent: Spent, rate: number) => {
  const videos = planned.officers * planned.videosAMonth
  const mean = videos / (30 * 86_400)
  const coreSeconds = spent.ingest + spent.speech + spent.render
  const gigabyte = 1_000_000_000
  const originals = (videos * planned.filmed * rate * 125_000) / gigabyte
  const finished = (videos * planned.finishedBytes) / gigabyte
  const kept = (originals + finished) * planned.keptMonths
  const cold = finished * (planned.finishedMonths - planned.keptMonths)
  const played = (videos * planned.playedBytes) / gigabyte
  const costs = {
    cores: ((videos * coreSeconds) / 3600 / (1 - planned.idle)) * assumedPrices.core,
    storage: kept * assumedPrices.storageAMonth + cold * assumedPrices.coldAMonth,
    egress: played * assumedPrices.egress,
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
    egressTB: played / 1000,
    costs,
    aVideo: total / videos,
    atListEgress: (total + played * (assumedPrices.listEgress - assumedPrices.egress)) / videos,
  }
}
