import { Button } from '../../ui/button.tsx'
import { blankName } from '../scripts/blanks.ts'
import { messages } from './messages.ts'

/** Below the picture, before a take: whose choice the script is, and what of it is still blank. */
export const ScriptLine = ({
  suggested,
  blanks,
  hasScript,
  onFree,
  onFill,
}: {
  /** The title of this month's suggestion where nobody has chosen another script. */
  suggested: string | null
  blanks: readonly string[]
  hasScript: boolean
  onFree: () => void
  onFill: () => void
}) => {
  if (!hasScript) return <p className="text-center text-sm text-muted-on-night">{messages.noScriptHint}</p>
  if (suggested === null && blanks.length === 0) return null
  return (
    <div className="mt-1 flex flex-wrap items-center justify-center gap-x-1 text-center text-[0.8125rem] text-muted-on-night">
      {suggested !== null && (
        <Choice says={messages.suggested(suggested)} does={messages.speakFreely} onPress={onFree} />
      )}
      {blanks.length > 0 && (
        <Choice says={messages.stillBlank(blanks.map(blankName).join(', '))} does={messages.fillIn} onPress={onFill} />
      )}
    </div>
  )
}

/** A sentence, and what can be done about it: one does not go to another line without the other. */
const Choice = ({ says, does, onPress }: { says: string; does: string; onPress: () => void }) => (
  <span className="inline-flex flex-wrap items-center justify-center">
    <span>{says}</span>
    <Button
      variant="quiet"
      size="small"
      className="h-8! min-h-0! px-2! text-on-night! underline underline-offset-2"
      onPress={onPress}
    >
      {does}
    </Button>
  </span>
)
