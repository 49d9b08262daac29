import { Link } from '@tanstack/react-router'
import type { Person } from '@clear-to-post/contract/accounts'
import { projects } from '@clear-to-post/contract/projects'
import { hasDuty } from '@clear-to-post/domain/roles'
import { usePages } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { Listed } from '../../ui/listed.tsx'
import { ProjectRow, ProjectRows, ProjectRowsLoading } from '../project/project-row.tsx'
import { Card } from './card.tsx'
import { messages } from './messages.ts'

/** An officer's videos, or what somebody edits; the newest change first. */
export const VideosCard = ({ person: { id, role } }: { person: Person }) => {
  const isOfficer = hasDuty(role, 'film')
  const isEditor = hasDuty(role, 'edit')
  const { rooms } = useUser()
  const list = usePages(
    projects.list,
    { perPage: 5, orderBy: 'modified:desc', wheres: [`${isOfficer ? 'userId' : 'editorId'}:eq:${id}`] },
    { enabled: isOfficer || isEditor },
  )
  if (!isOfficer && !isEditor) return null
  return (
    <Card
      id="videos"
      title={isOfficer ? messages.videos : messages.edits}
      more={
        isEditor &&
        rooms.includes('board') && (
          <Link to={paths.board} search={{ view: 'list', editor: id }} className="underline underline-offset-2">
            {messages.allVideos}
          </Link>
        )
      }
    >
      <Listed
        list={list}
        failed={messages.videosFailed}
        isSmall
        loading={<ProjectRowsLoading count={2} />}
        empty={<p className="text-muted">{messages.noVideos}</p>}
      >
        {(items) => (
          <ProjectRows items={items}>
            {(project) => <ProjectRow project={project} showOfficer={!isOfficer} />}
          </ProjectRows>
        )}
      </Listed>
    </Card>
  )
}
