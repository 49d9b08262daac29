import { useState } from 'react'
import { toast } from 'sonner'
import { spanFrom, spanOfWords } from '@clear-to-post/edit/commands/cuts'
import { addPinned } from '@clear-to-post/edit/commands/pictures'
import { addTitle as titleOver } from '@clear-to-post/edit/commands/titles'
import type { WordToken } from '@clear-to-post/edit/passages'
import { focusSoon } from './focus.ts'
import { messages } from './messages.ts'
import { textOf } from './sentence.ts'
import type { TimelinePlayer } from './timeline-player.ts'
import { titleFrom, type TitleTemplate } from './title-templates.ts'
import { titleFields } from './titles-group.tsx'
import type { Workbench } from './use-bench.ts'
import type { Layers } from './use-layers.ts'
import type { Tab } from './use-tab.ts'

/** So long is seen what is laid over the video without a word being selected, ms. */
const overlayMs = 4000

type Parts = {
  bench: Workbench
  player: TimelinePlayer
  layers: Layers
  /** The words that are selected. */
  words: readonly WordToken[]
  tab: Tab
}

/** What is laid over the video from here: B-roll, titles, pictures, the logo. */
export const useLaidOver = ({ bench, player, layers, words, tab }: Parts) => {
  const { recipe, mayWrite } = bench
  const heard = words.filter(({ out }) => !out)
  const [covered, setCovered] = useState<readonly WordToken[] | null>(null)
  const [isChoosing, setChoosing] = useState(false)
  const mayCover = mayWrite && heard.length > 0
  const spanHere = () => {
    const ids = words.map(({ word }) => word.id)
    const span = spanOfWords(recipe, ids) ?? spanFrom(recipe, player.time(), overlayMs)
    if (!span) toast.info(messages.overCard)
    return span
  }
  const addTitle = (template: TitleTemplate) => {
    const text = titleFrom(template, recipe, textOf(heard))
    const span = mayWrite ? spanHere() : null
    if (!span) return
    layers.add(messages.did.titled(text.title), titleOver(text, span))
    tab.open('picture')
  }
  const addPicture = (kind: 'picture' | 'logo', assetId: string | null) => {
    const span = kind === 'logo' ? null : spanHere()
    if (assetId !== null && (span || kind === 'logo'))
      layers.add(messages.did.pinned(kind), addPinned(kind, assetId, span))
  }
  return {
    /** The passage of the selected words, else a short one from here on; null over a card, which is said. */
    spanHere,
    mayCover,
    /** The words for which a clip is being chosen. */
    covered,
    cover: () => {
      if (!mayCover) return
      player.pause()
      setCovered(words)
    },
    stopCover: () => setCovered(null),
    addTitle,
    /** The same by a key: what is typed next is its text. */
    writeTitle: (template: TitleTemplate) => {
      addTitle(template)
      if (mayWrite) focusSoon(`#${titleFields} input`)
    },
    /** Whether words are there that a title could say. */
    heard,
    isChoosingPicture: isChoosing,
    choosePicture: () => {
      player.pause()
      setChoosing(true)
    },
    stopPicture: () => setChoosing(false),
    addPicture: (assetId: string) => addPicture('picture', assetId),
    addLogo: () => addPicture('logo', recipe.brand.logo),
  }
}

export type LaidOver = ReturnType<typeof useLaidOver>
