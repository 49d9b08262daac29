import { endGrantJob, eraseJob, exportJob } from '../personal-data/jobs.ts'
import { ingestJob } from '../assets/jobs.ts'
import { firstCutJob, renderAheadJob, renderJob } from '../edits/jobs.ts'
import { codeToSend } from '../identity/actions.ts'
import { invitationToSend } from '../invitations/actions.ts'
import { mailJob } from '../mail/jobs.ts'
import { noticeJob, projectEventJob } from '../notifications/jobs.ts'
import { leftWorkJob } from '../projects/jobs.ts'
import { figuresJob, postCommentJob, postFileJob, postJob, postUploadJob } from '../publishing/jobs.ts'
import { pushJob } from '../push/jobs.ts'
import { endSubscriptionJob, payerChangedJob, paymentJob, seatsJob, surplusJob } from '../subscriptions/jobs.ts'
import { refundJob } from '../subscriptions/refunds.ts'
import { webhookJob } from '../webhooks/jobs.ts'
import type { JobName } from '../kernel/queue.ts'
import type { Job } from '../kernel/work.ts'

/** Who does which job: exactly one for each, or this does not compile. */
export const registry = {
  'project-event': projectEventJob,
  notice: noticeJob,
  ingest: ingestJob,
  'first-cut': firstCutJob,
  render: renderJob,
  'render-ahead': renderAheadJob,
  mail: mailJob({ codeToSend, invitationToSend }),
  push: pushJob,
  post: postJob,
  'post-upload': postUploadJob,
  'post-comment': postCommentJob,
  'post-file': postFileJob,
  figures: figuresJob,
  webhook: webhookJob,
  payment: paymentJob,
  endSubscription: endSubscriptionJob,
  seats: seatsJob,
  'payer-standing': payerChangedJob,
  surplus: surplusJob,
  refund: refundJob,
  'left-work': leftWorkJob,
  erase: eraseJob,
  'end-grant': endGrantJob,
  export: exportJob,
} satisfies { [Name in JobName]: Job<Name> }
