import { useEffect } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { usePages } from '../../api.ts'
import { PageLoading } from '../../page-states.tsx'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { homeOf } from '../entries.ts'
import { ListPage } from '../list-page.tsx'
import { groupNames, groupOf, type GroupName } from './groups.ts'
import { messages } from './messages.ts'
import { ProjectCard, ProjectCardSkeleton } from './project-card.tsx'

/** Where the panel opens: the officer's videos; staff go on to their own first page. */
export const ProjectsPage = () => {
  const first = homeOf(useUser())
  const navigate = useNavigate()
  useEffect(() => {
    if (first !== paths.panel) void navigate({ to: first, replace: true })
  }, [first, navigate])
  return first === paths.panel ? <MyVideos /> : <PageLoading />
}

const MyVideos = () => {
  const list = usePages(projects.list, { perPage: 60, orderBy: 'modified:desc' })
  return (
    <ListPage
      title={messages.title}
      create={
        <LinkButton to={paths.newVideo} variant="primary" icon={<Plus aria-hidden />} className="max-md:hidden">
          {messages.newVideo}
        </LinkButton>
      }
      list={list}
      failed={messages.failed}
      loading={
        <>
          <Skeleton className="mb-3 h-6 w-28" />
          <div className={grid}>
            {[0, 1, 2, 3, 4, 5].map((card) => (
              <ProjectCardSkeleton key={card} />
            ))}
          </div>
        </>
      }
      empty={<FirstVideo />}
      className="gap-8 py-5"
    >
      {(videos) =>
        groupNames.map((name) => (
          <Group key={name} name={name} videos={videos.filter((project) => groupOf(project) === name)} />
        ))
      }
    </ListPage>
  )
}

const Group = ({ name, videos }: { name: GroupName; videos: readonly Project[] }) =>
  videos.length > 0 && (
    <section aria-labelledby={`group-${name}`}>
      <div className="mb-3 flex items-center gap-2.5">
        <h2 id={`group-${name}`} className="text-base">
          {messages.groups[name]}
        </h2>
        <span className="figures text-muted">{videos.length}</span>
        <span aria-hidden className="ruler ml-1 h-2 flex-1 self-end" />
      </div>
      <ul className={grid}>
        {videos.map((project) => (
          <li key={project.id}>
            <ProjectCard project={project} />
          </li>
        ))}
      </ul>
    </section>
  )

const FirstVideo = () => (
  <section className="mx-auto grid w-full max-w-2xl justify-items-center gap-4 py-[min(8dvh,4rem)] text-center">
    <h2 className="text-3xl font-bold">{messages.emptyTitle}</h2>
    <p className="max-w-md text-base text-muted">{messages.emptyText}</p>
    <LinkButton to={paths.newVideo} variant="primary" size="large" icon={<Plus aria-hidden />} className="mt-1">
      {messages.newVideo}
    </LinkButton>
    <ol className="mt-8 grid w-full text-left sm:grid-cols-3">
      {messages.steps.map((step, place) => (
        <li key={step} className="relative pr-6 pb-6">
          <span aria-hidden className="ruler block h-3" />
          <span aria-hidden className="absolute top-0 left-0 h-4 w-0.5 bg-coral" />
          <span className="figures mt-2 block font-mono text-xs text-muted">0{place + 1}</span>
          <span className="font-medium">{step}</span>
        </li>
      ))}
    </ol>
  </section>
)

const grid = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-3'
