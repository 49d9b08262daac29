import type { Edit } from '@clear-to-post/contract/edits'
import { Button } from '../../ui/button.tsx'
import { denialWords } from '../project/denial.ts'
import { messages } from './messages.ts'
import { SaveTrouble } from './save-state.tsx'
import type { Workbench } from './use-bench.ts'
import type { DenialHere } from './use-denial.ts'
import type { PersonPlace } from './use-person.ts'
import { pictureWords } from './words/picture.ts'

/** What stands in the way, over the whole workbench: of saving, of the first cut, of painting captions. */
export const BenchAlerts = ({
  bench,
  edit,
  toolsFailed,
  person,
  denied: { denial, isNew, show, revision, isAsked, showRevision },
  onRemake,
}: {
  bench: Workbench
  edit: Edit
  toolsFailed: boolean
  person: PersonPlace
  denied: DenialHere
  onRemake: () => void
}) => (
  <>
    <SaveTrouble bench={bench} theirsAreHere={edit.revision > bench.bench.revision} />
    {denial && isNew && (
      <Why
        line={messages.deniedLine(denial.cut)}
        words={denialWords(denial)}
        show={messages.showDenied}
        onShow={show}
      />
    )}
    {revision && isAsked && (
      <Why
        line={messages.askedLine(revision.cut)}
        words={revision.words}
        show={messages.showAsked}
        onShow={showRevision}
      />
    )}
    {edit.reason && (
      <div
        role="alert"
        className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-danger-tint px-4 py-2 text-danger md:px-6"
      >
        <p className="min-w-0 flex-1 basis-64">{messages.remakeFailed(edit.reason)}</p>
        {bench.mayWrite && (
          <Button size="small" onPress={onRemake}>
            {messages.giveWordsShort}
          </Button>
        )}
      </div>
    )}
    {person.unsure > 0 && !person.source && (
      <div
        role="status"
        className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-warn-tint px-4 py-2 md:px-6"
      >
        <p className="min-w-0 flex-1 basis-64">
          <strong className="font-medium">{pictureWords.person.ask}</strong> {pictureWords.person.why}
        </p>
        <Button size="small" onPress={person.ask}>
          {pictureWords.person.show}
        </Button>
        <Button size="small" onPress={person.accept}>
          {pictureWords.person.right}
        </Button>
      </div>
    )}
    {toolsFailed && (
      <p role="alert" className="border-b border-line bg-danger-tint px-4 py-2 text-danger md:px-6">
        {messages.fontsFailed}
      </p>
    )}
  </>
)

/** Why a new cut is made, in a line or two, and the way to all of it. */
const Why = ({ line, words, show, onShow }: { line: string; words: string; show: string; onShow: () => void }) => (
  <div
    role="status"
    className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-warn-tint px-4 py-2 md:px-6"
  >
    <p className="line-clamp-2 min-w-0 flex-1 basis-64 [overflow-wrap:anywhere]">
      <strong className="font-medium">{line}</strong> {words}
    </p>
    <Button size="small" onPress={onShow}>
      {show}
    </Button>
  </div>
)
