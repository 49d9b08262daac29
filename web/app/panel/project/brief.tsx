import { useState } from 'react'
import { Download, ExternalLink, FileArchive, FileVideo } from 'lucide-react'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { captionStyles } from '@clear-to-post/domain/captions'
import { send } from '../../api.ts'
import { useUser } from '../../session.ts'
import { clockWords, dayWords, monthWords, sizeWords } from '../../times.ts'
import { AnchorButton, Button } from '../../ui/button.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { denialOf, lastOf, revisionOf } from './denial.ts'
import { FeedbackCard } from './feedback-card.tsx'
import { messages } from './messages.ts'
import { sourcesOf } from './playable-media.ts'
import { Status } from '@clear-to-post/domain/workflow'

/** What was asked for: feedback and revision first while they count, then the officer's words and files. */
export const Brief = ({ project }: { project: Project }) => {
  const user = useUser()
  const denial = denialOf(project)
  const revision = revisionOf(project)
  const facts = [
    [messages.captions, captionStyles[project.captionStyle].label],
    [messages.spelling, project.captionSuggestion],
    [messages.officer, project.userName],
    [messages.ofCompany, project.tenantName],
    [messages.editor, project.editorName],
    [messages.house, project.tour && tourWords(project.tour)],
    [messages.bRoll, project.kit?.bRoll],
    [messages.month, monthWords(project.submitMonth) + (project.isFree ? ` · ${messages.free}` : '')],
  ] as const
  return (
    <div className="grid grid-cols-1 gap-5">
      {denial && <FeedbackCard title={messages.feedbackOn(denial.cut)} {...denial} />}
      {revision && (
        <section aria-labelledby="revision-asked" className="border-l-2 border-revisioning pl-3.5">
          <h3 id="revision-asked" className="text-sm">
            {lastOf(project, 'review', 'actorId') === user.id ? messages.revisionAskedByYou : messages.revisionAsked}
          </h3>
          <p className="mt-0.5 [overflow-wrap:anywhere] whitespace-pre-line">{revision.words}</p>
        </section>
      )}
      <section>
        <h3 className="text-sm">{messages.instructions}</h3>
        {project.instructions ? (
          <p className="mt-1 max-w-prose [overflow-wrap:anywhere] whitespace-pre-line">{project.instructions}</p>
        ) : (
          <p className="mt-1 text-muted">{messages.noInstructions}</p>
        )}
      </section>
      <dl className="grid border-b border-line">
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name} className="flex gap-4 border-t border-line py-2">
                <dt className="w-24 shrink-0 text-muted">{name}</dt>
                <dd className="min-w-0 [overflow-wrap:anywhere] whitespace-pre-line">{value}</dd>
              </div>
            ),
        )}
      </dl>
      <KitLinks project={project} />
      <Sources project={project} />
    </div>
  )
}

const tourWords = ({ address, price, beds, baths }: NonNullable<Project['tour']>): string =>
  [address, price, beds && messages.beds(beds), baths && messages.baths(baths)].filter(Boolean).join(' · ')

/** Where the officer is seen elsewhere, and what their company wants. */
const KitLinks = ({ project: { kit = {} } }: { project: Project }) => {
  const links = [
    [messages.guidelines, kit.guidelinesUrl],
    [messages.facebook, kit.facebookLink],
    [messages.instagram, kit.instagramLink],
  ] as const
  return (
    links.some(([, to]) => to) && (
      <section aria-labelledby="kit">
        <h3 id="kit" className="text-sm">
          {messages.kit}
        </h3>
        <ul className="mt-1 grid gap-1">
          {links.map(
            ([label, to]) =>
              to && (
                <li key={label}>
                  <a
                    href={to}
                    target="_blank"
                    rel="noreferrer"
                    className="touch inline-flex items-center gap-1.5 text-primary-text underline underline-offset-2"
                  >
                    {label}
                    <ExternalLink aria-hidden className="size-3.5" />
                  </a>
                </li>
              ),
          )}
        </ul>
      </section>
    )
  )
}

const Sources = ({ project }: { project: Project }) => {
  const sources = sourcesOf(project)
  return (
    <section aria-labelledby="sources" className="grid grid-cols-1 gap-1">
      <div className="flex items-center gap-3">
        <h3 id="sources" className="mr-auto text-sm">
          {messages.sources}
        </h3>
        {sources.length > 1 && <Zip projectId={project.id} />}
      </div>
      {sources.length === 0 ? (
        <p className="text-muted">{messages.noSources}</p>
      ) : (
        <ul className="divide-y divide-line">
          {sources.map((asset) => (
            <li key={asset.assetId} className="flex items-center gap-3 py-2">
              <FileVideo aria-hidden className="size-5 shrink-0 text-muted" />
              <div className="min-w-0 flex-1">
                <p className="truncate" title={asset.fileName}>
                  {asset.fileName}
                </p>
                <p className="figures text-[0.8125rem] text-muted">
                  {[asset.duration !== undefined && clockWords(asset.duration), sizeWords(asset.fileSize)]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
                {asset.error && <p className="text-[0.8125rem] text-danger">{asset.error}</p>}
              </div>
              {asset.assetUrl && (
                <AnchorButton
                  href={asset.assetUrl}
                  download={asset.fileName}
                  variant="quiet"
                  size="small"
                  aria-label={messages.downloadFile(asset.fileName)}
                  icon={<Download aria-hidden />}
                >
                  {messages.download}
                </AnchorButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {project.expirationTimestamp && sources.length > 0 && (
        <p className="text-[0.8125rem] text-muted">
          {(project.status === Status.canceled ? messages.expiresCanceled : messages.expires)(
            dayWords(project.expirationTimestamp),
          )}
        </p>
      )}
    </section>
  )
}

// The address is signed and short-lived, so it is asked for at the press.
const Zip = ({ projectId }: { projectId: string }) => {
  const [isAsking, setAsking] = useState(false)
  const press = async () => {
    setAsking(true)
    try {
      const { url } = await send(projects.sources, { params: { projectId } })
      const link = document.createElement('a')
      link.href = url
      link.download = ''
      link.click()
    } catch (error) {
      toastFailure(error)
    } finally {
      setAsking(false)
    }
  }
  return (
    <Button size="small" icon={<FileArchive aria-hidden />} isPending={isAsking} onPress={() => void press()}>
      {messages.asZip}
    </Button>
  )
}
