import { queryOptions, useQuery } from '@tanstack/react-query'
import { steadyBeat, type Beat } from '@clear-to-post/edit/beats'
import type { Loud } from '@clear-to-post/edit/loudness'

/** How high the sound goes along the video, 0 to 1, evenly spaced. */
export const usePeaks = (mediaId: string, peaksUrl: string | undefined) => useQuery(peaksOf(mediaId, peaksUrl)).data

/** The same as options, for several files at once. */
export const peaksOf = (mediaId: string, peaksUrl: string | undefined) =>
  queryOptions({ ...measuredOf(mediaId, peaksUrl), select: waveOf })

/** How loud a file is heard to be; null where ingest did not measure it yet. */
export const loudOf = (mediaId: string, peaksUrl: string | undefined) =>
  queryOptions({ ...measuredOf(mediaId, peaksUrl), select: ({ loud }): Loud | null => loud ?? null })

/** The steady beat of a piece of music; null where it has none. */
export const beatOf = (mediaId: string, peaksUrl: string | undefined) =>
  queryOptions({ ...measuredOf(mediaId, peaksUrl), select: beatIn })

/** What takes a tenth of a second is done once for each file. */
const beats = new WeakMap<Measured, Beat | null>()

/** The beat of what was measured. Of a long recording there are too few slices to tell. */
export const beatIn = (measured: Measured): Beat | null => {
  const known = beats.get(measured)
  if (known !== undefined) return known
  const { peaks, perSecond } = measured
  const found = perSecond >= 25 ? steadyBeat(peaks, perSecond) : null
  beats.set(measured, found)
  return found
}

/** What ingest writes: for each slice of time the loudest sample, 0 to 255. Files of older versions have no `loud`. */
type Measured = { perSecond: number; peaks: number[]; loud?: Loud }

// Asked for once per file: the address is signed and changes, the sound does not.
export const measuredOf = (mediaId: string, peaksUrl: string | undefined) =>
  queryOptions({
    queryKey: ['peaks', mediaId],
    queryFn: async ({ signal }) => {
      const response = await fetch(peaksUrl!, { signal })
      if (!response.ok) throw new Error(`The peaks answered ${response.status}`)
      return (await response.json()) as Measured
    },
    enabled: peaksUrl !== undefined,
    staleTime: Infinity,
    retry: 1,
  })

const waveOf = ({ peaks }: Measured): number[] => {
  // A quiet voice still has a shape; silence stays flat.
  const full = peaks.reduce((most, peak) => Math.max(most, peak), 48)
  return peaks.map((peak) => peak / full)
}
