import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Single changes of rules, each of which makes the product less safe or less true, and the test that must notice it.
 * `from` stands exactly once in its file: an edit that no longer applies fails by name, and is written anew.
 */
export type Sabotage = {
  what: string
  file: string
  from: string
  to: string
  noticed: readonly [file: string, test?: string]
}

/** Rows stand in `sabotages/`, in a file for each room of the server and for each other workspace. */
const folder = join(import.meta.dirname, 'sabotages')

export const placed: { place: string; sabotage: Sabotage }[] = (
  await Promise.all(readdirSync(folder).toSorted().map(rowsOf))
).flat()

export const sabotages: readonly Sabotage[] = placed.map(({ sabotage }) => sabotage)

/** The file that a row for this source file stands in. */
export function placeOf(file: string): string {
  const [workspace, , room] = file.split('/')
  return `${workspace === 'server' ? room : workspace}.ts`
}

async function rowsOf(place: string) {
  const rows: { sabotages: readonly Sabotage[] } = await import(join(folder, place))
  return rows.sabotages.map((sabotage) => ({ place, sabotage }))
}
