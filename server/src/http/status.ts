import type { Part } from './health.ts'

/** Where people go with the service, and which conditions each stands on (server/src/main/conditions.ts). */
export const areas = {
  panel: ['database', 'clock'],
  uploads: ['disk', 'bucket-key', 'bucket'],
  editing: ['ffmpeg', 'sandbox', 'queue'],
  messages: ['queue', 'mail'],
} as const
export type Area = keyof typeof areas
export type AreaState = { area: Area; works: boolean }

/** What stands still, or waits, while the service as a whole is ready. */
const waits: readonly string[] = ['bucket', 'queue']

/** How each area is: one does not work while a condition that it stands on keeps its work from being done. */
export const areaStates = (parts: readonly Part[]): AreaState[] =>
  (Object.keys(areas) as Area[]).map((area) => ({
    area,
    works: !parts.some(
      ({ name, ok, why }) =>
        (areas[area] as readonly string[]).includes(name) && (!ok || (waits.includes(name) && why !== undefined)),
    ),
  }))
