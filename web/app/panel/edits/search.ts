export const benchTabs = ['words', 'captions', 'picture', 'ending', 'renders'] as const
export type BenchTab = (typeof benchTabs)[number]

/** What of the workbench lives in its address: the open tab. */
export const readWorkbenchSearch = (search: Record<string, unknown>): { tab?: BenchTab } => {
  const tab = benchTabs.find((one) => one === search['tab'])
  return tab ? { tab } : {}
}
