import { messages } from './messages.ts'

/** What is offered on a day `YYYY-MM-DD`, in days from it: each another one, whatever weekday it is. */
export const quickChoices = (day: string): { label: string; days: number }[] => {
  const toMonday = (8 - new Date(day).getUTCDay()) % 7 || 7
  return [
    { label: messages.quickTomorrow, days: 1 },
    ...(toMonday > 1 && toMonday < 7 ? [{ label: messages.quickMonday, days: toMonday }] : []),
    { label: messages.quickWeek, days: 7 },
  ]
}
