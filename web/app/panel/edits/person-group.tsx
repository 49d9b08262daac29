import { ScanFace, Trash2 } from 'lucide-react'
import { removeFocus, switchFocus } from '@clear-to-post/edit/commands/picture'
import type { Span } from '@clear-to-post/edit/recipe'
import { Button, IconButton } from '../../ui/button.tsx'
import { Switch } from '../../ui/switch.tsx'
import { Group } from './fields.tsx'
import { messages } from './messages.ts'
import { MomentButton } from './moment-button.tsx'
import type { Workbench } from './use-bench.ts'
import type { PersonPlace } from './use-person.ts'
import { pictureWords } from './words/picture.ts'

const words = pictureWords.person

/** Where the frame stays on the person: what a rule found and what a person said, each with its reason and a switch. */
export const PersonGroup = ({
  bench,
  person,
  seek,
  secondsOf,
}: {
  bench: Workbench
  person: PersonPlace
  seek: (span: Span) => void
  secondsOf: (span: Span) => number | null
}) => {
  const { recipe, change, mayWrite } = bench
  const { focus = [] } = recipe
  return (
    <Group title={words.title}>
      {focus.length === 0 ? (
        <p className="text-muted">{words.none}</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {focus.map((one) => {
            const at = secondsOf(one)
            const name = one.by === 'person' ? words.byHand : words.line
            return (
              <li key={one.id} className="flex items-start gap-2 py-2.5">
                <Switch
                  isSelected={one.on}
                  isDisabled={!mayWrite}
                  onChange={(on) => change(on ? words.did.on : words.did.off, switchFocus(one.id, on))}
                  hint={one.why}
                  className="min-w-0 flex-1"
                >
                  {name}
                </Switch>
                <MomentButton at={at} label={words.see} onPress={() => seek(one)} />
                {mayWrite && one.by === 'person' && (
                  <IconButton
                    label={messages.removeNamed(name)}
                    onPress={() => change(words.did.gone, removeFocus(one.id))}
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
        <Button size="small" icon={<ScanFace aria-hidden />} onPress={person.ask} className="justify-self-start">
          {words.ask}
        </Button>
      )}
    </Group>
  )
}
