import {
  noTiktokChoices,
  tiktokAllowed,
  tiktokDisclosed,
  tiktokLabel,
  type TiktokChoices,
} from '@clear-to-post/domain/tiktok-choices'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Select } from '../../ui/select.tsx'
import type { PostFaults } from './post-faults.ts'
import { messages } from './messages.ts'

/** What TikTok demands that a person chooses for each post, in its own words and with nothing chosen beforehand. */
export const TiktokChoice = ({
  label,
  value = noTiktokChoices,
  faults,
  onChange,
}: {
  /** Whose account it is. */
  label: string
  value: TiktokChoices | undefined
  /** What is to be answered, once it is asked for. */
  faults: PostFaults['tiktok']
  onChange: (choices: TiktokChoices) => void
}) => {
  const put = (part: Partial<TiktokChoices>) => onChange({ ...value, ...part })
  const words = messages.tiktok
  const shown = tiktokLabel(value)
  const isPaid = value.isCommercial && value.discloses.includes('paid')
  return (
    <div role="group" aria-label={`${words.group}: ${label}`} className="grid gap-3">
      <Select
        label={words.mode}
        value={value.mode}
        options={(['direct', 'inbox'] as const).map((mode) => ({ value: mode, label: words.modes[mode] }))}
        onChange={(mode) => put({ mode: mode === 'inbox' ? 'inbox' : 'direct' })}
      />
      {value.mode === 'inbox' ? (
        <p className="text-[0.8125rem] text-muted">{words.inboxHint}</p>
      ) : (
        <>
          <fieldset className="grid gap-1.5">
            <legend className="mb-1 text-[0.8125rem]">{words.allows}</legend>
            {tiktokAllowed.map((one) => (
              <Checkbox
                key={one}
                isSelected={value.allows.includes(one)}
                onChange={(isOn) => put({ allows: changed(tiktokAllowed, value.allows, one, isOn) })}
              >
                {words.allowed[one]}
              </Checkbox>
            ))}
          </fieldset>
          <div className="grid gap-1.5">
            <Checkbox
              isSelected={value.isCommercial}
              onChange={(isCommercial) => put({ isCommercial, discloses: isCommercial ? value.discloses : [] })}
            >
              {words.commercial}
            </Checkbox>
            <p className="pl-7 text-[0.8125rem] text-muted">{words.commercialHint}</p>
            {value.isCommercial && (
              <div className="grid gap-1.5 pl-7" data-fault={faults.discloses !== undefined || undefined}>
                {tiktokDisclosed.map((one) => (
                  <Checkbox
                    key={one}
                    isInvalid={faults.discloses !== undefined}
                    isSelected={value.discloses.includes(one)}
                    onChange={(isOn) => put({ discloses: changed(tiktokDisclosed, value.discloses, one, isOn) })}
                  >
                    {words.disclosed[one]}
                  </Checkbox>
                ))}
                <Fault words={faults.discloses} />
                {shown !== null && (
                  <p role="status" className="text-[0.8125rem] text-muted">
                    {words.labelled(shown)}
                  </p>
                )}
              </div>
            )}
          </div>
          <div className="grid gap-1.5" data-fault={faults.agrees !== undefined || undefined}>
            <Checkbox
              isInvalid={faults.agrees !== undefined}
              isSelected={value.agrees}
              onChange={(agrees) => put({ agrees })}
            >
              <span>
                {words.agree}{' '}
                {isPaid && (
                  <>
                    <Terms to="https://www.tiktok.com/legal/page/global/bc-policy/en">{words.brandedPolicy}</Terms>{' '}
                    {words.and}{' '}
                  </>
                )}
                <Terms to="https://www.tiktok.com/legal/page/global/music-usage-confirmation/en">
                  {words.musicTerms}
                </Terms>
              </span>
            </Checkbox>
            <Fault words={faults.agrees} />
          </div>
          <p className="text-[0.8125rem] text-muted">{words.takesMinutes}</p>
        </>
      )}
    </div>
  )
}

const Fault = ({ words }: { words: string | undefined }) =>
  words === undefined ? null : <p className="pl-7 text-[0.8125rem] text-danger">{words}</p>

const Terms = ({ to, children }: { to: string; children: string }) => (
  <a href={to} target="_blank" rel="noreferrer" className="underline">
    {children}
  </a>
)

/** In the order of all there are, with or without one of them. */
const changed = <One extends string>(all: readonly One[], chosen: readonly One[], one: One, isOn: boolean): One[] =>
  all.filter((other) => (other === one ? isOn : chosen.includes(other)))
