import { MB, networks, type Network, type NetworkLimits, type PostFile } from './networks.ts'

/**
 * What is made of the approved file for a network that does not take it as it is: the same pictures and sound in the same shape and
 * length, within these bounds. It is kept with the post that it was chosen for.
 */
export type Fit = {
  bytes: number
  /** Pixels of the longer side; null: as it is. */
  side: number | null
  /** Pictures a second; null: as it is. */
  rate: { least: number; most: number } | null
  /** A second, on average; null: as many as the bytes allow. */
  bits: number | null
}

/** Which file is made of this one for this network; null where it goes there as it is, or no such file would help. */
export const fitFor = (network: Network, file: PostFile): Fit | null => {
  if (file.durationMs === null || misfits(network, file).length === 0) return null
  const { bytes, takes }: NetworkLimits = networks[network]
  return {
    bytes: bytes.most,
    side: takes?.side ?? null,
    rate: takes?.rate === undefined ? null : { least: takes.rate.least ?? 1, most: takes.rate.most },
    bits: takes?.bits ?? null,
  }
}

/** What is made of the file for this network, in sentences for who schedules; empty where it goes there as it is. */
export const fitWords = (network: Network, file: PostFile): string[] => {
  if (file.durationMs === null) return []
  const { name } = networks[network]
  return misfits(network, file).map((words) => `For ${name} ${words}`)
}

const misfits = (network: Network, file: PostFile): string[] => {
  const { bytes, takes }: NetworkLimits = networks[network]
  const words: string[] = []
  if (file.bytes > bytes.most) words.push(`the file is made smaller: ${Math.round(bytes.most / MB)} MB at most.`)
  if (!takes) return words
  const { format } = file
  if (format && !(format.isMp4 && takes.pictures.includes(format.pictures)))
    words.push('the file is made an MP4 with H.264: its kind is not taken there.')
  // What is not known is within every bound: NaN is neither more nor less than a number.
  if (Math.max(file.width ?? NaN, file.height ?? NaN) > (takes.side ?? Infinity))
    words.push(`the picture is made smaller: ${takes.side} pixels at most on its longer side.`)
  // As probes tell it: 29.97 of 30000/1001, and now and then a hair more than what is meant.
  const rate = format?.rate ?? NaN
  if (rate > (takes.rate?.most ?? Infinity) + 0.5)
    words.push(`it gets fewer pictures a second: ${takes.rate?.most} at most.`)
  if (rate < (takes.rate?.least ?? 0) - 0.05)
    words.push(`it gets more pictures a second: ${takes.rate?.least} at least.`)
  if ((file.bytes * 8000) / (file.durationMs ?? NaN) > (takes.bits ?? Infinity))
    words.push(`the file is made lighter: ${(takes.bits ?? 0) / MB} Mbit a second at most.`)
  return words
}
