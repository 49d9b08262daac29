import { queryOptions, useQuery } from '@tanstack/react-query'

/** Loudness along the video, 0 to 1, evenly spaced. Asked for once per file: the address is signed and changes, the sound does not. */
export const usePeaks = (mediaId: string, peaksUrl: string | undefined) => useQuery(peaksOf(mediaId, peaksUrl)).data

/** The same as options, for several files at once. */
export const peaksOf = (mediaId: string, peaksUrl: string | undefined) =>
  queryOptions({
    queryKey: ['peaks', mediaId],
    queryFn: async ({ signal }) => readPeaks(await fetch(peaksUrl!, { signal })),
    enabled: peaksUrl !== undefined,
    staleTime: Infinity,
    retry: 1,
  })

// What ingest writes: for each slice of time the loudest sample, 0 to 255.
const readPeaks = async (response: Response): Promise<number[]> => {
  if (!response.ok) throw new Error(`The peaks answered ${response.status}`)
  const { peaks } = (await response.json()) as { peaks: number[] }
  // A quiet voice still has a shape; silence stays flat.
  const full = peaks.reduce((most, peak) => Math.max(most, peak), 48)
  return peaks.map((peak) => peak / full)
}
