import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { toast } from 'sonner'
import type { Edit, Render } from '@clear-to-post/contract/edits'
import type { Project } from '@clear-to-post/contract/projects'
import { captionStyles, captionStyleValues } from '@clear-to-post/domain/captions'
import { breakBefore, setCaptions } from '@clear-to-post/edit/commands/captions'
import { spanFrom, spanOfWords, switchReason } from '@clear-to-post/edit/commands/cuts'
import { setMusic } from '@clear-to-post/edit/commands/ending'
import { addPinned } from '@clear-to-post/edit/commands/pictures'
import { addTitle as titleOver } from '@clear-to-post/edit/commands/titles'
import {
  concernsOf,
  flatten,
  isCorrectable,
  isUnrecognised,
  passagesOf,
  tallyOf,
  type Token,
  type WordToken,
} from '@clear-to-post/edit/passages'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { useFullscreen } from '../../ui/player-controls.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { BenchAlerts } from './bench-alerts.tsx'
import { BenchHead, BenchTools } from './bench-head.tsx'
import { BenchSettings } from './bench-settings.tsx'
import { BenchStage } from './bench-stage.tsx'
import { ClipPicker } from './clip-picker.tsx'
import { effectGroup, stickerGroup } from './effects-group.tsx'
import { musicGroup } from './ending-panel.tsx'
import { FindWords } from './find-words.tsx'
import { finishGroup } from './finish-check.tsx'
import { focusSoon } from './focus.ts'
import { useWorkbenchKeys, type KeyTarget } from './keys.ts'
import { useAct } from '../project/act.ts'
import { messages } from './messages.ts'
import { Palette } from './palette.tsx'
import { ReadyLine } from './ready-line.tsx'
import { useRenderNews, useRenders } from './render-panel.tsx'
import { SaveState } from './save-state.tsx'
import type { BenchTab } from './search.ts'
import { ReplaceDialog } from './replace-dialog.tsx'
import { sentenceAround, textOf, wordsAround } from './sentence.ts'
import { titleFields } from './titles-group.tsx'
import { titleFrom, type TitleTemplate } from './title-templates.ts'
import { atFrame } from './timeline-player.ts'
import { useBefore } from './use-before.ts'
import { useBench, type Left } from './use-bench.ts'
import { useClips, useMissingClips } from './use-clips.ts'
import { useGain } from './use-gain.ts'
import { useCaptionPages } from './use-caption-pages.ts'
import { useHeld } from './use-held.ts'
import { useLayers } from './use-layers.ts'
import { useLine } from './use-line.ts'
import { useMarks } from './use-marks.ts'
import { useMoves } from './use-moves.ts'
import { useNetworks } from './use-networks.ts'
import { usePerson } from './use-person.ts'
import { usePieces } from './use-pieces.ts'
import { usePreview } from './use-preview.ts'
import { useSeveral } from './use-several.ts'
import { useTranscriptSelection } from './use-transcript-selection.ts'
import { useBeatToggle } from './use-beat.ts'
import { useTurn } from './use-turn.ts'
import { useTries } from './use-tries.ts'
import { WatchDialog } from './watch-dialog.tsx'
import { WordEditor } from './word-editor.tsx'
import { WordsPane } from './words-pane.tsx'
import { paletteWords } from './words/palette.ts'
import { soundWords } from './words/sound.ts'

/** So long is seen what is laid over the video without a word being selected, ms. */
const overlayMs = 4000

type BenchDialog = 'help' | 'glossary' | 'remake' | 'replace' | 'palette' | 'find'
const BenchKeySheet = lazy(() => import('./key-sheet.tsx').then((module) => ({ default: module.BenchKeySheet })))
const GlossaryDialog = lazy(() =>
  import('./glossary-dialog.tsx').then((module) => ({ default: module.GlossaryDialog })),
)
const RemakeDialog = lazy(() => import('./remake-dialog.tsx').then((module) => ({ default: module.RemakeDialog })))

const route = getRouteApi('/panel/projects/$projectId/edit')

type WorkbenchProps = {
  project: Project
  edit: Edit
  remote: Recipe
  /** What was kept in this browser and not saved. */
  left: Left
}

/** The words, the video as it will be, and what can be set, around one recipe. */
export const WorkbenchOf = ({ project, edit, remote, left }: WorkbenchProps) => {
  const bench = useBench(edit, remote, left)
  const { recipe, mayWrite } = bench
  const renders = useRenders(project.id, bench)
  useRenderNews(renders)
  const { clips, know } = useClips(edit)
  const preview = usePreview(recipe, edit, clips)
  useMissingClips(edit, recipe, { isSaved: bench.bench.saving.state === 'saved', assets: preview.assets })
  const { timeline, player } = preview
  const { passages, flat, concerns } = usePassages(recipe)
  const isWide = useMedia('(width >= 82rem)')
  const [tab, openTab] = useTab(isWide)
  const chosen = useTranscriptSelection({
    bench,
    timeline,
    player,
    flat,
    concerns,
    onConcern: () => !isWide && tab !== 'words' && openTab('words'),
  })
  const { words, range } = chosen
  const tries = useTries(bench, preview, words[0]?.word.id)
  const [held, hold] = useHeld()
  const layers = useLayers({ bench, timeline, player, clips, songs: preview.assets, held, hold })
  const pieces = usePieces({ bench, timeline, player, held, hold })
  const several = useSeveral({ bench, timeline, held, hold })
  const captions = useCaptionPages({ bench, preview, held, hold })
  const moves = useMoves({ bench, preview, held, hold })
  const person = usePerson({ bench, preview, held, hold })
  const marks = useMarks(project, player, mayWrite)
  const song = preview.assets.get(recipe.sound.music?.assetId ?? '')
  const line = useLine({ recipe, timeline, player, marks: marks.remarks, pieceSeconds: song?.duration ?? null })
  const gain = useGain({ bench, timeline, pieces, several: several.pieces, words })
  const toggleBeat = useBeatToggle(bench, song)
  const turn = useTurn({ bench, timeline, player, chosen: gain.chosen })
  // Who goes on in the transcript lets go of what is on a track; with that in hand, Delete is about it.
  const select: typeof chosen.select = (next, how) => {
    hold(null)
    several.clear()
    chosen.select(next, how)
  }
  const nudge = (frames: number, rolls = false) => {
    if (several.count > 0) several.nudge(frames)
    else if (captions.held) captions.nudge(frames)
    else if (pieces.held) pieces.nudge(frames, rolls)
    else if (!rolls) layers.nudge(frames)
  }
  const removeHeld = () =>
    several.count > 0
      ? several.remove()
      : moves.move
        ? moves.remove()
        : pieces.held
          ? pieces.remove()
          : layers.layer && layers.remove(layers.layer.id)
  const [covered, setCovered] = useState<readonly WordToken[] | null>(null)
  const mayCover = mayWrite && words.some(({ out }) => !out)
  const cover = () => {
    if (!mayCover) return
    player.pause()
    setCovered(words)
  }
  /** Over the selected words, else from here on. */
  const spanHere = () => {
    const ids = words.map(({ word }) => word.id)
    const span = spanOfWords(recipe, ids) ?? spanFrom(recipe, player.time(), overlayMs)
    if (!span) toast.info(messages.overCard)
    return span
  }
  const addTitle = (template: TitleTemplate) => {
    const text = titleFrom(template, recipe, textOf(words.filter(({ out }) => !out)))
    const span = mayWrite ? spanHere() : null
    if (!span) return
    layers.add(messages.did.titled(text.title), titleOver(text, span))
    openTab('picture')
  }
  /** The same by a key: what is typed next is its text. */
  const writeTitle = (template: TitleTemplate) => {
    addTitle(template)
    if (mayWrite) focusSoon(`#${titleFields} input`)
  }
  const [pictures, setPictures] = useState(false)
  const addPicture = (kind: 'picture' | 'logo', assetId: string | null) => {
    const span = kind === 'logo' ? null : spanHere()
    if (assetId !== null && (span || kind === 'logo'))
      layers.add(messages.did.pinned(kind), addPinned(kind, assetId, span))
  }
  const cut = () => {
    if (several.count > 0 || pieces.held || layers.layer || moves.move) removeHeld()
    // Delete is about what is in hand, and a caption has nothing to be taken out: its words are cut in the transcript.
    else if (!captions.held) chosen.cut()
  }
  const [editing, setEditing] = useState<string | null>(null)
  const opened = openedWords(flat, editing, words)
  const [dialog, setOpenDialog] = useState<BenchDialog | null>(null)
  const [asked, setAsked] = useState<ReadonlySet<BenchDialog>>(new Set())
  const setDialog = (next: BenchDialog) => {
    setAsked((before) => new Set([...before, next]))
    setOpenDialog(next)
  }
  const closeDialog = () => setOpenDialog(null)
  const [watched, setWatched] = useState<Render | null>(null)
  const networks = useNetworks()
  const before = useBefore()
  const stage = useRef<HTMLDivElement>(null)
  const fullscreen = useFullscreen(stage)

  const render = () => {
    openTab('renders')
    if (!renders.running) void renders.render()
  }
  const act = useAct(project)
  /** The finished file of what is on the bench; where there is none, it is said. */
  const finished = () => {
    const { done } = renders
    const isNew = done?.revision === bench.bench.revision && bench.bench.saving.state === 'saved'
    if (!isNew || done.asset?.state !== 'ready') toast.info(paletteWords.noFile)
    return isNew && done.asset?.state === 'ready' ? done : undefined
  }
  const choosePicture = () => {
    player.pause()
    setPictures(true)
  }
  const target: KeyTarget = {
    player,
    cut,
    cover,
    otherTry: () => tries?.next(),
    title: () => writeTitle(words.some(({ out }) => !out) ? 'words' : 'name'),
    split: pieces.split,
    trim: pieces.trim,
    take: () => (layers.layer ? layers.takeEnd() : pieces.take()),
    toCut: pieces.toCut,
    nudge,
    line,
    several,
    move: moves.takeHere,
    person: person.ask,
    remark: { go: marks.go, tick: marks.tickHere },
    gain: gain.add,
    captions: {
      edit: () => (captions.held ? captions.editHeld() : captions.edit()),
      find: () => setDialog('replace'),
      page: () => {
        const [first] = words
        if (first) bench.change(messages.did.break, breakBefore(first.word.id, first.break === 'page' ? null : 'page'))
      },
      nextStyle: () => bench.change(messages.did.style, setCaptions({ style: styleAfter(recipe.captions.style) })),
      toggle: () => {
        const { on } = recipe.captions
        bench.change(on ? messages.did.captionsOff : messages.did.captionsOn, setCaptions({ on: !on }))
      },
    },
    bRollSpeed: layers.speedBy,
    turn: turn.by,
    correct: () => mayWrite && isCorrectable(words) && setEditing(words[0]!.key),
    concern: chosen.goTo,
    accept: chosen.accept,
    mark: (end) => {
      if (end === null) {
        hold(null)
        several.clear()
      }
      chosen.mark(end)
    },
    undo: bench.undo,
    redo: bench.redo,
    save: () => void bench.flush().catch(() => {}),
    fullscreen: fullscreen.toggle,
    safe: networks.toggle,
    before: before.show,
    help: () => setDialog('help'),
    palette: () => setDialog('palette'),
    render: () => mayWrite && render(),
    glossary: () => setDialog('glossary'),
    addPicture: () => mayWrite && choosePicture(),
    addLogo: () => mayWrite && addPicture('logo', recipe.brand.logo),
    addNext: () => writeTitle('call'),
    chooseSticker: () => {
      openTab('picture')
      focusSoon(`#${stickerGroup} button`)
    },
    chooseEffect: () => {
      openTab('ending')
      focusSoon(`#${effectGroup} button`)
    },
    words: {
      find: () => {
        player.pause()
        setDialog('find')
      },
      sentence: () => {
        const all = wordsAround(flat, words)
        if (all.length > 0) select({ anchor: all[0]!.key, focus: all.at(-1)!.key }, 'extend')
      },
    },
    music: {
      choose: () => {
        openTab('ending')
        focusSoon(`#${musicGroup} button`)
      },
      onBeat: () => void toggleBeat(),
      gain: (by) => {
        const { music } = recipe.sound
        if (music) bench.change(messages.did.musicLevel, setMusic({ gain: music.gain + by }), 'music gain')
        else toast.info(soundWords.noMusicYet)
      },
    },
    all: (reason) => {
      const { all, on } = tallyOf(recipe, reason)
      const name = reason === 'silence' ? messages.silences : messages.fillers
      bench.change(messages.did.all(name, on < all), switchReason(reason, on < all))
    },
    finish: {
      check: () => {
        openTab('renders')
        focusSoon(`#${finishGroup} button`)
      },
      watch: () => {
        const file = finished()
        if (file) setWatched(file)
      },
      send: () => {
        openTab('renders')
        const file = project.actions.includes('send') ? finished() : undefined
        if (file?.asset) act.send(file.asset.assetId)
      },
    },
  }
  useWorkbenchKeys(target)

  const pane = (
    <WordsPane
      bench={bench}
      status={project.status}
      notes={edit.transcript?.notes ?? []}
      timeline={timeline}
      player={player}
      passages={passages}
      concerns={concerns}
      selection={chosen.selection}
      selected={chosen.selected}
      range={range}
      onSelect={select}
      onEdit={({ key }) => setEditing(key)}
      onCut={chosen.cut}
      onCover={cover}
      tries={tries}
      onAccept={chosen.accept}
      onConcern={chosen.goTo}
      onWords={() => setDialog('remake')}
    />
  )
  return (
    <div className="flex flex-col lg:h-[calc(100dvh-var(--panel-foot))] lg:min-h-[34rem]">
      <BenchHead project={project} state={<SaveState bench={bench.bench} keeping={bench.keeping} />}>
        <BenchTools
          project={project}
          edit={edit}
          bench={bench}
          renders={renders}
          onGlossary={() => setDialog('glossary')}
          onHelp={() => setDialog('help')}
          onReplace={() => setDialog('replace')}
          onRemake={() => setDialog('remake')}
          onRender={render}
        />
      </BenchHead>
      <BenchAlerts
        bench={bench}
        edit={edit}
        toolsFailed={preview.toolsFailed}
        person={person}
        onRemake={() => setDialog('remake')}
      />
      <div className="bench">
        <BenchStage
          title={project.title}
          preview={preview}
          stage={stage}
          fullscreen={fullscreen}
          range={range}
          words={words}
          pieces={pieces}
          layers={layers}
          line={line}
          several={several}
          captions={captions}
          moves={moves}
          person={person}
          ready={<ReadyLine projectId={project.id} revision={bench.bench.revision} />}
          onNudge={nudge}
          onRemove={removeHeld}
          onMusic={() => openTab('ending')}
          marks={marks.remarks}
          mayWrite={mayWrite}
          networks={networks}
          showsBefore={before.isShown}
          onHelp={() => setDialog('help')}
        />
        {isWide && (
          <section aria-label={messages.transcript} className="bench-pane bench-words">
            {pane}
          </section>
        )}
        <BenchSettings
          marks={marks}
          networks={networks.networks}
          project={project}
          bench={bench}
          renders={renders}
          preview={preview}
          words={words}
          gain={gain}
          turn={turn}
          before={before}
          layers={layers}
          moves={moves}
          person={person}
          clips={clips}
          onCover={mayCover ? cover : undefined}
          onTitle={addTitle}
          onPicture={choosePicture}
          onFinding={({ kind, token }, frame) => {
            if (kind === 'person') return person.ask()
            player.pause()
            player.seek(atFrame(frame, timeline.fps) + 0.5 / (timeline.fps.num / timeline.fps.den))
            if (token !== undefined) chosen.show(token)
          }}
          onLogo={() => addPicture('logo', recipe.brand.logo)}
          spanHere={spanHere}
          pane={pane}
          isWide={isWide}
          tab={tab}
          onTab={openTab}
          watched={watched}
          onWatch={setWatched}
        />
      </div>
      {opened[0] && (
        <WordEditor
          key={opened[0].key}
          token={opened[0]}
          together={opened}
          hasEmoji={captionStyles[recipe.captions.style].hasEmoji}
          change={bench.change}
          onClose={() => setEditing(null)}
        />
      )}
      {covered && (
        <ClipPicker
          projectId={project.id}
          words={textOf(covered.filter(({ out }) => !out))}
          sentence={sentenceAround(flat, covered)}
          onChoose={(clip) => {
            know(clip)
            setCovered(null)
            layers.cover(covered, clip)
          }}
          onClose={() => setCovered(null)}
        />
      )}
      {pictures && (
        <ClipPicker
          projectId={project.id}
          isStill
          words={textOf(words.filter(({ out }) => !out))}
          sentence=""
          onChoose={(clip) => {
            know(clip)
            setPictures(false)
            addPicture('picture', clip.asset.assetId)
          }}
          onClose={() => setPictures(false)}
        />
      )}
      {/* Loaded with the page: who asks for it types at once. */}
      {dialog === 'palette' && (
        <Palette onRun={(command) => command.run(target, { shiftKey: false })} onClose={closeDialog} />
      )}
      {dialog === 'find' && (
        <FindWords
          flat={flat}
          onSelect={(selection) => {
            if (!isWide && tab !== 'words') openTab('words')
            select(selection, 'click')
            focusSoon('.transcript')
            chosen.reveal(selection.focus)
          }}
          onClose={closeDialog}
        />
      )}
      {dialog === 'replace' && (
        <ReplaceDialog
          bench={bench}
          onShow={(id) => {
            const token = flat.find((one) => one.kind === 'word' && one.word.id === id)
            if (token) select({ anchor: token.key, focus: token.key }, 'click')
            if (token) chosen.show(token.key)
          }}
          onClose={closeDialog}
        />
      )}
      {/* Loaded when first asked for, and kept: a dialog that closes gives the focus back. */}
      <Suspense>
        {asked.has('help') && <BenchKeySheet isOpen={dialog === 'help'} onClose={closeDialog} />}
        {asked.has('glossary') && (
          <GlossaryDialog project={project} mayWrite={mayWrite} isOpen={dialog === 'glossary'} onClose={closeDialog} />
        )}
        {asked.has('remake') && <RemakeDialog edit={edit} isOpen={dialog === 'remake'} onClose={closeDialog} />}
      </Suspense>
      {watched && <WatchDialog render={watched} onClose={() => setWatched(null)} />}
    </div>
  )
}

const styleAfter = (style: Recipe['captions']['style']) =>
  captionStyleValues[(captionStyleValues.indexOf(style) + 1) % captionStyleValues.length]!

/** The recipe as text, in passages and as one row of tokens, and what an editor should look at in it. */
const usePassages = (recipe: Recipe) => {
  const passages = useMemo(() => passagesOf(recipe), [recipe])
  const flat = useMemo(() => flatten(passages), [passages])
  const concerns = useMemo(() => concernsOf(passages), [passages])
  return { passages, flat, concerns }
}

/** The open tab, which lives in the page’s address, and how to open another. */
const useTab = (isWide: boolean): [BenchTab, (next: BenchTab) => void] => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return [
    search.tab ?? (isWide ? 'captions' : 'words'),
    (next) => void navigate({ search: { tab: next }, replace: true, resetScroll: false }),
  ]
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
