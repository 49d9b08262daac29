import { projects, type Project } from '@clear-to-post/contract/projects'
import { usePages } from '../../api.ts'
import { agoWords } from '../../times.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import { ProjectRow, ProjectRows } from '../project/project-row.tsx'
import { messages } from './messages.ts'

/** What officers say of their finished videos, newest first. Nothing where nobody has said anything yet. */
export const Answers = () => {
  const list = usePages(projects.list, { perPage: 10, orderBy: 'answered:desc', wheres: ['answerScore:gte:0'] })
  if (!list.items || list.items.length === 0) return null
  return (
    <section aria-labelledby="answers" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="answers" className="text-base">
        {messages.answers}
      </h2>
      <ProjectRows items={list.items}>
        {(project) => <ProjectRow project={project} showStatus={false} note={<Said project={project} />} />}
      </ProjectRows>
      <MoreButton list={list} />
    </section>
  )
}

const Said = ({ project: { answer } }: { project: Project }) =>
  answer && (
    <p className="mt-1 max-w-prose [overflow-wrap:anywhere]">
      <span className="figures font-medium">{messages.answerOf(answer.score)}</span>{' '}
      <span className="text-[0.8125rem] text-muted">{agoWords(answer.at)}</span>
      {answer.words && <span className="block whitespace-pre-line">{answer.words}</span>}
    </p>
  )
