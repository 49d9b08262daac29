import { onDevice } from '../../storage.ts'

/** Of whoever was the last one at the recorder here, and did not sign out: who may record without a network. */
const key = 'recorder-person'

export const keepRecorder = (person: { id: string } & Record<string, unknown>): void =>
  onDevice.keep(key, JSON.stringify(person))

export const forgetRecorder = (): void => onDevice.drop(key)

/** As it was kept; null where there is none, or nothing that can be read. */
export const keptRecorder = (): Record<string, unknown> | null => {
  try {
    return JSON.parse(onDevice.read(key) ?? 'null') as Record<string, unknown> | null
  } catch {
    return null
  }
}

/** Somebody signed in here: nobody else records here any more. Their takes stay theirs, and wait for them. */
export const forgetOtherRecorder = (userId: string): void => {
  const kept = keptRecorder()
  if (kept !== null && kept['id'] !== userId) forgetRecorder()
}
