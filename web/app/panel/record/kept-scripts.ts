import { onDevice } from '../../storage.ts'

/** A script as the recorder's list has it. */
export type KeptScript = { id: string; title: string; content: string }

/** The scripts of this person that were read last here, for a recorder without a network. */
export const keepScripts = (userId: string, scripts: readonly KeptScript[]): void => {
  const kept = scripts.slice(0, mostKept).map(({ id, title, content }) => ({ id, title, content }))
  onDevice.keep(keyOf(userId), JSON.stringify(kept))
}

export const keptScripts = (userId: string): KeptScript[] => {
  try {
    const kept = JSON.parse(onDevice.read(keyOf(userId)) ?? '[]') as unknown
    return Array.isArray(kept) ? kept.filter(isScript) : []
  } catch {
    return []
  }
}

const keyOf = (userId: string): string => `recorder-scripts ${userId}`
const mostKept = 200

const isScript = (one: unknown): one is KeptScript =>
  typeof one === 'object' &&
  one !== null &&
  ['id', 'title', 'content'].every((name) => typeof (one as Record<string, unknown>)[name] === 'string')
