import { useEffect } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { Clapperboard, Plus } from 'lucide-react'
import { projects } from '@clear-to-post/contract/projects'
import { usePages } from '../../api.ts'
import { PageLoading } from '../../page-states.tsx'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { CardsLoading } from '../../ui/listed.tsx'
import { homeOf } from '../entries.ts'
import { ListPage } from '../list-page.tsx'
import { FirstVideo } from './first-video.tsx'
import { groupNames, groupOf } from './groups.ts'
import { messages } from './messages.ts'
import { ProjectCardSkeleton } from './project-card.tsx'
import { projectGrid, ProjectGroup } from './project-group.tsx'

/** Where the panel opens: the officer's videos; staff go on to their own first page. */
export const ProjectsPage = () => {
  const first = homeOf(useUser())
  const navigate = useNavigate()
  useEffect(() => {
    if (first !== paths.panel) void navigate({ to: first, replace: true })
  }, [first, navigate])
  return first === paths.panel ? <MyVideos /> : <PageLoading />
}

const MyVideos = () => (
  <ListPage
    words={messages}
    icon={Clapperboard}
    create={
      <LinkButton to={paths.newVideo} variant="primary" icon={<Plus aria-hidden />} className="max-md:hidden">
        {messages.newVideo}
      </LinkButton>
    }
    list={usePages(projects.list, { perPage: 60, orderBy: 'modified:desc' })}
    loading={
      <CardsLoading grid={projectGrid}>
        <ProjectCardSkeleton />
      </CardsLoading>
    }
    empty={<FirstVideo />}
    className="mx-auto gap-8 py-5"
  >
    {(videos) =>
      groupNames.map((name) => (
        <ProjectGroup key={name} name={name} videos={videos.filter((project) => groupOf(project) === name)} />
      ))
    }
  </ListPage>
)
