import type { Part } from '../http/health.ts'
import type { Outcome } from './condition-outcomes.ts'

/** A condition as readiness tells it; one that does not matter here is left out, and names and paths stay with us. */
export const partOf = ({ condition: { name, why, next }, state, level, says }: Outcome): Part[] => {
  if (level === null && state !== 'met') return []
  const isUnmet = state === 'unmet'
  return [{ name, ok: !isUnmet || level === 'says so', says, ...(isUnmet ? { why, next } : {}) }]
}
