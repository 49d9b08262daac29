import { useState } from 'react'
import type { Mode } from '../../recorder/prompter.ts'
import type { Subject } from '../../recorder/format.ts'
import { onDevice } from '../../storage.ts'

/** How this device records and shows words; kept here from visit to visit. */
export type Settings = {
  /** A screen is shared anew each time, so it is not kept. */
  subject: Subject
  /** A take begins by a voice or a clap instead of at once. */
  isHandsFree: boolean
  mode: Mode
  wordsAMinute: number
  /** Words a minute of the last takes here. */
  paces: number[]
  /** `YYYY-MM` in which nobody wants the suggested script. */
  freeIn: string | null
  size: 'small' | 'medium' | 'large'
  width: 'narrow' | 'wide'
  isMirrored: boolean
  /** By name. */
  camera: string | null
  microphone: string | null
}

const usual: Settings = {
  subject: 'camera',
  isHandsFree: false,
  mode: 'voice',
  wordsAMinute: 150,
  paces: [],
  freeIn: null,
  size: 'medium',
  width: 'wide',
  isMirrored: false,
  camera: null,
  microphone: null,
}
const key = 'recorder'
export const pace = { least: 60, most: 350, step: 5 } as const

export const useSettings = () => {
  const [settings, set] = useState(read)
  return {
    settings,
    change: (part: Partial<Settings>) =>
      set((before) => {
        const now = { ...before, ...part }
        onDevice.keep(key, JSON.stringify(now))
        return now
      }),
  }
}

const read = (): Settings => {
  try {
    const kept = JSON.parse(onDevice.read(key) ?? '{}') as Partial<Settings>
    const one = <T>(value: unknown, of: readonly T[], otherwise: T): T => of.find((each) => each === value) ?? otherwise
    const words = (value: unknown) => (typeof value === 'string' ? value : null)
    const isPace = (value: unknown): value is number =>
      typeof value === 'number' && value >= pace.least && value <= pace.most
    const asked = Number(kept.wordsAMinute)
    return {
      subject: one(kept.subject, ['camera', 'sound'], usual.subject),
      isHandsFree: kept.isHandsFree === true,
      mode: one(kept.mode, ['voice', 'steady'], usual.mode),
      wordsAMinute: asked >= pace.least && asked <= pace.most ? asked : usual.wordsAMinute,
      paces: Array.isArray(kept.paces) ? kept.paces.filter(isPace).slice(-3) : usual.paces,
      freeIn: words(kept.freeIn),
      size: one(kept.size, ['small', 'medium', 'large'], usual.size),
      width: one(kept.width, ['narrow', 'wide'], usual.width),
      isMirrored: kept.isMirrored === true,
      camera: words(kept.camera),
      microphone: words(kept.microphone),
    }
  } catch {
    return usual
  }
}
