/** The look of everything that floats above the page. */
export const floating =
  'rounded-[10px] border border-line bg-surface text-ink shadow-float outline-none animate-appear max-w-[calc(100vw-1rem)]'
