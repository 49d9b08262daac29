import type { ReactNode } from 'react'
import type { Clip } from '@clear-to-post/contract/clips'
import { Status } from '@clear-to-post/domain/workflow'
import type { Project } from '@clear-to-post/contract/projects'
import { spanFrom, spanOfWords } from '@clear-to-post/edit/commands/cuts'
import type { WordToken } from '@clear-to-post/edit/passages'
import type { Network } from '@clear-to-post/edit/network-areas'
import type { Finding } from '@clear-to-post/edit/finish-check'
import type { Span } from '@clear-to-post/edit/recipe'
import { cx } from '../../ui/cx.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { CaptionsPanel } from './captions-panel.tsx'
import { TranslationGroup } from './translation-group.tsx'
import { ColourGroup } from './colour-group.tsx'
import { DenialGroup, RevisionGroup } from './denial-group.tsx'
import { EffectsGroup, StickersGroup } from './effects-group.tsx'
import { EndingPanel } from './ending-panel.tsx'
import { FinishCheck } from './finish-check.tsx'
import { LayersGroup } from './layers-group.tsx'
import { LooksGroup } from './looks-group.tsx'
import { messages } from './messages.ts'
import { PicturePanel } from './picture-panel.tsx'
import { PicturesGroup } from './pictures-group.tsx'
import { RemarksGroup } from './remarks-group.tsx'
import { RenderPanel, type Renders } from './render-panel.tsx'
import { benchTabs, type BenchTab } from './search.ts'
import { TitlesGroup } from './titles-group.tsx'
import type { Marks } from './use-marks.ts'
import type { Workbench } from './use-bench.ts'
import type { DenialHere } from './use-denial.ts'
import type { Before } from './use-before.ts'
import type { Finish } from './use-finish.ts'
import type { Gain } from './use-gain.ts'
import type { InHand } from './use-in-hand.ts'
import type { LaidOver } from './use-laid-over.ts'
import type { Tab } from './use-tab.ts'
import type { Crossfade } from './use-crossfade.ts'
import type { HeldSteady } from './use-held-steady.ts'
import type { Turn } from './use-turn.ts'
import { firstSeen, type PreviewParts } from './use-preview.ts'

/** At most so long is a room that is named from where the video stands, ms. */
const longestRoom = 600_000

type SettingsProps = {
  project: Project
  bench: Workbench
  renders: Renders
  preview: PreviewParts
  /** The words that are selected. */
  words: readonly WordToken[]
  /** Of the passages that are chosen. */
  gain: Gain
  turn: Turn
  steady: HeldSteady
  crossfade: Crossfade
  before: Before
  inHand: InHand
  marks: Marks
  /** Why a new cut is made. */
  denied: DenialHere
  /** For which the video is looked at. */
  networks: readonly Network[]
  clips: ReadonlyMap<string, Clip>
  laid: LaidOver
  /** Shows the place of what the check before sending found. */
  onFinding: (finding: Finding, frame: number) => void
  /** The transcript. */
  pane: ReactNode
  tab: Tab
  finish: Finish
}

/** What can be set, tab by tab. Where there is no room beside them the words are the first tab. */
export const BenchSettings = (props: SettingsProps) => {
  const {
    pane,
    tab: { isWide, tab, open },
  } = props
  const tabs = benchTabs.filter((key) => !isWide || key !== 'words')
  return (
    <section aria-label={messages.settings} className={cx('bench-pane', isWide ? 'bench-side' : 'bench-words')}>
      <Tabs
        label={messages.settings}
        value={tabs.includes(tab) ? tab : 'captions'}
        onChange={open}
        items={tabs.map((key) => ({ key, label: messages[key] }))}
        className="bench-tabs"
      >
        {(key) =>
          key === 'words' ? (
            pane
          ) : (
            <div className="relative min-h-0 flex-1 overflow-y-auto px-4 py-4 md:px-5 max-lg:overflow-visible">
              <p className="bench-larger">{messages.largerScreen}</p>
              <div>
                <Panel key={key} {...props} shown={key} />
              </div>
            </div>
          )
        }
      </Tabs>
    </section>
  )
}

const Panel = ({
  shown,
  project,
  bench,
  renders,
  preview,
  words,
  gain,
  turn,
  steady,
  crossfade,
  before,
  inHand: { layers, moves, person },
  marks,
  denied,
  networks,
  clips,
  laid,
  onFinding,
  finish,
}: SettingsProps & { shown: Exclude<BenchTab, 'words'> }) => {
  const { recipe, timeline, tools, assets, player } = preview
  const secondsOf = (span: Span) => firstSeen(timeline, span)
  const selectedSpan = () =>
    spanOfWords(
      recipe,
      words.map(({ word }) => word.id),
    )
  const poster = assets.get(recipe.sources[0]?.assetId ?? '')
  switch (shown) {
    case 'captions':
      return (
        <>
          <LooksGroup project={project} bench={bench} assets={assets} />
          <CaptionsPanel
            bench={bench}
            tools={tools}
            poster={poster?.posterUrl ?? poster?.thumbnailUrl}
            spanHere={() => selectedSpan() ?? spanFrom(recipe, player.time(), longestRoom)}
            secondsOf={secondsOf}
          />
          <TranslationGroup
            bench={bench}
            timeline={timeline}
            project={project}
            seek={(seconds) => player.seek(seconds)}
          />
        </>
      )
    case 'picture':
      return (
        <>
          <PicturePanel
            moves={moves}
            person={person}
            turn={turn}
            steady={steady}
            crossfade={crossfade}
            timeline={timeline}
            bench={bench}
            seek={(span) => player.seek(secondsOf(span) ?? 0)}
            secondsOf={secondsOf}
            selectedSpan={selectedSpan}
          />
          <ColourGroup bench={bench} assets={assets} before={before} />
          <TitlesGroup
            bench={bench}
            timeline={timeline}
            layers={layers}
            hasWords={laid.heard.length > 0}
            onAdd={laid.addTitle}
          />
          <StickersGroup bench={bench} timeline={timeline} layers={layers} spanHere={laid.spanHere} />
          <PicturesGroup
            bench={bench}
            timeline={timeline}
            layers={layers}
            onPicture={laid.choosePicture}
            onLogo={laid.addLogo}
          />
          <LayersGroup
            bench={bench}
            timeline={timeline}
            layers={layers}
            clips={clips}
            onCover={laid.mayCover ? laid.cover : undefined}
          />
        </>
      )
    case 'ending':
      return (
        <>
          <EndingPanel
            bench={bench}
            gain={gain}
            songs={songsOf(assets)}
            timeline={timeline}
            layers={layers}
            spanHere={laid.spanHere}
          />
          <EffectsGroup bench={bench} timeline={timeline} layers={layers} spanHere={laid.spanHere} />
        </>
      )
    case 'renders':
      return (
        <>
          {denied.denial && <DenialGroup denial={denied.denial} />}
          {denied.revision && <RevisionGroup revision={denied.revision} />}
          <RemarksGroup
            marks={marks}
            onShow={(seconds) => {
              player.pause()
              player.seek(seconds)
            }}
          />
          {!isSent(project) && (
            <FinishCheck
              denied={denied}
              remarks={marks.remarks}
              recipe={recipe}
              timeline={timeline}
              pages={preview.track?.pages ?? []}
              networks={networks}
              clips={clips}
              onShow={onFinding}
            />
          )}
          <RenderPanel
            project={project}
            bench={bench}
            renders={renders}
            watched={finish.watched?.id ?? null}
            onWatch={(render) => {
              player.pause()
              finish.watch(render)
            }}
          />
        </>
      )
  }
}

/** What could be looked at before it was sent is past. */
const isSent = ({ status }: Project): boolean =>
  status === Status.waitingApproval || status === Status.completed || status === Status.scheduled

/** The project's files that may be heard under the video. */
const songsOf = (assets: PreviewParts['assets']) =>
  [...assets.values()].filter(({ type, state }) => type === 'audio' && state === 'ready')
