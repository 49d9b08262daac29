import { ClipboardCheck, Columns3, Clapperboard, Scissors, SquarePlus, type LucideIcon } from 'lucide-react'
import type { Role } from '@clear-to-post/domain/roles'
import { paths } from '../paths.ts'
import { messages } from './messages.ts'

type Entry = { to: (typeof paths)['panel' | 'newVideo' | 'work' | 'review' | 'board']; label: string; icon: LucideIcon }

const videos: Entry = { to: paths.panel, label: messages.videos, icon: Clapperboard }
const newVideo: Entry = { to: paths.newVideo, label: messages.newVideo, icon: SquarePlus }
const work: Entry = { to: paths.work, label: messages.myWork, icon: Scissors }
const review: Entry = { to: paths.review, label: messages.review, icon: ClipboardCheck }
const board: Entry = { to: paths.board, label: messages.board, icon: Columns3 }

/** What each role finds in the navigation; the first is where the panel opens. */
export const entries = {
  User: [videos, newVideo],
  Editor: [work],
  QA: [review],
  ADMIN: [board, review, work],
  SYSTEM: [],
} satisfies Record<Role, readonly Entry[]> as Record<Role, readonly Entry[]>
