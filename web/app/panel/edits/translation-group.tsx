import { useMemo } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Download, Trash2, Upload } from 'lucide-react'
import { toast } from 'sonner'
import { keepTranslation, setTranslation, showTranslation, translate } from '@clear-to-post/edit/commands/translation'
import type { Timeline } from '@clear-to-post/edit/timeline'
import {
  isOutdated,
  linesOfCues,
  longestLine,
  sentencesHeard,
  translationLanguages,
  translationOf,
  type Sentence,
} from '@clear-to-post/edit/translation'
import { Button } from '../../ui/button.tsx'
import { clock } from '../../ui/player-time.ts'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { DrawnArea, Group } from './fields.tsx'
import { messages } from './messages.ts'
import { atFrame } from './timeline-player.ts'
import type { Workbench } from './use-bench.ts'
import { translationWords as words } from './words/translation.ts'

type Props = {
  bench: Workbench
  timeline: Timeline
  project: { id: string; title: string }
  seek: (seconds: number) => void
}

/** The captions in a second language: sentence by sentence by hand, or from a translator's file. */
export const TranslationGroup = ({ bench, timeline, project, seek }: Props) => {
  const { recipe, change, mayWrite } = bench
  const { translation } = recipe
  const sentences = useMemo(() => onceEach(sentencesHeard(recipe, timeline)), [recipe, timeline])
  const done = sentences.filter((one) => translationOf(recipe, one) && !isOutdated(recipe, one)).length
  const name = translation && words.languages[translation.language]
  return (
    <Group title={words.title}>
      {!translation && <p className="text-[0.8125rem] text-muted">{words.explain}</p>}
      <Select
        label={words.language}
        placeholder={words.choose}
        value={translation?.language ?? null}
        isDisabled={!mayWrite}
        options={translationLanguages.map((value) => ({ value, label: words.languages[value] }))}
        onChange={(language) => change(words.did.begun(words.languages[language]), setTranslation(language))}
      />
      {translation && name && (
        <>
          <Switch
            isSelected={translation.inPicture}
            isDisabled={!mayWrite}
            onChange={(on) => change(on ? words.did.shown(name) : words.did.hidden, showTranslation(on))}
          >
            {words.inPicture(name)}
          </Switch>
          <p role="status" className="figures text-[0.8125rem] text-muted">
            {sentences.length === 0 ? words.noSentences : words.progress(done, sentences.length)}
          </p>
          {sentences.length > 0 && <Files bench={bench} timeline={timeline} project={project} />}
          <ol className="grid gap-4">
            {sentences.map((sentence) => (
              <li key={sentence.id} className="grid gap-1.5">
                <Line
                  bench={bench}
                  sentence={sentence}
                  onJump={() => seek(atFrame(sentence.from, timeline.fps))}
                  at={clock(atFrame(sentence.from, timeline.fps))}
                />
              </li>
            ))}
          </ol>
          {mayWrite && (
            <Button
              size="small"
              variant="quiet"
              icon={<Trash2 aria-hidden />}
              className="justify-self-start"
              onPress={() => change(words.did.removed, setTranslation(null))}
            >
              {words.remove}
            </Button>
          )}
        </>
      )}
    </Group>
  )
}

/** A sentence that is played twice is translated once. */
const onceEach = (sentences: readonly Sentence[]): Sentence[] =>
  [...new Map(sentences.toReversed().map((one) => [one.id, one])).values()].toReversed()

const Line = ({
  bench: { recipe, change, mayWrite },
  sentence,
  at,
  onJump,
}: {
  bench: Workbench
  sentence: Sentence
  at: string
  onJump: () => void
}) => {
  const { translation } = recipe
  const isOld = isOutdated(recipe, sentence)
  return (
    <>
      <DrawnArea
        label={sentence.text}
        value={translationOf(recipe, sentence) ?? ''}
        isReadOnly={!mayWrite}
        maxLength={longestLine.text}
        rows={2}
        lang={translation?.language}
        onChange={(text) =>
          change(words.did.written, translate(new Map([[sentence.id, text]])), `translate ${sentence.id}`)
        }
        hint={isOld ? words.changed(translation?.lines[sentence.id]?.of ?? '') : undefined}
      />
      <div className="flex items-center gap-2">
        <Button size="small" variant="quiet" onPress={onJump} aria-label={words.jump(at)}>
          <span className="figures font-mono">{at}</span>
        </Button>
        {isOld && mayWrite && (
          <Button size="small" onPress={() => change(words.did.kept, keepTranslation([sentence.id]))}>
            {words.holds}
          </Button>
        )}
      </div>
    </>
  )
}

const Files = ({ bench, timeline, project }: Pick<Props, 'bench' | 'timeline' | 'project'>) => {
  const { recipe, change, mayWrite } = bench
  const save = async () => {
    try {
      const { handOver } = await import('./hand-over.ts')
      handOver('sentences', recipe, project)
    } catch {
      toast.error(messages.handOverFailed)
    }
  }
  const read = async (file: File | undefined) => {
    if (!file) return
    if (file.size > mostFileBytes) return void toast.error(words.tooLarge)
    const { saidIn } = await import('@clear-to-post/edit/subtitles')
    const lines = linesOfCues(recipe, saidIn(await file.text()), timeline)
    if (lines.size === 0) return void toast.error(words.noneFiled)
    change(words.did.read, translate(lines))
    toast.success(words.filed(lines.size))
  }
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap gap-2">
        <Button size="small" icon={<Download aria-hidden />} onPress={() => void save()}>
          {words.forTranslator}
        </Button>
        {mayWrite && (
          <FileTrigger acceptedFileTypes={['.srt', '.vtt', 'text/plain']} onSelect={(files) => void read(files?.[0])}>
            <Button size="small" icon={<Upload aria-hidden />}>
              {words.readFile}
            </Button>
          </FileTrigger>
        )}
      </div>
      <p className="text-[0.8125rem] text-muted">{words.fileHint}</p>
    </div>
  )
}

const mostFileBytes = 2 * 1024 ** 2
