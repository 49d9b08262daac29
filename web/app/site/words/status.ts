import { inLanguage } from '../../language.ts'

export const words = inLanguage({
  en: {
    title: 'Status',
    intro: 'How the service is at this moment.',
    all: 'Everything works',
    some: 'Not everything works',
    now: 'Nothing you sent in is lost. What waits goes on by itself.',
    works: 'Works',
    waits: 'Does not work right now',
    unknown: 'This could not be found out. Load the page again in a minute.',
    asOf: 'Checked on',
    areas: {
      panel: { name: 'Website and panel', what: 'Signing in, your videos, comments and approvals' },
      uploads: { name: 'Sending in', what: 'Uploads, the recorder and downloads' },
      editing: { name: 'Editing', what: 'Checks, first cuts and finished files' },
      messages: { name: 'Mails and posts', what: 'E-mails, notifications and posts on their day' },
    },
  },
})
