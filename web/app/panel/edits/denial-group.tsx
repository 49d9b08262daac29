import { FeedbackCard } from '../project/feedback-card.tsx'
import type { Denial, Revision } from '../project/denial.ts'
import { messages as project } from '../project/messages.ts'
import { Group } from './fields.tsx'
import { messages } from './messages.ts'

/** Of these groups, for what leads to them. */
export const denialGroup = 'bench-denial'
export const revisionGroup = 'bench-revision'

/** Why the last cut was denied: reasons, scores and words, where it is made anew. */
export const DenialGroup = ({ denial }: { denial: Denial }) => (
  <div id={denialGroup} tabIndex={-1} className="scroll-mt-4 pb-4">
    <Group title={messages.denied(denial.cut)}>
      <FeedbackCard title={project.feedbackOn(denial.cut)} {...denial} />
    </Group>
  </div>
)

/** What was asked to be changed on the approved cut, where it is made anew. */
export const RevisionGroup = ({ revision: { cut, words } }: { revision: Revision }) => (
  <div id={revisionGroup} tabIndex={-1} className="scroll-mt-4 pb-4">
    <Group title={messages.askedFor(cut)}>
      <p className="border-l-2 border-revisioning pl-3.5 [overflow-wrap:anywhere] whitespace-pre-line">{words}</p>
    </Group>
  </div>
)
