import { useState } from 'react'
import type { Edge } from '@clear-to-post/edit/commands/trims'

/** What the editor has in hand on the tracks: a thing of one of them, or one end of it. One at a time. */
export type Held = { kind: 'piece' | 'layer' | 'page' | 'move' | 'person'; id: string; edge: Edge | null }

/** Nothing is in hand at first, and never two things: keys and Delete are about the one that is. */
export const useHeld = () => useState<Held | null>(null)

export type Hold = (held: Held | null) => void
