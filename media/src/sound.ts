import { cleanVersion } from '@clear-to-post/edit/clean-voice'
import { gainOf } from '@clear-to-post/edit/commands/sound'
import { rampSeconds, voicedIn } from '@clear-to-post/edit/ducking'
import {
  addTone,
  cleanedLoop,
  toneSpans,
  toneVersion,
  type ToneLoop,
  type ToneSpan,
} from '@clear-to-post/edit/room-tone'
import { musicSpan } from '@clear-to-post/edit/music'
import { clipsHeard, piecesHeard, type MusicHeard } from '@clear-to-post/edit/music-heard'
import { effectRate, effectSamples, effectsHeard, type EffectName } from '@clear-to-post/edit/sound-effects'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { timelineOf, type Piece, type Timeline } from '@clear-to-post/edit/timeline'
import { voiceFades, type VoiceFades } from '@clear-to-post/edit/voice-fades'
import { hash, type Material } from './chunks.ts'
import { sampleAt, soundEncoder, soundRate } from './encoder.ts'
import { graphed, onTheClock, options, safeInput } from './input.ts'
import type { Probe } from './probe.ts'

/** The whole video's sound: what is read, and a graph each for the voice and the music under it. */
export type SoundPlan = {
  key: string
  samples: number
  /** `cleaned`: the file that its sound lies in by then, made clean. */
  inputs: { asset: string; probe: Probe; loops: boolean; cleaned?: string }[]
  /** Ends in `voice`: the pieces in their places. Silence where there is no sound. */
  voice: string
  music: MusicPlan | null
  /** Pieces of music with places of their own. */
  pieces: PiecePlan[]
  effects: EffectPlan[]
  /** The rooms that are heard beside the voice; null where there are none. */
  tone: TonePlan | null
  /** LUFS, or null for no change; and the highest true peak in dBTP. */
  loudness: number | null
  peak: number
}

/** Where rooms are heard, and the loop of each, by the source's id. */
type TonePlan = { spans: ToneSpan[]; loops: ReadonlyMap<string, ToneLoop> }

/** A piece of music, or B-roll's own sound, from a sample of the video on; its `end` is how long it is heard, its `speed` how fast. */
type PiecePlan = MusicPlan & { at: number; speed?: number }

/** A sound effect: where it begins and how long it is heard, in samples; dB. */
type EffectPlan = { name: EffectName; at: number; length: number; gain: number }

/** Lengths and places in samples; it is heard from the start of the video to `end`. */
type MusicPlan = {
  input: number
  track: number
  gain: number
  envelope: string
  starts: number
  end: number
  fadeIn: number
  fadeOut: number
}

/** Measured by EBU R 128: LUFS over the whole, and the true peak in dBTP. */
export type Loudness = { integrated: number; peak: number }

export const voiceFile = 'voice.nut'

/** Plans the sound of a recipe. Pure; throws an Error for an asset that is not there. */
export function soundPlan(recipe: Recipe, materials: ReadonlyMap<string, Material>): SoundPlan {
  const ducked = new Map<number, string>()
  const timeline = timelineOf(recipe)
  const { fps } = timeline
  const samples = sampleAt(timeline.frames, fps)
  const at = (asset: string) => {
    const found = materials.get(asset)
    if (!found) throw new Error(`Asset ${asset} is not at hand`)
    return found
  }
  const inputs: SoundPlan['inputs'] = []
  const heard = recipe.sources.flatMap(({ id, assetId }) => {
    const { probe } = at(assetId)
    const pieces = timeline.pieces.filter(({ source }) => source === id)
    if (!probe.audio || probe.kind === 'picture' || pieces.length === 0) return []
    const cleaned = recipe.sound.clean ? { cleaned: `clean${inputs.length}.raw` } : {}
    const track = recipe.sound.clean ? 0 : probe.audio.stream
    return byReader(pieces).map((own) => {
      const input = inputs.push({ asset: assetId, probe, loops: false, ...cleaned }) - 1
      return { pieces: own, track, input }
    })
  })
  const faded = voiceFades(recipe, timeline)
  const voice = joined(timeline, heard, { gainAt: (piece) => gainOf(recipe, piece), faded })
  const tone = toned()
  const { music } = recipe.sound
  const parts = piecesHeard(recipe, timeline)
  const song = music ? at(music.assetId).probe.audio : null
  const under = music && song ? musicPlan(music, song.stream) : null
  const { loudness, peak } = recipe.sound
  const pieces = [...parts, ...clipsHeard(recipe, timeline)].flatMap((one): PiecePlan[] => {
    const { probe } = at(one.assetId)
    // Of B-roll that has run out nothing is left to be heard.
    const isOver = one.clip && one.starts >= probe.durationMs / 1000
    if (!probe.audio || probe.kind === 'picture' || isOver) return []
    const inSamples = (seconds: number) => Math.round(seconds * soundRate)
    const from = inSamples(one.at)
    const length = Math.min(samples, inSamples(one.end)) - from
    return [
      {
        input: inputs.push({ asset: one.assetId, probe, loops: one.loops }) - 1,
        track: probe.audio.stream,
        gain: one.gain,
        envelope: duckedBy(one.duck),
        at: from,
        ...(one.clip && one.clip.speed !== 1 && { speed: one.clip.speed }),
        starts: inSamples(one.loops ? one.starts % (probe.durationMs / 1000) : one.starts),
        end: length,
        fadeIn: Math.min(length, inSamples(one.fadeIn)),
        fadeOut: Math.min(length, inSamples(one.fadeOut)),
      },
    ]
  })
  const effects = effectsHeard(recipe, timeline).map(({ name, at, seconds, gain }): EffectPlan => {
    const [from, to] = [Math.round(at * soundRate), Math.round((at + seconds) * soundRate)]
    return { name, at: from, length: Math.min(to, samples) - from, gain }
  })
  const files = inputs.map(({ asset }) => at(asset).hash)
  const clean = recipe.sound.clean ? [cleanVersion] : []
  const made = [...(effects.length > 0 ? [effectVersion, effects] : []), ...(pieces.length > 0 ? [{ pieces }] : [])]
  const rooms = tone ? [toneVersion, tone.spans.map(({ source, from, to }) => [source, from, to])] : []
  const key = hash([
    soundVersion,
    samples,
    voice,
    under,
    loudness,
    peak,
    files,
    soundEncoder,
    ...clean,
    ...made,
    ...rooms,
  ])
  return { key, samples, inputs, voice, music: under, pieces, effects, tone, loudness, peak }

  function toned(): TonePlan | null {
    if (!recipe.sound.tone) return null
    const assetOf = new Map(recipe.sources.map(({ id, assetId }) => [id, assetId]))
    const used = [...new Set(timeline.pieces.map(({ source }) => source))]
    const loops = new Map(
      used.flatMap((id) => {
        const { tone } = at(assetOf.get(id) ?? '')
        return tone ? [[id, recipe.sound.clean ? cleanedLoop(tone, soundRate) : tone] as const] : []
      }),
    )
    const isHeard = (source: string) => Boolean(at(assetOf.get(source) ?? '').probe.audio)
    const spans = toneSpans(recipe, timeline, { has: (source) => loops.has(source), isHeard })
    return spans.length > 0 ? { spans, loops } : null
  }

  function duckedBy(duck: number): string {
    const known = ducked.get(duck) ?? ducking(recipe, timeline, duck)
    ducked.set(duck, known)
    return known
  }

  function musicPlan(music: NonNullable<Recipe['sound']['music']>, track: number): MusicPlan {
    const { probe } = at(music.assetId)
    const span = musicSpan(music, samples / soundRate, probe.durationMs / 1000)
    const inSamples = (seconds: number) => Math.round(seconds * soundRate)
    const end = Math.min(samples, inSamples(span.end))
    return {
      input: inputs.push({ asset: music.assetId, probe, loops: !music.once }) - 1,
      track,
      gain: music.gain,
      envelope: [duckedBy(music.duck), ...resting(parts)].join('*'),
      starts: inSamples(span.starts),
      end,
      fadeIn: Math.min(end, inSamples((music.fadeInMs ?? 0) / 1000)),
      fadeOut: Math.min(end, inSamples(music.fadeOutMs / 1000)),
    }
  }
}

/** So many times a recording is read at most. */
const mostReaders = 8

/**
 * The passages of one recording, in the order of playing, by who reads them. Each reader goes forward: what is played before
 * what was said before it is read by another one, else all between would be held in memory, a megabyte for each second.
 */
export function byReader<P extends Pick<Piece, 'from' | 'to'>>(pieces: readonly P[]): P[][] {
  const readers: P[][] = []
  for (const piece of pieces) {
    const ready = readers.filter((own) => own.at(-1)!.to <= piece.from)
    // The one that has come nearest.
    const nearest = ready.toSorted((a, b) => b.at(-1)!.to - a.at(-1)!.to)[0]
    if (nearest) nearest.push(piece)
    else if (readers.length < mostReaders) readers.push([piece])
    else readers.at(-1)!.push(piece)
  }
  return readers
}

/** As `chunkVersion`, for the sound. */
const soundVersion = 2
/** Raised whenever the same effect would sound otherwise. */
const effectVersion = 1

/** The file of an effect's samples, two channels. */
export const effectFile = (name: EffectName): string => `effect-${name}.raw`

/** Before the second pass: an effect as `finishArguments` reads it. */
export function effectBytes(name: EffectName): Uint8Array {
  const samples = effectSamples(name)
  const both = Float32Array.from({ length: 2 * samples.length }, (_, i) => samples[i >> 1]!)
  return new Uint8Array(both.buffer)
}

/** The file of the rooms, two channels, as long as the video. */
export const toneTrack = 'tone.raw'

/** Before the first pass: the rooms, a second at a time, as `gatherArguments` reads them. */
export function* toneBytes({ tone, samples }: Pick<SoundPlan, 'tone' | 'samples'>): Generator<Uint8Array> {
  if (!tone) return
  for (let first = 0; first < samples; first += soundRate) {
    const count = Math.min(soundRate, samples - first)
    const [left, right] = [new Float32Array(count), new Float32Array(count)]
    addTone(tone.spans, tone.loops, soundRate, first, left, right)
    const both = Float32Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? left : right)[i >> 1]!)
    yield new Uint8Array(both.buffer)
  }
}

/** Before all: a source's sound as raw samples, for `soundCleaner`. */
export function decodeArguments(
  { asset, probe }: Pick<SoundPlan['inputs'][number], 'asset' | 'probe'>,
  files: ReadonlyMap<string, string>,
): string[] {
  return [
    ...options('-threads 1 -vn'),
    ...safeInput(files.get(asset) ?? '', probe),
    ...options(`-map 0:${probe.audio?.stream ?? 0}`),
    ...options(`-af ${even} -c:a pcm_f32le -f f32le pipe:1`),
  ]
}

/** Of a piece with a place of its own: its stream, its file, and what is measured of it. */
export const pieceName = (place: number): string => `m${place}`

/** First pass: the voice as it will be heard, into a file without loss, and how loud it is; its music too. */
export function gatherArguments(plan: SoundPlan, files: ReadonlyMap<string, string>, threads: number): string[] {
  const { music, pieces } = plan
  const voice = plan.tone ? `[voice][${plan.inputs.length}:a]amix=inputs=2:duration=first:normalize=0,` : '[voice]'
  const steps = [`${plan.voice};${voice}${measured('v')}[v]`]
  const gathered = ({ starts, end, input, track, speed = 1 }: MusicPlan & { speed?: number }, name: string) => {
    const taken = Math.round(end * speed)
    const cut =
      starts > 0
        ? `atrim=start_sample=${starts}:end_sample=${starts + taken},asetpts=PTS-STARTPTS`
        : `atrim=end_sample=${taken}`
    // A file whose sound ends before its picture leaves nothing here, or too little.
    const whole = `apad=whole_len=${end}`
    const part = [cut, ...paced(speed), ...(speed === 1 ? [] : [`atrim=end_sample=${end}`]), whole].join(',')
    steps.push(`[${input}:${track}]${even},${part},${measured(name)}[${name}]`)
  }
  if (music) gathered(music, 'm')
  pieces.forEach((piece, i) => gathered(piece, pieceName(i)))
  return [
    ...plan.inputs.flatMap(({ asset, probe, loops, cleaned }) => [
      ...options(`-threads ${threads}`),
      ...(loops ? options('-stream_loop -1') : []),
      ...(cleaned
        ? options(`-f s16le -ar ${soundRate} -ac 2 -i file:${cleaned}`)
        : safeInput(files.get(asset) ?? '', probe)),
    ]),
    ...(plan.tone ? options(`-f f32le -ar ${soundRate} -ac 2 -i file:${toneTrack}`) : []),
    ...graphed(steps.join(';'), threads),
    ...options(`-map [v] -c:a pcm_f32le -f nut -y file:${voiceFile}`),
    ...(music ? options('-map [m] -c:a pcm_f32le -f nut -y file:music.nut') : []),
    ...pieces.flatMap((_, i) => options(`-map [${pieceName(i)}] -c:a pcm_f32le -f nut -y file:${pieceName(i)}.nut`)),
  ]
}

/**
 * Second pass: gain, music with its ducking, sound effects, limiter, AAC. `gain` is the voice's in dB, `music` the music's, `pieces` those of the pieces. Prints how loud it came out.
 * The limiter looks at samples alone; the decibel below the peak is for what lies between them and for the encoder.
 */
export function finishArguments(
  plan: SoundPlan,
  {
    gain,
    music,
    pieces,
    threads,
    out,
  }: { gain: number; music: number; pieces: readonly number[]; threads: number; out: string },
): string[] {
  const limit = 10 ** ((plan.peak - 1) / 20)
  const db = (value: number) => `${value.toFixed(2)}dB`
  const steps = [`[0:a]volume=${db(gain)}[voice]`]
  if (plan.music) {
    // Short steps, so that the ear hears a slope.
    const duck = `asetnsamples=n=256,volume=eval=frame:volume='${plan.music.envelope}'`
    steps.push(`[1:a]volume=${db(music)},${duck}${fades(plan.music)}[under]`)
    steps.push('[voice][under]amix=inputs=2:duration=first:normalize=0[mix]')
  }
  const first = plan.music ? 2 : 1
  plan.pieces.forEach((piece, i) => {
    const duck = `asetnsamples=n=256,volume=eval=frame:volume='${piece.envelope}'`
    const level = `volume=${db(pieces[i]!)}${fades(piece)}`
    // The envelope goes by the video's clock, the fades by the piece's own.
    steps.push(`[${first + i}:a]${level},adelay=${piece.at}S:all=1,${duck}[y${i}]`)
  })
  const names = [...new Set(plan.effects.map(({ name }) => name))]
  names.forEach((name, i) => {
    const own = plan.effects.flatMap((one, n) => (one.name === name ? [n] : []))
    const input = i + first + plan.pieces.length
    steps.push(`[${input}:a]asplit=${own.length}${own.map((n) => `[x${n}]`).join('')}`)
  })
  plan.effects.forEach(({ at, length, gain }, n) => {
    const out = Math.min(length, soundRate / 100)
    const cut = `atrim=end_sample=${length},afade=t=out:ss=${length - out}:ns=${out}`
    steps.push(`[x${n}]${cut},volume=${db(gain)},adelay=${at}S:all=1[e${n}]`)
  })
  const under = plan.music ? 'mix' : 'voice'
  const more = [...plan.pieces.map((_, i) => `[y${i}]`), ...plan.effects.map((_, n) => `[e${n}]`)]
  if (more.length > 0)
    steps.push(`[${under}]${more.join('')}amix=inputs=${more.length + 1}:duration=first:normalize=0[all]`)
  const last = more.length > 0 ? 'all' : under
  steps.push(
    `[${last}]alimiter=limit=${limit.toFixed(5)}:level=0:latency=1,atrim=end_sample=${plan.samples},${measured('v')}[a]`,
  )
  return [
    ...options(`-f nut -i file:${voiceFile}`),
    ...(plan.music ? options('-f nut -i file:music.nut') : []),
    ...plan.pieces.flatMap((_, i) => options(`-f nut -i file:${pieceName(i)}.nut`)),
    ...names.flatMap((name) => options(`-f f32le -ar ${effectRate} -ac 2 -i file:${effectFile(name)}`)),
    ...graphed(steps.join(';'), threads),
    ...options('-map [a]'),
    ...soundEncoder,
    ...options(`-map_metadata -1 -f mp4 -y file:${out}`),
  ]
}

/** Faster or slower at the same pitch; twice as fast or half as fast at a time, because further steps leave samples out. */
function paced(speed: number): string[] {
  if (speed === 1) return []
  if (speed > 2) return ['atempo=2', ...paced(speed / 2)]
  return speed < 0.5 ? ['atempo=0.5', ...paced(speed * 2)] : [`atempo=${speed.toFixed(6)}`]
}

/** Sound as it is measured and mixed. */
export const even = `aresample=${soundRate}:${onTheClock},aformat=sample_fmts=fltp:channel_layouts=stereo`

/** How loud what goes through is, into `name.txt`, as `loudnessFrom` reads it. */
export function measured(name: string): string {
  return `ebur128=metadata=1:peak=true,ametadata=print:file=${name}.txt:direct=1`
}

type Heard = { pieces: Piece[]; track: number; input: number }

/** What a gain needs to become another one within a passage that goes on, in seconds: a step would click. */
const gainRamp = 0.02

type Loudening = { gainAt: (piece: Piece) => number; faded: readonly VoiceFades[] }

function joined(timeline: Timeline, heard: Heard[], { gainAt, faded }: Loudening): string {
  const { fps } = timeline
  const steps: string[] = []
  for (const { pieces, track, input } of heard) {
    const last = Math.max(...pieces.map(({ to }) => sampleAt(to, fps)))
    const outs = pieces.map(({ index }) => `[s${index}]`).join('')
    steps.push(`[${input}:${track}]${even},apad=whole_len=${last},asplit=${pieces.length}${outs}`)
  }
  const hears = new Set(heard.flatMap(({ pieces }) => pieces.map(({ index }) => index)))
  const silence = (samples: number) =>
    `anullsrc=r=${soundRate}:cl=stereo,aformat=sample_fmts=fltp,atrim=end_sample=${samples}`
  for (const piece of timeline.pieces) {
    const { index, from, to, at, fadeIn, fadeOut } = piece
    // As long as its frames in the video: the video's clock rules, and nothing adds up.
    const length = sampleAt(at + to - from, fps) - sampleAt(at, fps)
    const start = sampleAt(from, fps)
    const cut = hears.has(index)
      ? `[s${index}]atrim=start_sample=${start}:end_sample=${start + length},asetpts=PTS-STARTPTS,apad=whole_len=${length}`
      : silence(length)
    const edge = Math.min(soundRate / 100, Math.floor(length / 2))
    // Cut points get a hundredth of a second of fade, so that none is heard as a click; a mere split gets none.
    const [before, after] = [timeline.pieces[index - 1], timeline.pieces[index + 1]]
    const own = faded[index]!
    const [rises, falls] = [own.fadeIn, own.fadeOut].map((s) => Math.min(length, Math.round(s * soundRate)))
    const comes = rises || (fadeIn || goesOn(before, piece) ? 0 : edge)
    const goes = falls || (fadeOut || goesOn(piece, after) ? 0 : edge)
    const fades = [
      ...(comes ? [`afade=t=in:ss=0:ns=${comes}`] : []),
      ...(goes ? [`afade=t=out:ss=${length - goes}:ns=${goes}`] : []),
    ]
    const gain = amplified(goesOn(before, piece) ? gainAt(before!) : gainAt(piece), gainAt(piece))
    steps.push(`${[cut, ...gain, ...fades].join(',')}[p${index}]`)
  }
  let run: string[] = []
  const close = () => {
    if (run.length < 2) return run[0] ?? ''
    const name = `c${steps.length}`
    steps.push(`${run.map((part) => `[${part}]`).join('')}concat=n=${run.length}:v=0:a=1[${name}]`)
    run = [name]
    return name
  }
  if (timeline.open) {
    steps.push(`${silence(sampleAt(timeline.open, fps))}[open]`)
    run.push('open')
  }
  for (const { index, at, fadeIn } of timeline.pieces) {
    if (fadeIn && run.length) {
      const overlap = sampleAt(at + fadeIn, fps) - sampleAt(at, fps)
      const before = close()
      // Two voices, or a voice and a room: equal power keeps them as loud as they were.
      steps.push(`[${before}][p${index}]acrossfade=ns=${overlap}:c1=qsin:c2=qsin[x${index}]`)
      run = [`x${index}`]
    } else run.push(`p${index}`)
  }
  if (timeline.close) {
    const length = sampleAt(timeline.frames, fps) - sampleAt(timeline.frames - timeline.close, fps)
    steps.push(`${silence(length)}[close]`)
    run.push('close')
  }
  steps.push(`[${close()}]anull[voice]`)
  return steps.join(';')
}

/** From one gain to another one within `gainRamp`, dB. */
function amplified(before: number, now: number): string[] {
  if (before === 0 && now === 0) return []
  const [first, last] = [before, now].map((db) => (10 ** (db / 20)).toFixed(5))
  if (before === now) return [`volume=${last}`]
  return [`asetnsamples=n=64:p=0,volume=eval=frame:volume='${first}+(${last}-${first})*min(1,t/${gainRamp})'`]
}

function goesOn(one: Piece | undefined, next: Piece | undefined): boolean {
  return one !== undefined && next !== undefined && one.source === next.source && one.to === next.from
}

function fades({ end, fadeIn, fadeOut }: MusicPlan): string {
  return [
    ...(fadeIn > 0 ? [`,afade=t=in:ss=0:ns=${fadeIn}`] : []),
    ...(fadeOut > 0 ? [`,afade=t=out:ss=${end - fadeOut}:ns=${fadeOut}`] : []),
  ].join('')
}

/** What the pieces leave of the music under the whole video, over time; nothing to say where there are none. */
function resting(pieces: readonly MusicHeard[]): string[] {
  const shares = pieces.map(({ at, end, fadeIn, fadeOut }) => {
    const [rises, falls] = [`(t-${at.toFixed(4)})/${fadeIn.toFixed(4)}`, `(${end.toFixed(4)}-t)/${fadeOut.toFixed(4)}`]
    return `clip(${rises},0,1)*clip(${falls},0,1)`
  })
  return shares.length > 0 ? [`(1-min(1,${shares.join('+')}))`] : []
}

/** Volume of the music over time: lower by `duck` dB while somebody speaks, on a slope; without words under all pieces. */
function ducking(recipe: Recipe, timeline: Timeline, duck: number): string {
  // 1 inside, 0 outside, and a slope before and after.
  const inside = voicedIn(recipe, timeline).map(([from, to]) => {
    const [low, high] = [(from - rampSeconds).toFixed(3), (to + rampSeconds).toFixed(3)]
    return `clip(min(t-${low},${high}-t)/${rampSeconds},0,1)`
  })
  return inside.length ? `pow(10,${(-duck / 20).toFixed(4)}*min(1,${inside.join('+')}))` : '1'
}

/** What `measured` wrote: its last lines are those of the whole. Silence is −70 LUFS. */
export function loudnessFrom(text: string): Loudness {
  const last = (name: string) => Number(text.slice(text.lastIndexOf(`${name}=`) + name.length + 1).split('\n')[0])
  const [integrated, peak] = [last('lavfi.r128.I'), 20 * Math.log10(last('lavfi.r128.true_peak'))]
  const bounded = (value: number) => (Number.isFinite(value) ? Math.max(-70, value) : -70)
  return { integrated: bounded(integrated), peak: bounded(peak) }
}
