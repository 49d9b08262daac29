import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Loud } from '@clear-to-post/edit/loudness'

/** How high the sound goes along the video, 0 to 1, evenly spaced. */
export const usePeaks = (mediaId: string, peaksUrl: string | undefined) => useQuery(peaksOf(mediaId, peaksUrl)).data

/** The same as options, for several files at once. */
export const peaksOf = (mediaId: string, peaksUrl: string | undefined) =>
  queryOptions({ ...measuredOf(mediaId, peaksUrl), select: waveOf })

/** How loud a file is heard to be; null where ingest did not measure it yet. */
export const loudOf = (mediaId: string, peaksUrl: string | undefined) =>
  queryOptions({ ...measuredOf(mediaId, peaksUrl), select: ({ loud }): Loud | null => loud ?? null })

/** What ingest writes: for each slice of time the loudest sample, 0 to 255. Files of older versions have no `loud`. */
type Measured = { peaks: number[]; loud?: Loud }

// Asked for once per file: the address is signed and changes, the sound does not.
const measuredOf = (mediaId: string, peaksUrl: string | undefined) =>
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
