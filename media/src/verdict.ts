import { takeLimits } from '@clear-to-post/edit/take-limits'
import { lightSide } from './filmstrip.ts'
import type { Loudness } from './peaks.ts'
import { stillMs, type Probe, type VideoTrack } from './probe.ts'

/** A word to the person while they can still film again. A `warning` will show in the result; a `note` is good to know. */
export type Verdict = { code: VerdictCode; level: 'warning' | 'note'; text: string }
export type VerdictCode = keyof typeof words

/** What stands out, worst first; an empty list is good news. `light` is what the filmstrip's plan puts out. */
export function verdicts(probe: Probe | null, sound: Loudness | null, light: Buffer | null): Verdict[] {
  const codes = [
    ...soundCodes(sound),
    ...(light && light.length > 0 ? lightCodes(light) : []),
    ...(probe ? [...lengthCodes(probe), ...shapeCodes(probe.video)] : []),
  ]
  return codes
    .map((code) => ({ code, level: words[code][0], text: words[code][1] }) satisfies Verdict)
    .toSorted((a, b) => Number(a.level === 'note') - Number(b.level === 'note'))
}

const words = {
  'no-sound': [
    'warning',
    'There is no sound in this video. If you speak in it, check that your microphone is on and film it again.',
  ],
  'too-quiet': [
    'warning',
    'The sound is very quiet. We can raise it, but with noise: film again nearer to the phone if you can.',
  ],
  'no-voice': [
    'warning',
    'We hear a steady sound but no voice. If you speak in it, check the microphone and film again.',
  ],
  noisy: ['warning', 'The background is nearly as loud as the voice. A quieter room would help.'],
  distorted: ['warning', 'The sound is so loud that it crackles. Film again a little further from the microphone.'],
  'cut-off': [
    'note',
    'The recording seems to stop while you are still speaking. Check that your last sentence is whole.',
  ],
  black: ['warning', 'The picture is black. Check that nothing covers the lens, and film again.'],
  'too-dark': ['warning', 'The picture is very dark. Face a window or a lamp, and film again if you can.'],
  'too-bright': ['warning', 'The picture is so bright that detail is lost. Turn away from the strongest light.'],
  'picture-ends': [
    'warning',
    'The picture ends before the sound. Its last moment stands still until the end: film again if that matters.',
  ],
  wide: ['note', 'This video is wide. For social media we cut it to a tall picture, so the sides will be lost.'],
  small: ['note', 'The picture is small and will look soft on a phone. Send the original if you have a bigger one.'],
} as const satisfies Record<string, readonly [Verdict['level'], string]>

/** The same to an editor about a finished cut, which is exported again and not filmed again; null where a cut may well be so. */
export const cutWords: Readonly<Record<VerdictCode, string | null>> = {
  'no-sound': 'There is no sound in this cut. Export it with its sound track.',
  'too-quiet': 'The sound is very quiet. Raise it to −14 LUFS and export the cut again.',
  'no-voice': 'We hear a steady sound but no voice. Check the sound tracks before you send it.',
  noisy: 'The background is nearly as loud as the voice. Turn music and room noise down.',
  distorted: 'The sound is so loud that it crackles. Lower it to −14 LUFS with peaks below −1 dB.',
  'cut-off': null,
  black: 'The picture is black. Check the export.',
  'too-dark': 'The picture is very dark. Raise the exposure if the take allows it.',
  'too-bright': 'The picture is so bright that detail is lost. Lower the exposure if the take allows it.',
  'picture-ends': 'The picture ends before the sound, and its last moment stands still. Check the end of the export.',
  wide: 'This cut is wide. Feeds show a tall picture (9:16): check that the officer asked for this shape.',
  small: 'The picture is small and will look soft. Export the cut in 1080p.',
}

function soundCodes(sound: Loudness | null): VerdictCode[] {
  if (!sound || sound.voice < -65) return ['no-sound']
  const spread = sound.voice - sound.floor
  const found: VerdictCode[] = []
  if (sound.voice < takeLimits.quietDb) found.push('too-quiet')
  if (sound.clipped > 0.002) found.push('distorted')
  if (spread < 6 || sound.beats < 0.2) found.push('no-voice')
  else if (spread < 11) found.push('noisy')
  // As loud as a vowel to the very end, not merely above the room.
  else if (sound.end > sound.voice - Math.min(5, 0.2 * spread)) found.push('cut-off')
  return found
}

function lightCodes(light: Buffer): VerdictCode[] {
  const tiles: number[] = []
  for (let at = 0; at < light.length; at += lightSide ** 2) {
    const tile = light.subarray(at, at + lightSide ** 2)
    tiles.push(tile.reduce((sum, value) => sum + value, 0) / tile.length)
  }
  const middle = tiles.toSorted((a, b) => a - b)[Math.floor(tiles.length / 2)] ?? 128
  if (middle < 8) return ['black']
  if (middle < takeLimits.darkLight) return ['too-dark']
  return middle > takeLimits.brightLight ? ['too-bright'] : []
}

function lengthCodes(probe: Probe): VerdictCode[] {
  return stillMs(probe) > 1000 ? ['picture-ends'] : []
}

function shapeCodes(video: VideoTrack | null): VerdictCode[] {
  if (!video) return []
  return [
    ...(video.width > video.height ? ['wide' as const] : []),
    ...(Math.min(video.width, video.height) < 480 ? ['small' as const] : []),
  ]
}
