import { useQuery } from '@tanstack/react-query'

/** Loudness along the video, 0 to 1, evenly spaced. Asked for once per file: the address is signed and changes, the sound does not. */
export const usePeaks = (mediaId: string, peaksUrl: string | undefined) =>
  useQuery({
    queryKey: ['peaks', mediaId],
    queryFn: async ({ signal }) => readPeaks(await fetch(peaksUrl!, { signal })),
    enabled: peaksUrl !== undefined,
    staleTime: Infinity,
    retry: 1,
  }).data

const readPeaks = async (response: Response): Promise<ArrayLike<number>> => {
  if (!response.ok) throw new Error(`The peaks answered ${response.status}`)
  if (response.headers.get('content-type')?.includes('json')) {
    const { peaks } = (await response.json()) as { peaks: number[] }
    const most = peaks.reduce((a, b) => Math.max(a, b), 0)
    return peaks.map((peak) => peak / Math.max(most, 1))
  }
  return Float32Array.from(new Uint8Array(await response.arrayBuffer()), (byte) => byte / 255)
}
