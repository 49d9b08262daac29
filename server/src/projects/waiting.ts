import { refusal } from '@clear-to-post/contract/errors'
import { monthIn } from '@clear-to-post/domain/calendar'
import {
  endsByWaiting,
  isForAdmins,
  waitingDays,
  type SubmitRefusal,
  type WaitReason,
} from '@clear-to-post/domain/plans'

/** A month as people write it: `December`, or with its year where that is another one. */
const monthName = (month: string, now: Date): string =>
  new Intl.DateTimeFormat('en-US', {
    month: 'long',
    ...(month.slice(0, 4) === monthIn(now, 'UTC').slice(0, 4) ? {} : { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(new Date(`${month}-01T00:00:00Z`))

const whyAndWhat: Record<Exclude<WaitReason, 'officer-inactive'>, { why: string; what: string }> = {
  'no-plan': { why: 'no plan runs', what: 'Choose a plan, or ask your company’s admin' },
  paused: { why: 'the plan is paused', what: 'Resume it, or ask your company’s admin' },
  unpaid: { why: 'the plan is not paid', what: 'Update the card, or ask your company’s admin' },
  'month-full': {
    why: 'the plan holds no more videos this month',
    what: 'Buy one more or take a bigger plan, or let it wait for a month with room',
  },
}

type Waiting = { title: string; submit_month: string }

const theEnd = (waits: WaitReason): string =>
  endsByWaiting(waits)
    ? ` What still waits ${waitingDays} days from now is canceled, and its files are removed a week later.`
    : ''

/**
 * What an officer is told when a video of theirs does not enter the queue with its month. `former`: its company, where they are in
 * another one by now.
 */
export const waitNotice = (waits: keyof typeof whyAndWhat, project: Waiting & { former: string | null }, now: Date) => {
  const { why, what } = whyAndWhat[waits]
  const { former } = project
  const month = monthName(project.submit_month, now)
  if (former !== null && waits === 'no-plan')
    return {
      title: `Your videos for ${month} at ${former} wait`,
      body: `“${project.title}” was sent in for ${month} for ${former}, where you are no more. So neither that company’s plan nor that of your company pays for it, and it does not join the editing queue; neither does anything else that you sent in there for that month.\n\nCancel it. If you still want it, send it in again, for the company that you are in now: it takes nothing of your videos there as long as it waits.${theEnd(waits)}`,
    }
  if (former !== null && waits === 'month-full')
    return {
      title: `Your videos for ${month} at ${former} wait`,
      body: `“${project.title}” was sent in for ${month} for ${former}, where you are no more. Only a plan of your own can pay for it, and yours holds no more videos this month beside those of your company now. So it does not join the editing queue yet.\n\nTake a bigger plan of your own, let it wait for a month with room, or cancel it. A single video that you buy now is not for it.`,
    }
  return {
    title: `Your videos for ${month} wait`,
    body: `“${project.title}” was sent in for ${month}, but ${why}. So it does not join the editing queue yet, and neither does anything else you sent in for that month and the plan does not cover.\n\n${what}. Then it goes on by itself; you do not send it in again.${theEnd(waits)}`,
  }
}

/** What a company's admins are told when videos of an officer who is disabled, or films no more, do not enter the queue. */
export const inactiveNotice = (
  officer: { name: string; is_disabled: boolean; waiting: number },
  project: Waiting,
  now: Date,
) => {
  const { name, is_disabled: isDisabled, waiting } = officer
  const month = monthName(project.submit_month, now)
  const videos = waiting === 1 ? 'One video' : `${waiting} videos`
  const why = isDisabled ? 'is disabled and cannot sign in' : 'is no loan officer any more'
  const wayBack = isDisabled
    ? 'Enable them under People, and the videos go on by themselves'
    : 'Make them a loan officer again under People, and the videos go on by themselves'
  return {
    title: `Videos of ${name} for ${month} wait`,
    body: `${videos} of ${name} for ${month} ${waiting === 1 ? 'waits' : 'wait'}, “${project.title}” for one: ${name} ${why}. ${waiting === 1 ? 'It does' : 'They do'} not join the editing queue, and your plan’s videos are there for your other officers.\n\n${wayBack}; cancel those that nobody wants.`,
  }
}

/** The refusal of whoever wants a waiting video in the queue now. */
export const waitRefusal = (waits: WaitReason, former: string | null) => {
  if (waits === 'month-full') return refusal('project.quota-used')
  if (isForAdmins(waits)) return refusal('project.officer-inactive')
  if (former !== null && waits === 'no-plan')
    return refusal(
      'project.no-plan',
      `This video was sent in for ${former}, where its officer is no more, so no plan pays for it. Cancel it; it can be sent in again as a new one.`,
    )
  const { why, what } = whyAndWhat[waits]
  return refusal('project.no-plan', `This video waits because ${why}. ${what}.`)
}

/** The refusal of a company's ADMIN who takes a step back for which something has to count again. */
export const returnRefusal = (lacks: SubmitRefusal | 'free-video') =>
  lacks === 'free-video'
    ? refusal(
        'project.no-plan',
        'The free video is used by another one of this mailbox, or of its domain, now. Cancel that one first, or choose a plan.',
      )
    : refusal(
        lacks,
        lacks === 'project.no-plan'
          ? 'No plan covers this video any more. Choose a plan first, then undo the step.'
          : lacks === 'project.payments-used'
            ? 'The plan’s payments hold no more videos. Wait for the next payment or let the officer buy one more, then undo the step.'
            : lacks === 'project.seats-used'
              ? 'The company’s plan pays for no more videos in that month. Cancel another one of that month or take more seats, then undo the step.'
              : 'The officer’s videos of that month are used up. Cancel another one of that month or take a bigger plan, then undo the step.',
      )

/** The refusal of one more video within 24 hours, in words for whoever sends it in. */
export const tooManyToday = (isOfficer: boolean) =>
  isOfficer
    ? refusal('project.too-many-today')
    : refusal(
        'project.too-many-today',
        'Twenty videos of this officer were sent in within the last 24 hours, and canceled ones count. Send the next one in when a day has passed.',
      )

/** The refusal of a new video, in words for whoever sends it in. */
export const submitRefusal = (code: SubmitRefusal, isOfficer: boolean) =>
  isOfficer || code === 'project.seats-used' || code === 'project.payments-used'
    ? refusal(code)
    : refusal(
        code,
        code === 'project.no-plan'
          ? 'This officer has no plan, and the free video is used: each mailbox has one, and all addresses of one domain have ten in 30 days. They, or their company, choose a plan first.'
          : 'This officer’s videos of that month are used up. Choose a later month, or they buy one more.',
      )
