import { memo, useEffect, useMemo, useRef } from 'react'
import { RadioGroup } from 'react-aria-components/RadioGroup'
import { captionStyles, captionStyleValues } from '@clear-to-post/domain/captions'
import { captionTrack, paintState, type CaptionState } from '@clear-to-post/edit/caption-track'
import { sizeOf, type Captions, type Recipe } from '@clear-to-post/edit/recipe'
import { isOut } from '@clear-to-post/edit/removals'
import { CaptionStyleRadio } from '../../ui/caption-style-radio.tsx'
import type { CanvasTools } from './canvas-tools.ts'
import { messages } from './messages.ts'
import { fitDots, paintInto } from './painted.ts'

type Style = Captions['style']

type Props = {
  recipe: Recipe
  tools: CanvasTools | null
  poster: string | undefined
  isDisabled: boolean
  onChange: (style: Style) => void
}

/** The styles, each painted by the render's painter with the words of this very video. */
export const StyleSamples = ({ recipe, tools, poster, isDisabled, onChange }: Props) => (
  <RadioGroup
    aria-label={messages.style}
    value={String(recipe.captions.style)}
    isDisabled={isDisabled}
    onChange={(chosen) => onChange(captionStyleValues.find((style) => String(style) === chosen) ?? 1)}
    className="grid grid-cols-2 gap-2"
  >
    {captionStyleValues.map((style) => (
      <CaptionStyleRadio key={style} style={style} className="gap-1" frame="aspect-8/5">
        {poster && <img src={poster} alt="" className="absolute inset-0 size-full object-cover opacity-80" />}
        <Sample recipe={recipe} style={style} tools={tools} />
      </CaptionStyleRadio>
    ))}
  </RadioGroup>
)

type SampleProps = { recipe: Recipe; style: Style; tools: CanvasTools | null }

// Only what a sample shows: a changed cut or card elsewhere paints nothing anew.
const showsTheSame = (before: SampleProps, after: SampleProps): boolean =>
  before.style === after.style &&
  before.tools === after.tools &&
  before.recipe.frame.aspect === after.recipe.frame.aspect &&
  (['words', 'removed', 'captions', 'brand'] as const).every((part) => before.recipe[part] === after.recipe[part])

const Sample = memo(({ recipe, style, tools }: SampleProps) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const measure = tools?.measure
  const shown = useMemo(() => {
    if (!measure) return null
    const { words, captions } = recipe
    const first = words.filter((word) => !isOut(recipe, word)).slice(0, 24)
    const tour = captions.tour?.address || captions.tour?.price ? captions.tour : messages.sampleTour
    const small: Recipe = {
      ...recipe,
      words: first,
      removed: [],
      unsaid: [],
      moves: [],
      layers: [],
      open: null,
      close: null,
      captions: { ...captions, on: true, style, position: null, tour: captionStyles[style].hasTour ? tour : null },
    }
    const { states } = captionTrack(small, measure)
    const rich = states.filter(({ page, active }) => page && active)
    const state: CaptionState | undefined =
      rich.find(({ page }) => page!.emoji && page!.lines.flat().length > 2) ??
      rich.find(({ page }) => page!.lines.flat().length > 2) ??
      rich[0] ??
      states.find(({ thirds }) => thirds.length > 0)
    return state ? { state, frame: sizeOf(small) } : null
  }, [recipe, style, measure])
  useEffect(() => {
    const element = canvas.current
    if (!element || !shown || !tools) return
    fitDots(element)
    const { state, frame } = shown
    const boxes = [...(state.page ? [state.page.box] : []), ...state.thirds.map(({ box }) => box)]
    const top = Math.min(...boxes.map((box) => box.y))
    const bottom = Math.max(...boxes.map((box) => box.y + box.height))
    // As wide as the frame where that is upright, else as wide as it needs to be read.
    const width = Math.min(frame.width, frame.height)
    const height = (width * 5) / 8
    const y = Math.max(0, Math.min(frame.height - height, (top + bottom - height) / 2))
    const left = Math.min(...boxes.map((box) => box.x))
    const x = state.thirds.length > 0 ? Math.max(0, left - width * 0.04) : (frame.width - width) / 2
    paintInto(element, frame, (context) => paintState(context, state, tools.pictures), {
      x: Math.min(x, frame.width - width),
      y,
      width,
      height,
    })
  }, [shown, tools])
  return <canvas ref={canvas} className="absolute inset-0 size-full" />
}, showsTheSame)
