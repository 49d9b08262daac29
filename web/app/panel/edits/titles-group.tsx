import { Type } from 'lucide-react'
import { setTitle, titleLengths, titlesOf, type Title } from '@clear-to-post/edit/commands/titles'
import { titleMotions, titlePlaces } from '@clear-to-post/edit/recipe'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { DrawnField, Group } from './fields.tsx'
import { LayerRow } from './layer-row.tsx'
import { backToWords } from './focus.ts'
import { messages } from './messages.ts'
import type { TitleTemplate } from './title-templates.ts'
import type { Workbench } from './use-bench.ts'
import type { Layers } from './use-layers.ts'

type GroupProps = {
  bench: Workbench
  timeline: Timeline
  layers: Layers
  /** Some words are selected. */
  hasWords: boolean
  onAdd: (template: TitleTemplate) => void
}

/** The titles of the edit as a list; of the one in hand, what it says and where it stands. */
export const TitlesGroup = ({ bench, timeline, layers, hasWords, onAdd }: GroupProps) => {
  const titles = titlesOf(bench.recipe)
  return (
    <Group title={messages.titles}>
      {titles.length === 0 ? (
        <p className="text-muted">{messages.noTitles}</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {titles.map((title) => (
            <LayerRow key={title.id} layer={title} {...{ bench, timeline, layers }}>
              {layers.layer?.id === title.id && <Settings bench={bench} title={title} />}
            </LayerRow>
          ))}
        </ul>
      )}
      {bench.mayWrite && (
        <div className="flex flex-wrap items-center gap-2">
          {(['name', 'words', 'call'] as const).map((template) => (
            <Button
              key={template}
              size="small"
              icon={<Type aria-hidden />}
              isDisabled={template === 'words' && !hasWords}
              onPress={() => onAdd(template)}
            >
              {messages.addTitleOf[template]}
            </Button>
          ))}
          <p className="basis-full text-[0.8125rem] text-muted">{messages.addTitleHint}</p>
        </div>
      )}
    </Group>
  )
}

/** Of the fields of the title in hand, for the command that adds one. */
export const titleFields = 'bench-title'

const Settings = ({ bench, title }: { bench: Workbench; title: Title }) => {
  const { change, mayWrite } = bench
  return (
    <div id={titleFields} className="mt-2 grid gap-3">
      <DrawnField
        label={messages.titleText}
        value={title.title}
        maxLength={titleLengths.title}
        isDisabled={!mayWrite}
        onChange={(text) => change(messages.did.titleText, setTitle(title.id, { title: text }), `title ${title.id}`)}
        onKeyDown={(event) => (event.key === 'Enter' ? backToWords() : event.continuePropagation())}
      />
      <DrawnField
        label={messages.titleLine}
        value={title.line}
        maxLength={titleLengths.line}
        isDisabled={!mayWrite}
        onChange={(line) => change(messages.did.titleText, setTitle(title.id, { line }), `line ${title.id}`)}
      />
      <Select
        label={messages.place}
        value={title.place ?? 'bottom-left'}
        isDisabled={!mayWrite}
        options={titlePlaces.map((value) => ({ value, label: messages.titlePlace[value] }))}
        onChange={(place) => change(messages.did.titlePlace, setTitle(title.id, { place }))}
      />
      <Select
        label={messages.titleMotion}
        value={title.motion ?? 'none'}
        isDisabled={!mayWrite}
        options={(['none', ...titleMotions] as const).map((value) => ({ value, label: messages.titleMotions[value] }))}
        onChange={(motion) =>
          change(messages.did.titleMotion, setTitle(title.id, { motion: motion === 'none' ? undefined : motion }))
        }
      />
    </div>
  )
}
