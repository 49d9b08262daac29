import type { SetUpStep } from '@clear-to-post/domain/tenants'
import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    title: 'Set up your company',
    done: (n: number, of: number) => `${n} of ${of} done`,
    isDone: '(done)',
    hide: 'Hide these steps',
    hidden: 'The steps are hidden. They stay on the page of your company.',
    show: 'Show the steps',
    steps: {
      officers: 'Invite your officers',
      brand: 'Add your brand kit',
      licences: 'Enter your licenses',
      plan: 'Choose a plan',
      video: 'Send in the first video',
      approval: 'Approve the first video',
    } satisfies Record<SetUpStep, string>,
    why: {
      officers: 'By e-mail, several at once, or by a link.',
      brand: 'Logo and colors stand on every closing card.',
      licences: 'NMLS number and states, for cards and captions.',
      plan: 'It says how many videos a month, and how fast.',
      video: 'An officer films it, or you send in a file for one.',
      approval: 'You see it before anybody posts it.',
    } satisfies Record<SetUpStep, string>,
  },
})
