import { Checkbox } from '../../ui/checkbox.tsx'
import { Group } from './fields.tsx'
import { MomentButton } from './moment-button.tsx'
import type { Marks } from './use-marks.ts'
import { remarkWords } from './words/remarks.ts'

/** What was said about the cut that was sent last: each leads to its moment and is ticked off, for everybody who edits. */
export const RemarksGroup = ({ marks, onShow }: { marks: Marks; onShow: (seconds: number) => void }) => {
  if (marks.remarks.length === 0) return null
  return (
    <Group title={remarkWords.title}>
      <ul className="divide-y divide-line border-t border-line">
        {marks.remarks.map((remark) => (
          <li key={remark.id} className="flex items-start gap-2 py-2">
            <Checkbox
              isSelected={remark.isDone}
              isDisabled={!marks.mayTick}
              onChange={() => marks.tick(remark)}
              className="min-w-0 flex-1 py-1"
            >
              <span className="min-w-0 text-[0.8125rem] break-words">{remarkWords.by(remark.author, remark.text)}</span>
            </Checkbox>
            <MomentButton at={remark.at} label={remarkWords.show} onPress={() => onShow(remark.at)} />
          </li>
        ))}
      </ul>
    </Group>
  )
}
