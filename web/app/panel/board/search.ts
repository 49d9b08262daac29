import { statusValues, type Status } from '@clear-to-post/domain/workflow'

/** What of the board lives in its address. Without a view it is the board, on phones the list. */
export type BoardSearch = { view?: 'board' | 'list'; q?: string; status?: Status; editor?: string }

export const readBoardSearch = (search: Record<string, unknown>): BoardSearch => {
  const status = statusValues.find((one) => one === search['status'] || String(one) === search['status'])
  return {
    ...(search['view'] === 'board' || search['view'] === 'list' ? { view: search['view'] } : {}),
    ...(typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'] } : {}),
    ...(status === undefined ? {} : { status }),
    ...(typeof search['editor'] === 'string' && /^[\da-f-]{36}$/.test(search['editor'])
      ? { editor: search['editor'] }
      : {}),
  }
}
