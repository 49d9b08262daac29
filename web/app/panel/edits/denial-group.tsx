import { FeedbackCard } from '../project/feedback-card.tsx'
import type { Denial } from '../project/denial.ts'
import { messages as project } from '../project/messages.ts'
import { Group } from './fields.tsx'
import { messages } from './messages.ts'

/** Of this group, for what leads to it. */
export const denialGroup = 'bench-denial'

/** Why the last cut was denied: reasons, scores and words, where it is made anew. */
export const DenialGroup = ({ denial }: { denial: Denial }) => (
  <div id={denialGroup} tabIndex={-1} className="scroll-mt-4 pb-4">
    <Group title={messages.denied(denial.cut)}>
      <FeedbackCard title={project.feedbackOn(denial.cut)} {...denial} />
    </Group>
  </div>
)
