import type { Option } from '../../ui/select.tsx'
import { messages } from './messages.ts'

/** The zones of the United States first, by the names people there use; then every other. `kept` is in the list in any case. */
export const timeZones = (kept: string | undefined): Option<string>[] => {
  const american = Object.entries(messages.unitedStates).map(([value, label]) => ({ value, label }))
  const known = new Set<string>([...Intl.supportedValuesOf('timeZone'), ...(kept ? [kept] : [])])
  return [
    ...american,
    ...[...known]
      .filter((zone) => !(zone in messages.unitedStates))
      .map((zone) => ({ value: zone, label: nameOf(zone) })),
  ]
}

/** `America/Argentina/Salta` → `Salta (America, Argentina)`. */
const nameOf = (zone: string): string => {
  const parts = zone.replaceAll('_', ' ').split('/')
  const city = parts.pop()!
  return parts.length === 0 ? city : `${city} (${parts.join(', ')})`
}
