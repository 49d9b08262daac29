export const projectTabs = ['comments', 'brief', 'notes', 'cuts', 'history'] as const
export type ProjectTab = (typeof projectTabs)[number]

/** What of the project page lives in its address: the tab, the video shown, the one beside it, the time in seconds, the open form and the cut it is about. */
export type ProjectSearch = {
  tab?: ProjectTab
  show?: string
  beside?: string
  t?: number
  form?: 'deny' | 'review'
  cut?: number
}

export const readProjectSearch = (search: Record<string, unknown>): ProjectSearch => {
  const tab = projectTabs.find((one) => one === search['tab'])
  const t = Number(search['t'])
  const cut = Number(search['cut'])
  return {
    ...(tab ? { tab } : {}),
    ...(typeof search['show'] === 'string' ? { show: search['show'] } : {}),
    ...(typeof search['beside'] === 'string' ? { beside: search['beside'] } : {}),
    ...(search['form'] === 'deny' || search['form'] === 'review' ? { form: search['form'] } : {}),
    ...(Number.isInteger(cut) && cut > 0 ? { cut } : {}),
    ...(t > 0 && Number.isFinite(t) ? { t } : {}),
  }
}
