import { useMemo } from 'react'
import { ChevronRight, CircleCheck, TriangleAlert } from 'lucide-react'
import type { Clip } from '@clear-to-post/contract/clips'
import type { Page } from '@clear-to-post/edit/captions'
import { finishFindings, type Finding } from '@clear-to-post/edit/finish-check'
import type { Network } from '@clear-to-post/edit/network-areas'
import type { Recipe } from '@clear-to-post/edit/recipe'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { clock } from '../../ui/player-time.ts'
import { Group } from './fields.tsx'
import { messages } from './messages.ts'
import { atFrame, frameOf } from './timeline-player.ts'
import { fileOf } from './use-clips.ts'
import type { DenialHere } from './use-denial.ts'
import type { Remark } from './use-marks.ts'

type CheckProps = {
  recipe: Recipe
  timeline: Timeline
  pages: readonly Page[]
  networks: readonly Network[]
  clips: ReadonlyMap<string, Clip>
  denied: DenialHere
  remarks: readonly Remark[]
  /** Shows where it is, in the video and in the transcript. */
  onShow: (finding: Finding, frame: number) => void
}

/** Of this list, for the command that leads to it. */
export const finishGroup = 'bench-finish'

/** What is still to be looked at before the video is sent; each line leads to its place. Nothing of it forbids sending. */
export const FinishCheck = ({ recipe, timeline, pages, networks, clips, denied, remarks, onShow }: CheckProps) => {
  const findings = useMemo(
    () =>
      finishFindings(recipe, timeline, {
        pages,
        networks,
        remarks: openFrames(remarks, timeline),
        clips: new Map([...clips].map(([id, clip]) => [id, fileOf(clip).durationMs])),
      }),
    [recipe, timeline, pages, networks, remarks, clips],
  )
  return (
    <Group title={messages.finishCheck} id={finishGroup}>
      {findings.length === 0 && !denied.isNew && !denied.isAsked ? (
        <p className="flex items-center gap-2 text-muted">
          <CircleCheck aria-hidden className="size-4 shrink-0 text-good" />
          {messages.nothingFound}
        </p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {denied.denial && denied.isNew && (
            <li>
              <button type="button" className={`${line} text-left hover:bg-sunken`} onClick={denied.show}>
                <TriangleAlert aria-hidden className={sign} />
                <span className="min-w-0 flex-1">{messages.denied(denied.denial.cut)}</span>
                <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
              </button>
            </li>
          )}
          {denied.revision && denied.isAsked && (
            <li>
              <button type="button" className={`${line} text-left hover:bg-sunken`} onClick={denied.showRevision}>
                <TriangleAlert aria-hidden className={sign} />
                <span className="min-w-0 flex-1">{messages.askedFor(denied.revision.cut)}</span>
                <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
              </button>
            </li>
          )}
          {findings.map((finding) => {
            const [first] = finding.frames
            const words = messages.finding[finding.kind](Math.max(1, finding.frames.length))
            return (
              <li key={finding.kind}>
                {first === undefined ? (
                  <p className={line}>
                    <TriangleAlert aria-hidden className={sign} />
                    <span className="min-w-0 flex-1">{words}</span>
                  </p>
                ) : (
                  <button
                    type="button"
                    className={`${line} text-left hover:bg-sunken`}
                    onClick={() => onShow(finding, first)}
                  >
                    <TriangleAlert aria-hidden className={sign} />
                    <span className="min-w-0 flex-1">{words}</span>
                    <span className="figures font-mono text-[0.8125rem] text-primary-text">
                      {clock(atFrame(first, timeline.fps))}
                    </span>
                    <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
                  </button>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </Group>
  )
}

/** The moments of those that are not ticked off. */
const openFrames = (remarks: readonly Remark[], { fps, frames }: Timeline): number[] =>
  remarks.flatMap(({ at, isDone }) => (isDone ? [] : [Math.min(frameOf(at, fps), frames - 1)]))

const line = 'touch flex w-full items-center gap-2 px-1 py-2'
const sign = 'size-4 shrink-0 text-warn'
