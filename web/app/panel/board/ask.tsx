import { Confirm } from '../../ui/dialog.tsx'
import { workflow } from '@clear-to-post/domain/workflow'
import { endOf, useAct } from '../project/act.ts'
import { AssignDialog } from '../project/assign-dialog.tsx'
import { messages } from '../project/messages.ts'
import { TimeDialog } from '../project/time-dialog.tsx'
import type { Asking } from './use-moves.ts'

/** The question a verb asks before it moves a card; the same dialogs as on the project page. */
export const Ask = ({ asking: { project, verb }, onEnd }: { asking: Asking; onEnd: () => void }) => {
  const act = useAct(project)
  const close = { isOpen: true, onOpenChange: (open: boolean) => !open && onEnd() }
  const then = endOf(onEnd)
  // As it was when the question was asked: a cut that comes meanwhile is not what was meant.
  const cut = project.currentCut ?? project.cuts
  switch (verb) {
    case 'schedule':
      return (
        <TimeDialog
          {...close}
          title={messages.scheduleTitle}
          hint={messages.scheduleHint}
          confirm={workflow.schedule.label}
          isPending={act.pending !== null}
          onChoose={(at) => act.schedule(cut, at, [], then)}
        />
      )
    case 'approve':
      return (
        <Confirm
          {...close}
          isDanger={false}
          title={`${messages.approveCut(cut)}?`}
          text={messages.approveText(cut, project.title)}
          confirm={messages.approveCut(cut)}
          keep={messages.stop}
          isPending={act.pending !== null}
          onConfirm={() => act.approve(cut, undefined, then)}
        />
      )
    case 'assign':
      return <AssignDialog {...close} project={project} act={act} />
    case 'cancel':
      return (
        <Confirm
          {...close}
          title={messages.cancelTitle}
          text={messages.cancelText}
          confirm={messages.cancelDo}
          keep={messages.cancelKeep}
          isPending={act.pending !== null}
          onConfirm={() => act.cancel(then)}
        />
      )
    case 'rollback':
      return (
        <Confirm
          {...close}
          isDanger={false}
          title={messages.rollbackTitle}
          text={messages.rollbackText(project.undoable?.title)}
          confirm={messages.rollbackDo}
          keep={messages.stop}
          isPending={act.pending !== null}
          onConfirm={() => act.rollback(then)}
        />
      )
    default:
      return verb satisfies never
  }
}
