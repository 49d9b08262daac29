/** 2026-11-27 as November 27, 2026. */
export const dayInWords = (day: string): string =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
