/** What the service does after it has answered, by kind; server/src/kernel/queue.ts says what a job of each is told. */
export const jobKinds = [
  'project-event',
  'notice',
  'ingest',
  'first-cut',
  'render',
  'render-ahead',
  'mail',
  'push',
  'post',
  'post-upload',
  'post-file',
  'post-comment',
  'figures',
  'webhook',
  'payment',
  'endSubscription',
  'seats',
  'payer-standing',
  'surplus',
  'refund',
  'left-work',
  'erase',
  'end-grant',
  'export',
] as const
export type JobKind = (typeof jobKinds)[number]

/** What may be done with a job that used up its tries. */
export const givenUpActs = ['send-again', 'let-rest'] as const
export type GivenUpAct = (typeof givenUpActs)[number]
