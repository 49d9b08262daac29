import { Contrast } from 'lucide-react'
import type { Asset } from '@clear-to-post/contract/assets'
import { balanceOf } from '@clear-to-post/edit/balance'
import { colourParts, setColour, switchBalance } from '@clear-to-post/edit/commands/colour'
import type { Source } from '@clear-to-post/edit/recipe'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/switch.tsx'
import { Group, Range } from './fields.tsx'
import type { Workbench } from './use-bench.ts'
import type { Before } from './use-before.ts'
import { colourWords } from './words/colour.ts'

type GroupProps = { bench: Workbench; assets: ReadonlyMap<string, Asset>; before: Before }

/** Light and colour: each recording's own balance, the sliders on top of it, and how it was before. */
export const ColourGroup = ({ bench, assets, before }: GroupProps) => {
  const { recipe, change, mayWrite } = bench
  const { colour, sources } = recipe
  const isMoved = colourParts.some((part) => colour[part] !== 0)
  return (
    <Group title={colourWords.title}>
      {sources.map((source) => (
        <BalanceSwitch
          key={source.id}
          source={source}
          light={assets.get(source.assetId)?.light}
          isOnly={sources.length === 1}
          bench={bench}
        />
      ))}
      {colourParts.map((part) => (
        <Range
          key={part}
          label={colourWords.part[part]}
          value={Math.round(colour[part] * 100)}
          min={-100}
          max={100}
          step={1}
          isDisabled={!mayWrite}
          say={colourWords.signed}
          onChange={(value) => change(colourWords.did.part[part], setColour({ [part]: value / 100 }), `colour ${part}`)}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <Button size="small" icon={<Contrast aria-hidden />} onPressStart={before.show} aria-pressed={before.isShown}>
          {colourWords.before}
        </Button>
        {mayWrite && isMoved && (
          <Button
            size="small"
            variant="quiet"
            onPress={() =>
              change(colourWords.did.reset, setColour({ brightness: 0, contrast: 0, saturation: 0, warmth: 0 }))
            }
          >
            {colourWords.reset}
          </Button>
        )}
      </div>
    </Group>
  )
}

type SwitchProps = { source: Source; light: Asset['light']; isOnly: boolean; bench: Workbench }

const BalanceSwitch = ({ source, light, isOnly, bench: { change, mayWrite } }: SwitchProps) => {
  const balance = source.balance ?? (light && balanceOf(light))
  if (!balance)
    return (
      <p className="text-[0.8125rem] text-muted">
        {isOnly ? '' : `${source.name}: `}
        {light ? colourWords.isFine : colourWords.unmeasured}
      </p>
    )
  return (
    <Switch
      isSelected={source.balance?.on ?? false}
      isDisabled={!mayWrite}
      onChange={(on) =>
        change(on ? colourWords.did.balanceOn : colourWords.did.balanceOff, switchBalance(source.id, on, light))
      }
      hint={balance.why}
    >
      {isOnly ? colourWords.balance : colourWords.balanceOf(source.name)}
    </Switch>
  )
}
