/** The looks of a dense table inside a frame; on phones a table is a list instead. */
export const tableFrame = 'overflow-x-auto rounded-card border border-line bg-surface'
export const table = 'w-full border-collapse text-left'
export const headCell =
  'border-b border-line px-3 py-2 text-[0.8125rem] font-medium whitespace-nowrap text-muted first:pl-4 last:pr-4'
export const bodyRow = 'border-b border-line last:border-b-0'
export const cell = 'px-3 py-2 align-middle first:pl-4 last:pr-4'

/** A link that is pressed anywhere on its row or card, which is `relative`; what else is pressed there lies above it. */
export const rowLink =
  '[overflow-wrap:anywhere] after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-primary'
