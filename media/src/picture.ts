import type { VideoTrack } from './probe.ts'

export type Size = { width: number; height: number }

/** The size that keeps the shape, stays within both sides, is even as 4:2:0 wants it, and is never an enlargement. */
export function fitted({ width, height }: Size, shortSide: number, longSide: number): Size {
  const scale = Math.min(1, shortSide / Math.min(width, height), longSide / Math.max(width, height))
  const even = (side: number) => Math.max(2, 2 * Math.min(Math.round((side * scale) / 2), Math.floor(side / 2)))
  return { width: even(width), height: even(height) }
}

/**
 * Filters from any source to that size in ordinary video: Rec.709, limited range, 8 bits, square pixels.
 * ffmpeg itself has turned the picture upright before.
 */
export function ordinary(video: Pick<VideoTrack, 'hdr' | 'matrix'>, { width, height }: Size): string[] {
  const matrix = video.hdr ? 'bt2020' : video.matrix === 'rgb' ? 'bt709' : video.matrix
  const scale = `scale=w=${width}:h=${height}:flags=bilinear:in_color_matrix=${matrix}:out_color_matrix=${matrix}`
  return [
    `${scale}:out_range=tv`,
    'setsar=1',
    ...(video.hdr ? toneMap(video.hdr) : sameLight[matrix]),
    'setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709',
  ]
}

/** Filters from ordinary video to what a JPEG wants: the older matrix and the full range. */
export function forJpeg({ width, height }: Size): string[] {
  const matrices = 'in_color_matrix=bt709:out_color_matrix=bt601:in_range=tv:out_range=pc'
  return [`scale=w=${width}:h=${height}:flags=bilinear:${matrices}`, 'format=yuvj420p']
}

const sameLight = {
  bt709: ['format=yuv420p'],
  // Only the matrix: phones that use the old one still film in Rec.709's primaries.
  bt601: ['format=yuv420p', 'colorspace=ispace=smpte170m:iprimaries=bt709:itrc=bt709:irange=tv:all=bt709'],
  bt2020: ['format=yuv420p10', 'colorspace=iall=bt2020:irange=tv:all=bt709:format=yuv420p'],
} satisfies Record<Exclude<VideoTrack['matrix'], 'rgb'>, string[]>

/**
 * From HLG or PQ to ordinary video. White paper (203 nits, ITU-R BT.2408) lands a little under white, what is brighter
 * rolls off, faces keep their brightness. The curve works on coded values and the change of primaries in ffmpeg's fast
 * filter: a quarter of the cost of zscale with tonemap, which also came out darker. For HLG the curve may run on
 * luma alone (39 to 41 dB against the picture the test was made from); PQ bends too much for that and takes a turn
 * through RGB.
 */
function toneMap(hdr: 'hlg' | 'pq'): string[] {
  const primaries = 'colorspace=iall=bt2020:itrc=bt2020-10:irange=tv:all=bt709'
  if (hdr === 'hlg') {
    const luma = `${curve('clip((val-64)/876,0,1)', hlgLight)}*876+64`
    const chroma = '(val-512)*1.15+512'
    const map = `lutyuv=y=${quoted(luma)}:u=${quoted(chroma)}:v=${quoted(chroma)}`
    return ['format=yuv420p10', `${primaries}:format=yuv420p10`, map, 'format=yuv420p']
  }
  const each = quoted(`${curve('clip(val/1023,0,1)', pqLight)}*1023`)
  const back = 'scale=in_range=pc:out_color_matrix=bt2020:out_range=tv'
  return [
    'format=gbrp10',
    `lutrgb=r=${each}:g=${each}:b=${each}`,
    back,
    'format=yuv420p10',
    `${primaries}:format=yuv420p`,
  ]
}

/** ld(0) is the coded value 0..1; ld(2) becomes light, 1 being white paper. */
const hlgLight =
  'st(1,if(lte(ld(0),0.5),ld(0)*ld(0)/3,(exp((ld(0)-0.55991073)/0.17883277)+0.28466892)/12));' +
  // A screen of 1,000 nits shows HLG with a gamma of 1.2.
  'st(2,1000/203*pow(ld(1),1.2))'

const pqLight =
  'st(1,pow(ld(0),1/78.84375));' +
  'st(2,10000/203*pow(max(ld(1)-0.8359375,0)/(18.8515625-18.6875*ld(1)),1/0.1593017578125))'

/** Light up to 0.6 stays as it is; 0.6 to 1,000 nits bend smoothly into the rest, and gamma 2.4 codes it again. */
function curve(value: string, light: string): string {
  const knee = 0.6
  const steep = (1000 / 203 - knee) / (1 - knee)
  const bent = `${knee}+${1 - knee}*ld(3)*${steep.toFixed(4)}/(1+ld(3)*${(steep - 1).toFixed(4)})`
  const share = `st(3,clip((ld(2)-${knee})/${(1000 / 203 - knee).toFixed(4)},0,1))`
  return `(st(0,${value});${light};${share};pow(if(lte(ld(2),${knee}),ld(2),${bent}),1/2.4))`
}

/** A filter's value may hold commas and semicolons when it stands in quotes. */
function quoted(expression: string): string {
  return `'${expression}'`
}
