import { Move, Trash2, ZoomIn } from 'lucide-react'
import { addMove, removeMove, setFrame, setFramePoint, switchMove } from '@clear-to-post/edit/commands/picture'
import { aspects, type Recipe, type Span } from '@clear-to-post/edit/recipe'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { Button, IconButton } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Switch } from '../../ui/switch.tsx'
import { FocusFields, Group } from './fields.tsx'
import { messages } from './messages.ts'
import { MomentButton } from './moment-button.tsx'
import type { Workbench } from './use-bench.ts'
import { PersonGroup } from './person-group.tsx'
import type { Moves } from './use-moves.ts'
import { SteadyGroup } from './steady-group.tsx'
import { CrossfadeGroup } from './crossfade-group.tsx'
import { StraightenGroup } from './straighten-group.tsx'
import type { Crossfade } from './use-crossfade.ts'
import type { HeldSteady } from './use-held-steady.ts'
import type { PersonPlace } from './use-person.ts'
import type { Turn } from './use-turn.ts'
import { pictureWords } from './words/picture.ts'

type PicturePanelProps = {
  bench: Workbench
  timeline: Timeline
  moves: Moves
  crossfade: Crossfade
  person: PersonPlace
  turn: Turn
  steady: HeldSteady
  seek: (span: Span) => void
  secondsOf: (span: Span) => number | null
  /** The words that are selected, for a move over them. */
  selectedSpan: () => Span | null
}

/** The frame and what moves in it. */
export const PicturePanel = ({
  bench,
  timeline,
  moves,
  crossfade,
  person,
  turn,
  steady,
  seek,
  secondsOf,
  selectedSpan,
}: PicturePanelProps) => {
  const { recipe, change, mayWrite } = bench
  const { aspect, focus } = recipe.frame
  const point = (part: Partial<Recipe['frame']['focus']>) => change(messages.did.focus, setFramePoint(part), 'focus')
  const span = selectedSpan()
  return (
    <>
      <Group title={messages.frame}>
        <Choice
          label={messages.frame}
          value={aspect}
          onChange={(next) =>
            mayWrite && next !== aspect && change(messages.did.frame(next), setFrame({ aspect: next }))
          }
          options={aspects.map((one) => ({ key: one, label: <Shape aspect={one} />, name: messages.aspect[one] }))}
          className="justify-self-start"
        />
        <p className="text-[0.8125rem] text-muted">{messages.aspect[aspect]}</p>
        <FocusFields value={focus} isDisabled={!mayWrite} onChange={point} />
        <p className="text-[0.8125rem] text-muted">{messages.focusHint}</p>
      </Group>
      <CrossfadeGroup crossfade={crossfade} timeline={timeline} mayWrite={mayWrite} />
      <StraightenGroup turn={turn} mayWrite={mayWrite} />
      <SteadyGroup steady={steady} mayWrite={mayWrite} />
      <PersonGroup bench={bench} person={person} seek={seek} secondsOf={secondsOf} />
      <Group title={messages.moves}>
        {recipe.moves.length === 0 ? (
          <p className="text-muted">{messages.noMoves}</p>
        ) : (
          <ul className="divide-y divide-line border-y border-line">
            {recipe.moves.map((move) => {
              const at = secondsOf(move)
              return (
                <li key={move.id} className="flex items-start gap-2 py-2.5">
                  <Switch
                    isSelected={move.on}
                    isDisabled={!mayWrite}
                    onChange={(on) => change(on ? messages.did.moveOn : messages.did.moveOff, switchMove(move.id, on))}
                    hint={move.why}
                    className="min-w-0 flex-1"
                  >
                    {messages.move[move.kind]}
                  </Switch>
                  <MomentButton at={at} label={messages.seeMove} onPress={() => seek(move)} />
                  {mayWrite && move.on && at !== null && (
                    <IconButton
                      label={pictureWords.onPictureOf(messages.move[move.kind])}
                      onPress={() => moves.take(move.id)}
                    >
                      <Move aria-hidden />
                    </IconButton>
                  )}
                  {mayWrite && move.by === 'person' && (
                    <IconButton
                      label={messages.removeNamed(messages.move[move.kind])}
                      onPress={() => change(messages.did.moveGone, removeMove(move.id))}
                    >
                      <Trash2 aria-hidden />
                    </IconButton>
                  )}
                </li>
              )
            })}
          </ul>
        )}
        {mayWrite && (
          <div className="flex flex-wrap items-center gap-2">
            {(['punch-in', 'push'] as const).map((kind) => (
              <Button
                key={kind}
                size="small"
                icon={<ZoomIn aria-hidden />}
                isDisabled={span === null}
                onPress={() => span && change(messages.did.moveNew, addMove(kind, span))}
              >
                {messages.addMove[kind]}
              </Button>
            ))}
            <p className="basis-full text-[0.8125rem] text-muted">{messages.addMoveHint}</p>
          </div>
        )}
      </Group>
    </>
  )
}

const Shape = ({ aspect }: { aspect: Recipe['frame']['aspect'] }) => {
  const [w, h] = aspect.split(':').map(Number) as [number, number]
  const size = 14 / Math.max(w, h)
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden className="grid size-4 place-items-center">
        <span
          className="block rounded-[2px] border-[1.5px] border-current"
          style={{ width: w * size, height: h * size }}
        />
      </span>
      {aspect}
    </span>
  )
}
