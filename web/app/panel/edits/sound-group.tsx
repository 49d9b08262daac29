import { gainRange, setClean, setTone } from '@clear-to-post/edit/commands/sound'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/switch.tsx'
import { Range } from './fields.tsx'
import { messages } from './messages.ts'
import { hasWorklets } from './mixer.ts'
import type { Workbench } from './use-bench.ts'
import type { Gain } from './use-gain.ts'
import { soundWords } from './words/sound.ts'

/** By the slider; a recipe may have longer ones. */
const mostFadeMs = 3000

/** The voice: cleaned or as it was recorded, and the loudness and fades of the chosen passages. */
export const VoiceFields = ({ bench, gain }: { bench: Workbench; gain: Gain }) => {
  const { recipe, change, mayWrite } = bench
  const clean = recipe.sound.clean ?? false
  const isNone = gain.chosen.length === 0
  return (
    <>
      <Switch
        isSelected={clean}
        isDisabled={!mayWrite}
        onChange={(on) => change(on ? soundWords.did.cleanOn : soundWords.did.cleanOff, setClean(on))}
        hint={clean && !hasWorklets() ? soundWords.cleanFailed : soundWords.cleanHint}
      >
        {soundWords.clean}
      </Switch>
      <Switch
        isSelected={recipe.sound.tone ?? false}
        isDisabled={!mayWrite}
        onChange={(on) => change(on ? soundWords.did.toneOn : soundWords.did.toneOff, setTone(on))}
        hint={soundWords.toneHint}
      >
        {soundWords.tone}
      </Switch>
      <Range
        label={isNone ? soundWords.gainNone : soundWords.gain(gain.chosen.length)}
        value={gain.gain ?? 0}
        min={gainRange[0]}
        max={gainRange[1]}
        step={1}
        isDisabled={!mayWrite || isNone}
        say={(value) => (gain.gain === null && !isNone ? soundWords.mixed : soundWords.decibels(value))}
        onChange={gain.set}
        action={
          mayWrite &&
          !isNone &&
          gain.gain !== 0 && (
            <Button size="small" variant="quiet" onPress={() => gain.set(0)}>
              {soundWords.gainReset}
            </Button>
          )
        }
      />
      {(['fadeInMs', 'fadeOutMs'] as const).map((edge) => (
        <Range
          key={edge}
          label={soundWords[edge]}
          value={gain.fade(edge)}
          min={0}
          max={mostFadeMs}
          step={100}
          isDisabled={!mayWrite || isNone}
          say={(ms) => (ms === 0 ? soundWords.atOnce : messages.seconds(ms))}
          onChange={(ms) => gain.setFade(edge, ms)}
        />
      ))}
      <p className="text-[0.8125rem] text-muted">{soundWords.gainHint}</p>
    </>
  )
}
