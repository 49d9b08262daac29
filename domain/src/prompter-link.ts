/** Where a recorder is, as the device with its words shows it. */
export const recorderPhases = [
  'ready',
  'waiting',
  'counting',
  'recording',
  'paused',
  'saving',
  'watch',
  'gone',
] as const
export type RecorderPhase = (typeof recorderPhases)[number]

/** What can be pressed on the device with the words; `hello` asks for everything. */
export const prompterPresses = ['hello', 'start', 'stop', 'pause', 'go-on', 'again', 'word'] as const
export type PrompterPress = (typeof prompterPresses)[number]

/** So many letters of a script go to another device. */
export const mostPrompted = 5000
