import { getRouteApi } from '@tanstack/react-router'
import { useMedia } from '../../ui/use-media.ts'
import type { BenchTab } from './search.ts'

const route = getRouteApi('/panel/projects/$projectId/edit')

/** The open tab, which lives in the page’s address, and how to open another. */
export const useTab = () => {
  // The words have a place of their own beside the tabs.
  const isWide = useMedia('(width >= 82rem)')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const tab: BenchTab = search.tab ?? (isWide ? 'captions' : 'words')
  const open = (next: BenchTab) => void navigate({ search: { tab: next }, replace: true, resetScroll: false })
  return {
    isWide,
    tab,
    open,
    /** Where the words are a tab, it is opened. */
    showWords: () => {
      if (!isWide && tab !== 'words') open('words')
    },
  }
}

export type Tab = ReturnType<typeof useTab>
