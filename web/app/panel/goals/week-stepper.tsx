import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { messages } from './messages.ts'
import { weekFrom, weekWords } from './weeks.ts'

/** Which week is shown, the ones before and after, and the way back to the running one. */
export const WeekStepper = ({
  week,
  thisWeek,
  onChange,
}: {
  week: string
  thisWeek: string
  onChange: (week: string) => void
}) => (
  <div role="group" aria-label={messages.week} className="flex items-center">
    <IconButton label={messages.before} onPress={() => onChange(weekFrom(week, -1))}>
      <ChevronLeft aria-hidden />
    </IconButton>
    <p aria-live="polite" className="figures text-center font-medium sm:min-w-34">
      {weekWords(week)}
    </p>
    <IconButton label={messages.after} onPress={() => onChange(weekFrom(week, 1))}>
      <ChevronRight aria-hidden />
    </IconButton>
    {week !== thisWeek && (
      <Button variant="quiet" size="small" onPress={() => onChange(thisWeek)}>
        {messages.thisWeek}
      </Button>
    )}
  </div>
)
