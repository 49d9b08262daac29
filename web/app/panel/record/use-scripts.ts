import { useEffect, useMemo } from 'react'
import { useLibrary } from '../scripts/use-library.ts'
import { keepScripts, keptScripts, type KeptScript } from './kept-scripts.ts'

/** What may be read: this person's own scripts, then the library; without a network those that were there last. */
export const useScripts = (userId: string): readonly KeptScript[] => {
  const { library, own } = useLibrary()
  const [categories, written] = [library.data?.categories, own.items]
  const isHere = categories !== undefined && written !== undefined
  const all = useMemo<readonly KeptScript[]>(
    () =>
      isHere
        ? [...written, ...categories.filter(({ active }) => active).flatMap(({ scripts }) => scripts)]
        : keptScripts(userId),
    [isHere, written, categories, userId],
  )
  useEffect(() => {
    if (isHere) keepScripts(userId, all)
  }, [isHere, userId, all])
  return all
}

/** The library's script of a month, `YYYY-MM`: each month another one, and the same on every device. */
export const scriptOfMonth = (scripts: readonly KeptScript[], month: string): KeptScript | null => {
  const [year, of] = month.split('-').map(Number)
  const sorted = scripts.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return sorted[(year! * 12 + of!) % Math.max(1, sorted.length)] ?? null
}
