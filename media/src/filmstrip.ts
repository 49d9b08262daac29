import { graphed, options } from './input.ts'
import { fitted, forJpeg, type Size } from './picture.ts'
import { proxyFile } from './proxy.ts'

/** Tile n (from 0, row by row) shows the moment n × intervalMs; width and height are those of one tile. */
export type Filmstrip = { file: string; columns: number; rows: number; count: number; intervalMs: number } & Size

export const filmstripFile = 'filmstrip.jpg'

/** The light of one tile, 16 × 16 values of 0 to 255. */
export const lightSide = 16

const columns = 10
const mostTiles = 120

/** How the strip of a video of that length and shape is laid out. */
export function filmstripLayout(durationMs: number, size: Size): Filmstrip {
  // Above half a minute the key frames, one a second, are enough, and they are all that is decoded.
  const intervalMs =
    durationMs <= 30_000
      ? Math.max(250, Math.ceil(durationMs / 60 / 50) * 50)
      : 1000 * Math.ceil(durationMs / 1000 / mostTiles)
  const count = Math.max(1, Math.ceil((durationMs - 40) / intervalMs))
  return {
    file: filmstripFile,
    columns: Math.min(columns, count),
    rows: Math.ceil(count / columns),
    count,
    intervalMs,
    ...fitted(size, 90, 240),
  }
}

/** From the proxy that lies in the output folder: the sprite, and on the standard output the light of every tile. */
export function filmstripPlan(
  { columns, rows, count, intervalMs, width, height }: Filmstrip,
  threads: number,
): string[] {
  const step = (intervalMs / 1000).toFixed(3)
  // By the clock and not by counting: a tile is the first picture at or after its moment, give or take half a frame.
  const pick = `select='gte(t+0.017,selected_n*${step})*lt(selected_n,${count})'`
  const graph = [
    `[0:v]${pick},split[a][b]`,
    `[a]${forJpeg({ width, height }).join(',')},tile=${columns}x${rows}:nb_frames=${count}:color=0x0F1729[strip]`,
    `[b]scale=w=${lightSide}:h=${lightSide}:flags=area:in_range=tv:out_range=pc,format=gray[light]`,
  ].join(';')
  return [
    ...options(`-threads ${threads}`),
    ...(intervalMs >= 1000 ? ['-skip_frame', 'nokey'] : []),
    ...options(`-protocol_whitelist file -f mov -i file:${proxyFile.video}`),
    ...graphed(graph, threads),
    ...options(`-map [strip] -frames:v 1 -c:v mjpeg -q:v 4 -f image2 -update 1 -y file:${filmstripFile}`),
    ...options('-map [light] -fps_mode passthrough -c:v rawvideo -f rawvideo pipe:1'),
  ]
}
