import { useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useIsMutating, useQueryClient } from '@tanstack/react-query'
import { FileText, Scissors, TriangleAlert } from 'lucide-react'
import { edits, type Edit } from '@clear-to-post/contract/edits'
import { keyOf, useCall } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/fields.tsx'
import { Progress } from '../../ui/progress.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { useDraft } from '../project/use-draft.ts'
import { messages } from './messages.ts'

/** `onMade` is told from which words, none where they are heard in the takes. */
const useMake = (projectId: string, onMade?: (script: string) => void) => {
  const client = useQueryClient()
  const params = { projectId }
  const mutationKey = ['first cut', projectId]
  const make = useCall(edits.make, {
    mutationKey,
    onSuccess: (edit, { body }) => {
      client.setQueryData<Edit>(keyOf(edits.find, { params }), edit)
      onMade?.(body.script ?? '')
    },
    onError: toastFailure,
  })
  return {
    isPending: useIsMutating({ mutationKey }) > 0,
    make: (script?: string) => make.mutate({ params, body: script === undefined ? {} : { script } }),
  }
}

/** Before there is anything to edit: not begun, on its way, or failed with a way on. */
export const FirstCut = ({ edit, unreadable }: { edit: Edit; unreadable: boolean }) => {
  const { isPending, make } = useMake(edit.projectId)
  const isOnItsWay = edit.state === 'waiting' || edit.state === 'preparing'
  const mayMake = edit.actions.includes('make')
  const isBroken = unreadable || edit.state === 'failed'
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-5 px-4 py-8 md:py-14">
      {unreadable ? (
        <Card title={messages.unreadableTitle} text={messages.unreadableText} />
      ) : isOnItsWay ? (
        <section className="grid gap-4 rounded-card border border-line bg-surface p-5 md:p-7">
          <h2 className="text-xl">{messages.preparingTitle}</h2>
          <p className="text-muted">{messages.preparingText}</p>
          <Progress
            label={edit.stage ?? (edit.state === 'waiting' ? messages.waitsInLine : messages.preparing)}
            value={edit.state === 'waiting' ? null : (edit.progress ?? null)}
          />
        </section>
      ) : edit.state === 'failed' ? (
        <Card
          icon={<TriangleAlert aria-hidden className="size-6 text-danger" />}
          title={messages.firstCutFailed}
          text={edit.reason ?? messages.firstCutFailedText}
        />
      ) : (
        <Card
          icon={<Scissors aria-hidden className="size-6 text-muted" />}
          title={messages.noCutTitle}
          text={messages.noCutText}
        >
          {mayMake && (
            <Button
              variant="primary"
              size="large"
              icon={<Scissors aria-hidden />}
              isPending={isPending}
              onPress={() => make()}
            >
              {messages.makeFirstCut}
            </Button>
          )}
        </Card>
      )}
      {!isOnItsWay && mayMake && (
        <WordsForm
          projectId={edit.projectId}
          script={edit.script}
          title={isBroken ? messages.giveWords : messages.orGiveWords}
          isMain={isBroken}
        />
      )}
      {!mayMake && !isOnItsWay && <p className="text-center text-muted">{messages.onlyEditor}</p>}
    </div>
  )
}

const Card = ({
  icon,
  title,
  text,
  children,
}: {
  icon?: React.ReactNode
  title: string
  text: string
  children?: React.ReactNode
}) => (
  <section className="grid justify-items-center gap-3 rounded-card border border-line bg-surface p-6 text-center md:p-8">
    {icon}
    <h2 className="text-xl">{title}</h2>
    <p className="max-w-md text-muted">{text}</p>
    {children && <div className="mt-2">{children}</div>}
  </section>
)

type WordsFormProps = {
  projectId: string
  script: string
  title: string
  isMain: boolean
  /** It is being made, and nothing else was written meanwhile. */
  onMade?: () => void
}

const draftOf = (projectId: string): string => `what is said ${projectId}`

/** What is said, typed or from a caption file; the times are found from the sound. */
export const WordsForm = ({ projectId, script, title, isMain, onMade }: WordsFormProps) => {
  const [text, setText, sent] = useDraft(draftOf(projectId), script)
  const { isPending, make } = useMake(projectId, (pressed) => {
    if (sent(pressed) === null) onMade?.()
  })
  const [problem, setProblem] = useState<string>()
  const read = async (file: File) => {
    if (file.size > 500_000) return setProblem(messages.fileTooLarge)
    const found = await file.text()
    if (found.includes('\u0000')) return setProblem(messages.fileNoText)
    setProblem(undefined)
    setText(found.slice(0, 60_000))
  }
  return (
    <form
      aria-label={title}
      className="grid gap-3 rounded-card border border-line bg-surface p-5 md:p-7"
      onSubmit={(event) => {
        event.preventDefault()
        make(text)
      }}
    >
      <h2 className="text-lg">{title}</h2>
      <TextArea
        label={messages.whatIsSaid}
        value={text}
        onChange={(next) => {
          setProblem(undefined)
          setText(next)
        }}
        rows={8}
        maxLength={60_000}
        hint={messages.whatIsSaidHint}
        error={problem}
      />
      <div className="flex flex-wrap gap-2">
        <FileTrigger
          acceptedFileTypes={['.txt', '.srt', '.vtt', 'text/plain', 'text/vtt']}
          onSelect={(files) => files?.[0] && void read(files[0])}
        >
          <Button icon={<FileText aria-hidden />}>{messages.importFile}</Button>
        </FileTrigger>
        <Button
          type="submit"
          variant={isMain ? 'primary' : 'secondary'}
          className="ml-auto"
          isPending={isPending}
          isDisabled={text.trim() === ''}
        >
          {messages.makeWithWords}
        </Button>
      </div>
    </form>
  )
}
