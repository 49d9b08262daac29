import type { Verb } from './workflow.ts'

/** Who hears of a step: the officer, the project's editor. The one who did it is never told. */
export type Listener = 'user' | 'editor'
export type Message = { to: Listener; title: string; body: string }

/** One event, its hearers, their words. `{title}` is the project's. Verbs without a row are silent. */
export const audiences: Partial<Record<Verb, readonly Message[]>> = {
  release: [{ to: 'user', title: 'In the queue', body: '“{title}” joined the editing queue.' }],
  start: [{ to: 'user', title: 'Editing started', body: 'An editor started on “{title}”.' }],
  approve: [
    {
      to: 'user',
      title: 'Your video is ready',
      body: '“{title}” passed review. Watch it, download it or schedule it.',
    },
    { to: 'editor', title: 'Approved', body: '“{title}” passed review.' },
  ],
  deny: [{ to: 'editor', title: 'Back to you', body: '“{title}” was denied. Read the feedback and send a new cut.' }],
  review: [{ to: 'editor', title: 'Revision requested', body: 'The officer asked for a change to “{title}”.' }],
  publish: [{ to: 'user', title: 'Time to post', body: '“{title}” is due now. Download it and share it.' }],
  unschedule: [{ to: 'user', title: 'Unscheduled', body: 'The schedule of “{title}” was taken back.' }],
  cancel: [
    { to: 'user', title: 'Canceled', body: '“{title}” was canceled.' },
    { to: 'editor', title: 'Canceled', body: '“{title}” was canceled. No more work is needed.' },
  ],
  assign: [{ to: 'editor', title: 'New work for you', body: '“{title}” was assigned to you.' }],
  rollback: [{ to: 'editor', title: 'A step was undone', body: 'The last step of “{title}” was rolled back.' }],
}
