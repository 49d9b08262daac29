import { useRef } from 'react'
import type { Edit } from '@clear-to-post/contract/edits'
import type { Project } from '@clear-to-post/contract/projects'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { useFullscreen } from '../../ui/player-controls.tsx'
import { BenchAlerts } from './bench-alerts.tsx'
import { BenchDialogs, useBenchDialogs } from './bench-dialogs.tsx'
import { BenchHead, BenchTools } from './bench-head.tsx'
import { BenchSettings } from './bench-settings.tsx'
import { BenchStage } from './bench-stage.tsx'
import { commandsOf } from './commands-of-bench.ts'
import { useWorkbenchKeys } from './keys.ts'
import { messages } from './messages.ts'
import { ReadyLine } from './ready-line.tsx'
import { useRenderNews, useRenders } from './render-panel.tsx'
import { SaveState } from './save-state.tsx'
import { atFrame } from './timeline-player.ts'
import { useBeatToggle } from './use-beat.ts'
import { useBefore } from './use-before.ts'
import { useBench, type Left } from './use-bench.ts'
import { useDenial } from './use-denial.ts'
import { useClips, useMissingClips } from './use-clips.ts'
import { useFinish } from './use-finish.ts'
import { useGain } from './use-gain.ts'
import { useInHand } from './use-in-hand.ts'
import { useLaidOver } from './use-laid-over.ts'
import { useLine } from './use-line.ts'
import { useMarks } from './use-marks.ts'
import { useNetworks } from './use-networks.ts'
import { useOrder } from './use-order.ts'
import { usePassages } from './use-passages.ts'
import { usePreview } from './use-preview.ts'
import { useTab } from './use-tab.ts'
import { useTranscriptSelection, type Chosen } from './use-transcript-selection.ts'
import { useTries } from './use-tries.ts'
import { useCrossfade } from './use-crossfade.ts'
import { useHeldSteady } from './use-held-steady.ts'
import { useTurn } from './use-turn.ts'
import { restingWords } from './resting.ts'
import { WordsPane } from './words-pane.tsx'

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
  const tab = useTab()
  const chosen = useTranscriptSelection({ bench, timeline, player, flat, concerns, onConcern: tab.showWords })
  const { words, range } = chosen
  const tries = useTries(bench, preview, words[0]?.word.id)
  const inHand = useInHand({ bench, preview, clips })
  const { layers, pieces, several, person } = inHand
  // Who goes on in the transcript lets go of what is on a track; with that in hand, Delete is about it.
  const select: Chosen['select'] = (next, how) => {
    inHand.letGo()
    chosen.select(next, how)
  }
  const order = useOrder({ bench, player, inHand, words })
  const laid = useLaidOver({ bench, player, layers, words, tab })
  const denied = useDenial(project, tab)
  const finish = useFinish({ project, bench, renders, tab })
  const dialogs = useBenchDialogs()
  const marks = useMarks(project, player, mayWrite)
  const song = preview.assets.get(recipe.sound.music?.assetId ?? '')
  const line = useLine({ recipe, timeline, player, marks: marks.remarks, pieceSeconds: song?.duration ?? null })
  const gain = useGain({ bench, timeline, pieces, several: several.pieces, words })
  const turn = useTurn({ bench, timeline, player, chosen: gain.chosen })
  const steady = useHeldSteady({ bench, projectId: project.id, timeline, player, chosen: gain.chosen })
  const crossfade = useCrossfade({ bench, timeline, player, pieces })
  const toggleBeat = useBeatToggle(bench, song)
  const networks = useNetworks()
  const before = useBefore()
  const stage = useRef<HTMLDivElement>(null)
  const fullscreen = useFullscreen(stage)
  const target = commandsOf({
    bench,
    player,
    flat,
    chosen,
    select,
    tries,
    inHand,
    order,
    laid,
    finish,
    dialogs,
    tab,
    line,
    marks,
    gain,
    turn,
    steady,
    crossfade,
    networks,
    before,
    toggleBeat,
    toggleFullscreen: fullscreen.toggle,
  })
  useWorkbenchKeys(target)

  const pane = (
    <WordsPane
      bench={bench}
      resting={restingWords(project)}
      notes={edit.transcript?.notes ?? []}
      timeline={timeline}
      player={player}
      passages={passages}
      concerns={concerns}
      selection={chosen.selection}
      selected={chosen.selected}
      range={range}
      onSelect={select}
      onEdit={({ key }) => dialogs.edit(key)}
      onCut={chosen.cut}
      onCover={laid.cover}
      tries={tries}
      onMove={order.mayMoveWords ? order.stepHeard : undefined}
      onAccept={chosen.accept}
      onConcern={chosen.goTo}
      onWords={() => dialogs.open('remake')}
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
          onGlossary={() => dialogs.open('glossary')}
          onHelp={() => dialogs.open('help')}
          onReplace={() => dialogs.open('replace')}
          onRemake={() => dialogs.open('remake')}
          onRender={finish.render}
        />
      </BenchHead>
      <BenchAlerts
        bench={bench}
        edit={edit}
        toolsFailed={preview.toolsFailed}
        person={person}
        denied={denied}
        onRemake={() => dialogs.open('remake')}
      />
      <div className="bench">
        <BenchStage
          title={project.title}
          preview={preview}
          stage={stage}
          fullscreen={fullscreen}
          range={range}
          words={words}
          inHand={inHand}
          crossfade={crossfade}
          line={line}
          ready={<ReadyLine projectId={project.id} revision={bench.bench.revision} />}
          onMusic={() => tab.open('ending')}
          marks={marks.remarks}
          mayWrite={mayWrite}
          networks={networks}
          showsBefore={before.isShown}
          onHelp={() => dialogs.open('help')}
        />
        {tab.isWide && (
          <section aria-label={messages.transcript} className="bench-pane bench-words">
            {pane}
          </section>
        )}
        <BenchSettings
          marks={marks}
          denied={denied}
          networks={networks.networks}
          project={project}
          bench={bench}
          renders={renders}
          preview={preview}
          words={words}
          gain={gain}
          turn={turn}
          steady={steady}
          crossfade={crossfade}
          before={before}
          inHand={inHand}
          clips={clips}
          laid={laid}
          onFinding={({ kind, token }, frame) => {
            if (kind === 'person') return person.ask()
            player.pause()
            player.seek(atFrame(frame, timeline.fps) + 0.5 / (timeline.fps.num / timeline.fps.den))
            if (token !== undefined) chosen.show(token)
          }}
          pane={pane}
          tab={tab}
          finish={finish}
        />
      </div>
      <BenchDialogs
        {...{ project, edit, bench, dialogs, flat, chosen, tab, layers, laid, know, finish, target }}
        onSelect={select}
      />
    </div>
  )
}
