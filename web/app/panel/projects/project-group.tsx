import type { Project } from '@clear-to-post/contract/projects'
import { GroupHead } from '../../ui/group-head.tsx'
import type { GroupName } from './groups.ts'
import { messages } from './messages.ts'
import { ProjectCard } from './project-card.tsx'

/** The videos of one group under its name; nothing where there is none. */
export const ProjectGroup = ({ name, videos }: { name: GroupName; videos: readonly Project[] }) =>
  videos.length > 0 && (
    <section aria-labelledby={`group-${name}`}>
      <GroupHead id={`group-${name}`} title={messages.groups[name]} count={videos.length} />
      <ul className={projectGrid}>
        {videos.map((project) => (
          <li key={project.id}>
            <ProjectCard project={project} />
          </li>
        ))}
      </ul>
    </section>
  )

export const projectGrid = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-3'
