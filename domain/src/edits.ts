import { mayRenderAgain } from './crashes.ts'
import { hasDuty, type Actor } from './roles.ts'
import { Status } from './workflow.ts'

/** What may be done to an edit: save its recipe, find the words and make the first cut again, make the finished file. */
export const editActions = ['save', 'make', 'render'] as const
export type EditAction = (typeof editActions)[number]

/** The project of an edit, as a decision reads it. */
type Project = { editorId: string | null; status: Status }

/** In these a project has no right to be made: it was given back, or it is asked for when the project's month begins. */
const withoutRight: readonly Status[] = [Status.canceled, Status.scheduled]

/** Whether nobody at all works on the edit of a project now. */
export const isEditAtRest = ({ status }: Pick<Project, 'status'>): boolean => withoutRight.includes(status)

/** Whose work the edit of a project is now: its editor's while it is In Progress, and an ADMIN's wherever it has its right. */
export const editActionsFor = ({ id, role }: Pick<Actor, 'id' | 'role'>, project: Project): readonly EditAction[] => {
  if (isEditAtRest(project)) return []
  const isTheirs = project.editorId === id && project.status === Status.inProgress
  return isTheirs || hasDuty(role, 'administer') ? editActions : []
}

export const renderStates = ['queued', 'running', 'done', 'failed', 'canceled'] as const
export type RenderState = (typeof renderStates)[number]

/** What may be done to a render, and from which states. */
const rendering = {
  cancel: ['queued', 'running'],
  retry: ['failed', 'canceled'],
} as const satisfies Record<string, readonly RenderState[]>
export type RenderAction = keyof typeof rendering
export const renderActions = Object.keys(rendering) as [RenderAction, ...RenderAction[]]

/** What this actor may do to a render now, whose recipe made its worker die so often. */
export const renderActionsFor = (
  actor: Pick<Actor, 'id' | 'role'>,
  project: Project,
  { state, crashes }: { state: RenderState; crashes: number },
): RenderAction[] =>
  editActionsFor(actor, project).includes('render')
    ? renderActions.filter(
        (action) =>
          (rendering[action] as readonly RenderState[]).includes(state) &&
          (action !== 'retry' || mayRenderAgain(actor.role, crashes)),
      )
    : []
