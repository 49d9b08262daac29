import { Checkbox } from '../../ui/checkbox.tsx'
import { TextArea } from '../../ui/fields.tsx'
import { messages } from './messages.ts'

/** The first comment below a post, written by itself once the post is there; off, there is none. */
export const CommentChoice = ({
  label,
  most,
  count,
  value,
  error,
  onChange,
}: {
  /** Whose post it is. */
  label: string
  most: number
  count: (words: string) => number
  value: string | undefined
  /** What is wrong with it, and what to do. */
  error: string | undefined
  onChange: (comment: string | undefined) => void
}) => (
  <div className="grid gap-2">
    <Checkbox
      isSelected={value !== undefined}
      aria-label={`${messages.addComment}: ${label}`}
      onChange={(isOn) => onChange(isOn ? '' : undefined)}
    >
      {messages.addComment}
    </Checkbox>
    {value !== undefined && (
      <div className="pl-7" data-fault={error !== undefined || undefined}>
        <TextArea
          label={messages.firstComment}
          rows={2}
          value={value}
          error={error}
          hint={`${messages.count(count(value), most)}. ${messages.commentHint}`}
          onChange={onChange}
        />
      </div>
    )}
  </div>
)
