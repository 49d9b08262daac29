import { useEffect, useEffectEvent, useState } from 'react'
import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Scissors, Send, Upload } from 'lucide-react'
import { toast } from 'sonner'
import type { Project } from '@clear-to-post/contract/projects'
import { workflow } from '@clear-to-post/domain/workflow'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { whenWords } from '../../times.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { useWaiting } from '../assets/follow.ts'
import { startUpload } from '../assets/uploads.ts'
import { WaitingRow } from '../assets/waiting-row.tsx'
import { useTellWhenLeft } from '../tell-when-left.ts'
import type { Act } from './act.ts'
import { cutToSend } from './cut-to-send.ts'
import { messages } from './messages.ts'

type CutPanelProps = {
  project: Project
  act: Act
  /** Files that were approved or denied as cuts: none of them is sent again. */
  judged: ReadonlySet<string>
  /** With the number of the cut that was sent. */
  onSent: (cut: number | undefined) => void
}

/** The finished cut: upload it, then send it to approval. Pressed early, it goes as soon as the file is ready. */
export const CutPanel = ({ project, act, judged, onSent }: CutPanelProps) => {
  const { items } = useWaiting()
  const cuts = items.filter(
    ({ upload, asset }) =>
      (upload?.projectId ?? asset?.projectId) === project.id && !judged.has(asset?.assetId ?? upload?.assetId ?? ''),
  )
  const { newest, whyNot } = cutToSend(cuts)
  const hopeful = newest !== undefined && whyNot === null
  const ready = hopeful && newest.phase === 'ready' ? newest : undefined
  const user = useUser()
  const maySend = project.actions.includes('send')
  const others = project.unsentCuts?.filter(({ authorId }) => authorId !== user.id) ?? []
  /** The key of the file that was the newest when it was pressed. */
  const [waitsFor, setWaitsFor] = useState<string | null>(null)
  const waits = waitsFor !== null

  const send = () => {
    setWaitsFor(null)
    if (ready?.asset) act.send(ready.asset.assetId, { onSuccess: ({ currentCut }) => onSent(currentCut) })
  }
  const sendNow = useEffectEvent(send)
  const isReady = ready !== undefined
  // What was waited for may turn out to be B-roll: an older cut does not go in its place by itself.
  const isOlder = newest !== undefined && cuts.indexOf(newest) < cuts.findIndex(({ key }) => key === waitsFor)
  useEffect(() => {
    if (!waits) return
    if (!hopeful || isOlder) setWaitsFor(null)
    else if (isReady) sendNow()
  }, [waits, hopeful, isOlder, isReady])
  useTellWhenLeft(waits, () => toast.warning(messages.leftCut(project.title)))

  const take = (file: File) => void startUpload(file, { projectId: project.id })
  return (
    <div className="grid gap-3 border-t border-line p-4 md:p-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line pb-4">
        <LinkButton
          to={paths.workbench}
          params={{ projectId: project.id }}
          variant="primary"
          size="large"
          icon={<Scissors aria-hidden />}
        >
          {messages.openWorkbench}
        </LinkButton>
        <p className="basis-40 flex-1 text-[0.8125rem] text-muted">{messages.workbenchText}</p>
      </div>
      {others.length > 0 && (
        <section aria-labelledby="unsent" className="grid gap-2 border-b border-line pb-4">
          <div>
            <h3 id="unsent" className="text-base">
              {messages.unsentTitle}
            </h3>
            <p className="text-muted">{messages.unsentText}</p>
          </div>
          <ul className="divide-y divide-line border-y border-line">
            {others.map(({ assetId, fileName, uploadedAt, isOlder }) => (
              <li key={assetId} className="flex flex-wrap items-center gap-2 py-2">
                <span className="min-w-0 flex-1 basis-40 [overflow-wrap:anywhere]">
                  {messages.unsentName(fileName, whenWords(uploadedAt))}
                  {isOlder && <span className="block text-[0.8125rem] text-muted">{messages.unsentOlder}</span>}
                </span>
                <Button
                  size="small"
                  icon={<Send aria-hidden />}
                  aria-label={messages.sendThis(fileName)}
                  isDisabled={act.pending !== null}
                  onPress={() =>
                    act.send(assetId, { onSuccess: ({ currentCut }) => onSent(currentCut) }, { olderIsMeant: isOlder })
                  }
                >
                  {workflow.send.label}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div>
        <h3 className="text-base">{messages.cutTitle}</h3>
        <p className="text-muted">{messages.cutText}</p>
      </div>
      {cuts.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {cuts.map((item) => (
            <li key={item.key}>
              <WaitingRow
                item={item}
                action={
                  cuts.length > 1 && (
                    <p className="text-[0.8125rem] text-muted">
                      {item !== newest || whyNot !== null
                        ? messages.cutStays
                        : maySend
                          ? messages.cutGoes
                          : messages.cutByOther}
                    </p>
                  )
                }
              />
            </li>
          ))}
        </ul>
      )}
      <DropZone
        aria-label={messages.cutDrop}
        getDropOperation={() => 'copy'}
        onDrop={({ items: dropped }) => {
          const file = dropped.find((item) => item.kind === 'file')
          if (file?.kind === 'file') void file.getFile().then(take)
        }}
        className="flex flex-wrap items-center gap-3 rounded-control border border-dashed border-edge p-3 data-drop-target:border-primary data-drop-target:bg-primary-tint"
      >
        <FileTrigger
          acceptedFileTypes={['video/*', '.mp4', '.mov', '.m4v', '.mkv', '.webm']}
          onSelect={(files) => files?.[0] && take(files[0])}
        >
          <Button icon={<Upload aria-hidden />} variant="secondary">
            {cuts.length === 0 ? messages.cutChoose : messages.cutAnother}
          </Button>
        </FileTrigger>
        <p aria-hidden className="hidden text-muted pointer-fine:block">
          {messages.cutDrop}
        </p>
      </DropZone>
      <div className={cx('flex flex-wrap items-center gap-x-3 gap-y-2', !maySend && 'hidden')}>
        <Button
          variant="primary"
          size="large"
          icon={<Send aria-hidden />}
          isPending={act.pending === 'send' || waits}
          isDisabled={!hopeful}
          onPress={() => (ready ? send() : setWaitsFor(newest?.key ?? null))}
        >
          {workflow.send.label}
        </Button>
        {waits && (
          <Button variant="quiet" onPress={() => setWaitsFor(null)}>
            {messages.dontSend}
          </Button>
        )}
        <p role="status" className="basis-40 flex-1 text-[0.8125rem] text-muted">
          {waits ? messages.willSend : whyNot}
        </p>
      </div>
    </div>
  )
}
