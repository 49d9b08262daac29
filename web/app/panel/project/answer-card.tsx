import { useRef, useState } from 'react'
import { Slider, SliderOutput, SliderThumb, SliderTrack } from 'react-aria-components/Slider'
import { Label } from 'react-aria-components/Label'
import { toast } from 'sonner'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { useCall } from '../../api.ts'
import { agoWords } from '../../times.ts'
import { cx } from '../../ui/cx.ts'
import { Button } from '../../ui/button.tsx'
import { labelLook, TextArea } from '../../ui/fields.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { useOutcome } from './act.ts'
import { messages } from './messages.ts'
import { useDraft } from './use-draft.ts'

/** The question after a finished video, to its officer where they want to be asked; the answer, to everybody who works on it. */
export const AnswerCard = ({ project }: { project: Project }) => {
  const [isOpen, setOpen] = useState(false)
  const { answer, asksAnswer } = project
  if (asksAnswer && (answer === undefined || isOpen)) return <Question project={project} onOpen={setOpen} />
  if (!answer) return null
  return (
    <section aria-labelledby="answer" className="grid gap-1.5 rounded-card border border-line bg-surface p-4 md:px-5">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id="answer" className="text-base">
          {asksAnswer ? messages.answerByYou : messages.answerByOfficer}
        </h2>
        <span className="figures font-medium">{messages.answerOf(answer.score)}</span>
        <span className="text-[0.8125rem] text-muted">{agoWords(answer.at)}</span>
        {asksAnswer && (
          <Button size="small" variant="quiet" className="ml-auto" onPress={() => setOpen(true)}>
            {messages.answerChange}
          </Button>
        )}
      </div>
      {answer.words && <p className="max-w-prose [overflow-wrap:anywhere] whitespace-pre-line">{answer.words}</p>}
    </section>
  )
}

/** Where the slider stands before anything is chosen; it is no answer. */
const middle = 5

type QuestionProps = {
  project: Project
  /** Whether it stands there also once it is answered. */
  onOpen: (isOpen: boolean) => void
}

const Question = ({ project: { id: projectId, answer: before }, onOpen }: QuestionProps) => {
  const start = { score: before?.score ?? null, words: before?.words ?? '' }
  const [{ score, words }, setDraft, sent] = useDraft(`rating ${projectId}`, start)
  const [isMissed, setMissed] = useState(false)
  const slider = useRef<HTMLInputElement>(null)
  const choose = (chosen: number | number[]) => {
    if (typeof chosen !== 'number') return
    setDraft({ score: chosen, words })
    setMissed(false)
  }
  const send = () => {
    if (score !== null) return answer.mutate({ params: { projectId }, body: { score, words } })
    setMissed(true)
    slider.current?.focus()
  }
  const { keep } = useOutcome()
  const answer = useCall(projects.answer, {
    onMutate: () => ({ score, words }),
    onSuccess: (fresh, _, pressed) => {
      keep(fresh)
      toast.success(messages.answerThanks)
      onOpen(sent(pressed) !== null)
    },
    onError: toastFailure,
  })
  return (
    <section aria-labelledby="question" className="grid gap-4 rounded-card border border-line bg-surface p-4 md:p-5">
      <div>
        <h2 id="question" className="text-base">
          {messages.answerTitle}
        </h2>
        <p className="text-muted">{messages.answerText}</p>
      </div>
      <Slider
        value={score ?? middle}
        onChange={choose}
        onChangeEnd={choose}
        minValue={0}
        maxValue={10}
        className="grid grid-cols-[1fr_auto] items-center gap-x-3"
      >
        <Label className={labelLook}>{messages.answerScore}</Label>
        <SliderOutput className="figures font-medium">
          {score === null ? messages.answerNone : messages.answerOf(score)}
        </SliderOutput>
        <SliderTrack className="relative col-span-2 mx-3 h-11 before:absolute before:inset-x-0 before:top-1/2 before:h-1 before:-translate-y-1/2 before:rounded-full before:bg-edge">
          <SliderThumb
            inputRef={slider}
            {...(isMissed ? { 'aria-describedby': 'answer-missed' } : {})}
            className={cx(
              'top-1/2 size-6 rounded-full border-2 outline-offset-2 data-focus-visible:outline-2 data-focus-visible:outline-primary',
              score === null ? 'border-edge bg-surface' : 'border-surface bg-primary',
            )}
          />
        </SliderTrack>
        {isMissed && (
          <p id="answer-missed" role="alert" className="col-span-2 text-[0.8125rem] text-danger">
            {messages.answerMissed}
          </p>
        )}
      </Slider>
      <TextArea
        label={messages.answerWords}
        rows={2}
        maxLength={2000}
        value={words}
        onChange={(text) => setDraft({ score, words: text })}
        isRequired={false}
      />
      <Button variant="primary" className="justify-self-start" isPending={answer.isPending} onPress={send}>
        {messages.answerSend}
      </Button>
    </section>
  )
}
