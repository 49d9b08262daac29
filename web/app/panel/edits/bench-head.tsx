import type { ReactNode } from 'react'
import { BookA, Clapperboard, Ellipsis, Keyboard, Redo2, Replace, RotateCcw, Scissors, Undo2 } from 'lucide-react'
import type { Edit } from '@clear-to-post/contract/edits'
import type { Project } from '@clear-to-post/contract/projects'
import { projectPath } from '../../paths.ts'
import { percentWords } from '../../times.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu, MenuHeader, MenuItem, MenuLine, MenuSection } from '../../ui/menu.tsx'
import { handOverItems } from './hand-over-menu.tsx'
import { BackLink } from '../page-head.tsx'
import { whoseWords } from '../project/whose.ts'
import { messages } from './messages.ts'
import type { Renders } from './render-panel.tsx'
import { recipeOf, type Workbench } from './use-bench.ts'
import { captionWords } from './words/captions.ts'

/** The way back, the project's title and whose it is; beside them what the page is for. */
export const BenchHead = ({
  project,
  state,
  children,
}: {
  project: Project
  state?: ReactNode
  children?: ReactNode
}) => (
  <header className="bench-head flex min-h-14 items-center gap-x-2 border-b max-[22rem]:flex-wrap border-line bg-surface px-4 py-2 sm:gap-x-3 md:px-6">
    <title>{`${messages.title(project.title)} · Clear to Post`}</title>
    <BackLink to={projectPath(project.id)} label={messages.back} className="max-md:-ml-2" />
    {/* One above the other where there is no room beside each other. */}
    <div className="flex min-w-0 flex-1 flex-col lg:flex-row lg:items-center lg:gap-3">
      <h1 className="min-w-0 truncate text-lg font-bold max-sm:text-base lg:max-w-[34ch]">{project.title}</h1>
      <div className="flex min-w-0 items-center gap-x-3 max-sm:flex-wrap max-[22rem]:flex-nowrap">
        {state}
        <p data-whose className="min-w-0 truncate text-[0.8125rem] text-muted">
          {whoseWords(project)}
        </p>
      </div>
    </div>
    {children && (
      <div className="flex shrink-0 items-center justify-end gap-1 max-sm:gap-0 max-[22rem]:basis-full">{children}</div>
    )}
  </header>
)

type ToolsProps = {
  project: Project
  edit: Edit
  bench: Workbench
  renders: Renders
  onGlossary: () => void
  onHelp: () => void
  onReplace: () => void
  onRemake: () => void
  onRender: () => void
}

/** What concerns the whole edit: back and forth in its history, handing over, rendering. */
export const BenchTools = ({
  project,
  edit,
  bench,
  renders,
  onGlossary,
  onHelp,
  onReplace,
  onRemake,
  onRender,
}: ToolsProps) => {
  const { recipe, change, mayWrite } = bench
  const undone = bench.bench.past.at(-1)?.name
  const redone = bench.bench.future.at(-1)?.name
  return (
    <>
      {mayWrite && (
        <>
          <IconButton
            label={undone ? messages.undoOf(undone) : messages.undo}
            isDisabled={undone === undefined}
            onPress={bench.undo}
          >
            <Undo2 aria-hidden />
          </IconButton>
          <IconButton
            label={redone ? messages.redoOf(redone) : messages.redo}
            isDisabled={redone === undefined}
            onPress={bench.redo}
          >
            <Redo2 aria-hidden />
          </IconButton>
        </>
      )}
      <Menu
        label={messages.more}
        trigger={
          <IconButton label={messages.more}>
            <Ellipsis aria-hidden />
          </IconButton>
        }
      >
        <MenuSection>
          <MenuHeader className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">{messages.handOver}</MenuHeader>
          {handOverItems(recipe, project)}
        </MenuSection>
        <MenuLine />
        <MenuItem icon={<Replace aria-hidden />} onAction={onReplace}>
          {captionWords.find}
        </MenuItem>
        <MenuItem icon={<BookA aria-hidden />} onAction={onGlossary}>
          {messages.glossary}
        </MenuItem>
        <MenuItem icon={<Keyboard aria-hidden />} onAction={onHelp}>
          {messages.keys}
        </MenuItem>
        {mayWrite && <MenuLine />}
        {mayWrite && edit.firstCut && (
          <MenuItem
            icon={<RotateCcw aria-hidden />}
            onAction={() => {
              const first = recipeOf(edit.firstCut)
              if (first) change(messages.reset, () => first)
            }}
          >
            {messages.reset}
          </MenuItem>
        )}
        {mayWrite && (
          <MenuItem icon={<Scissors aria-hidden />} onAction={onRemake}>
            {messages.remake}
          </MenuItem>
        )}
      </Menu>
      {mayWrite && (
        <Button
          variant="primary"
          icon={<Clapperboard aria-hidden />}
          isPending={renders.isAsking}
          className="max-sm:ml-1 max-sm:px-3! sm:min-w-32 max-sm:[&_svg]:hidden"
          onPress={onRender}
        >
          {renders.running?.state === 'queued' ? (
            messages.queuedShort
          ) : renders.running ? (
            <>
              <span className="max-sm:sr-only">{messages.rendering} </span>
              {renders.running.progress === undefined ? '' : percentWords(renders.running.progress)}
            </>
          ) : (
            messages.render
          )}
        </Button>
      )}
    </>
  )
}
