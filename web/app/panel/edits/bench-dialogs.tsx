import { lazy, Suspense, useState } from 'react'
import type { Edit } from '@clear-to-post/contract/edits'
import type { Project } from '@clear-to-post/contract/projects'
import { captionStyles } from '@clear-to-post/domain/captions'
import { isUnrecognised, type Token, type WordToken } from '@clear-to-post/edit/passages'
import { ClipPicker } from './clip-picker.tsx'
import { FindWords } from './find-words.tsx'
import { focusSoon } from './focus.ts'
import type { KeyTarget } from './keys.ts'
import { Palette } from './palette.tsx'
import { ReplaceDialog } from './replace-dialog.tsx'
import { sentenceAround, textOf } from './sentence.ts'
import type { Selection } from './selection.ts'
import type { Workbench } from './use-bench.ts'
import type { Clips } from './use-clips.ts'
import type { Finish } from './use-finish.ts'
import type { Layers } from './use-layers.ts'
import type { LaidOver } from './use-laid-over.ts'
import type { Tab } from './use-tab.ts'
import type { Chosen } from './use-transcript-selection.ts'
import { WatchDialog } from './watch-dialog.tsx'
import { WordEditor } from './word-editor.tsx'

type BenchDialog = 'help' | 'glossary' | 'remake' | 'replace' | 'palette' | 'find'
const BenchKeySheet = lazy(() => import('./key-sheet.tsx').then((module) => ({ default: module.BenchKeySheet })))
const GlossaryDialog = lazy(() =>
  import('./glossary-dialog.tsx').then((module) => ({ default: module.GlossaryDialog })),
)
const RemakeDialog = lazy(() => import('./remake-dialog.tsx').then((module) => ({ default: module.RemakeDialog })))

/** Which dialog is open, and the word that is corrected. */
export const useBenchDialogs = () => {
  const [dialog, setDialog] = useState<BenchDialog | null>(null)
  const [asked, setAsked] = useState<ReadonlySet<BenchDialog>>(new Set())
  const [editing, edit] = useState<string | null>(null)
  return {
    dialog,
    asked,
    open: (next: BenchDialog) => {
      setAsked((before) => new Set([...before, next]))
      setDialog(next)
    },
    close: () => setDialog(null),
    /** The key of the token that is corrected. */
    editing,
    edit,
  }
}

export type BenchDialogs = ReturnType<typeof useBenchDialogs>

type DialogsProps = {
  project: Project
  edit: Edit
  bench: Workbench
  dialogs: BenchDialogs
  flat: readonly Token[]
  chosen: Chosen
  onSelect: (selection: Selection | null, how: 'click' | 'extend') => void
  tab: Tab
  layers: Layers
  laid: LaidOver
  know: Clips['know']
  finish: Finish
  /** What the palette's commands are about. */
  target: KeyTarget
}

/** All that opens over the workbench. */
export const BenchDialogs = (props: DialogsProps) => {
  const { project, edit, bench, dialogs, flat, chosen, onSelect, tab, layers, laid, know, finish, target } = props
  const { recipe, mayWrite } = bench
  const { dialog, asked, close } = dialogs
  const opened = openedWords(flat, dialogs.editing, chosen.words)
  return (
    <>
      {opened[0] && (
        <WordEditor
          key={opened[0].key}
          token={opened[0]}
          together={opened}
          hasEmoji={captionStyles[recipe.captions.style].hasEmoji}
          change={bench.change}
          onClose={() => dialogs.edit(null)}
        />
      )}
      {laid.covered && (
        <ClipPicker
          projectId={project.id}
          words={textOf(laid.covered.filter(({ out }) => !out))}
          sentence={sentenceAround(flat, laid.covered)}
          onChoose={(clip) => {
            know(clip)
            laid.stopCover()
            layers.cover(laid.covered!, clip)
          }}
          onClose={laid.stopCover}
        />
      )}
      {laid.isChoosingPicture && (
        <ClipPicker
          projectId={project.id}
          isStill
          words={textOf(laid.heard)}
          sentence=""
          onChoose={(clip) => {
            know(clip)
            laid.stopPicture()
            laid.addPicture(clip.asset.assetId)
          }}
          onClose={laid.stopPicture}
        />
      )}
      {/* Loaded with the page: who asks for it types at once. */}
      {dialog === 'palette' && (
        <Palette onRun={(command) => command.run(target, { shiftKey: false })} onClose={close} />
      )}
      {dialog === 'find' && (
        <FindWords
          flat={flat}
          onSelect={(selection) => {
            tab.showWords()
            onSelect(selection, 'click')
            focusSoon('.transcript')
            chosen.reveal(selection.focus)
          }}
          onClose={close}
        />
      )}
      {dialog === 'replace' && (
        <ReplaceDialog
          bench={bench}
          onShow={(id) => {
            const token = flat.find((one) => one.kind === 'word' && one.word.id === id)
            if (token) onSelect({ anchor: token.key, focus: token.key }, 'click')
            if (token) chosen.show(token.key)
          }}
          onClose={close}
        />
      )}
      {/* Loaded when first asked for, and kept: a dialog that closes gives the focus back. */}
      <Suspense>
        {asked.has('help') && <BenchKeySheet isOpen={dialog === 'help'} onClose={close} />}
        {asked.has('glossary') && (
          <GlossaryDialog project={project} mayWrite={mayWrite} isOpen={dialog === 'glossary'} onClose={close} />
        )}
        {asked.has('remake') && <RemakeDialog edit={edit} isOpen={dialog === 'remake'} onClose={close} />}
      </Suspense>
      {finish.watched && <WatchDialog render={finish.watched} onClose={() => finish.watch(null)} />}
    </>
  )
}

/** The word that is corrected; with it the others that are selected, where all stand for one passage beside the script. */
const openedWords = (
  flat: readonly Token[],
  key: string | null,
  selected: readonly WordToken[],
): readonly WordToken[] => {
  const opened = flat.filter((token): token is WordToken => token.key === key && token.kind === 'word')
  const isPassage = opened.every((token) => selected.includes(token)) && selected.every(isUnrecognised)
  return opened.length > 0 && isPassage ? selected : opened
}
