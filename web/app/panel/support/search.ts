/** What of the list of questions lives in its address. */
export type SupportSearch = {
  q?: string
  show?: 'waiting' | 'answered' | 'closed' | 'mine'
  /** Of who answers and asks: the questions that they asked themselves. */
  whose?: 'own'
  /** The video that a new question is about; its dialog is open. */
  about?: string
}

export const readSupportSearch = (search: Record<string, unknown>): SupportSearch => {
  const { q, show, whose, about } = search
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...(show === 'waiting' || show === 'answered' || show === 'closed' || show === 'mine' ? { show } : {}),
    ...(whose === 'own' ? { whose } : {}),
    ...(typeof about === 'string' && /^[\da-f-]{36}$/.test(about) ? { about } : {}),
  }
}

/** The filters of the call. */
export const wheresOf = ({ q, show }: SupportSearch, ownId: string): string[] => [
  ...(show === undefined ? [] : [show === 'mine' ? `assigneeId:eq:${ownId}` : `state:eq:${show}`]),
  ...(q === undefined ? [] : [`words:contains:${q}`]),
]
