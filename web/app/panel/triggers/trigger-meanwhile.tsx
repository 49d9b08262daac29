import type { Trigger } from '@clear-to-post/contract/notifications'
import { ChangedMeanwhile } from '../../ui/changed-meanwhile.tsx'
import { useAudienceWords } from './audience-words.tsx'
import { messages } from './messages.ts'
import { formOf } from './trigger-data.ts'
import { scheduleWords } from './words.ts'

/** What a trigger says now, where somebody has changed it since it was opened. */
export const TriggerMeanwhile = ({ from, now }: { from: Trigger; now: Trigger }) => {
  const audienceWords = useAudienceWords()
  const readOf = (trigger: Trigger) => {
    const { title, description, wordsTitle, wordsBody, ctaLabel, ctaUrl, push, email, firstDay } = formOf(trigger)
    return {
      status: messages.statuses[trigger.status],
      title,
      description,
      wordsTitle,
      wordsBody,
      cta: [ctaLabel, ctaUrl].filter((part) => part !== '').join('\n'),
      transport: [...(push ? [messages.push] : []), ...(email ? [messages.email] : [])].join('\n'),
      who: audienceWords(trigger),
      when: scheduleWords(trigger),
      firstDay,
    }
  }
  return <ChangedMeanwhile from={readOf(from)} now={readOf(now)} titles={messages.isNow} />
}
