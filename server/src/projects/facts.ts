import { Status } from '@clear-to-post/domain/workflow'
import type { CutAuthors, CutFacts, FourEyes, ProjectFacts } from '@clear-to-post/domain/decide'
import type { CurrentCut, ProjectRow } from './store.ts'

/** What decisions read of a cut. */
type CutRow = Omit<CurrentCut, 'sent_at'>

/** A row with what decisions read beside it. */
type FactsRow = ProjectRow & {
  time_zone: string
  undoable: ProjectFacts['undoable']
  cut: CutRow | null
  file?:
    | (Pick<CurrentCut, 'uploaded_by' | 'rendered_by' | 'recipe_by'> & {
        is_older: boolean
        reviewed_as: number | null
      })
    | null
  four_eyes: FourEyes | null
  officer_is_gone?: boolean
}

/** What the workflow decides by. */
export const factsOf = (p: FactsRow): ProjectFacts => ({
  status: p.status,
  userId: p.user_id,
  editorId: p.editor_id,
  tenantId: p.tenant_id,
  finalVideoId: p.final_video_id,
  approvedVideoId: p.approved_video_id,
  submitMonth: p.submit_month,
  publishAt: p.publish_at?.toISOString() ?? null,
  dueAt: p.due_at?.toISOString() ?? null,
  expiresAt: p.expires_at?.toISOString() ?? null,
  editingBegun: p.editing_begun,
  isFree: p.is_free,
  timeZone: p.time_zone,
  revisionsLeft: p.revisions_left,
  undoable: p.undoable,
  cut: p.cut && cutFacts(p.cut),
  file: p.file ? { ...cutAuthors(p.file), isOlder: p.file.is_older, reviewedAs: p.file.reviewed_as } : null,
  fourEyes: p.four_eyes,
  officerIsGone: p.officer_is_gone === true,
  steps: p.seq,
})

export const cutFacts = (cut: CutRow): CutFacts => ({
  ...cutAuthors(cut),
  number: cut.number,
  editorId: cut.editor_id,
  sentBy: cut.sent_by,
})

/** The same of a project that is submitted in this moment. */
export const factsOfNew = (
  officer: { id: string; tenant_id: string | null; time_zone: string },
  submitMonth: string,
): ProjectFacts => ({
  status: Status.submitted,
  userId: officer.id,
  editorId: null,
  tenantId: officer.tenant_id,
  finalVideoId: null,
  approvedVideoId: null,
  submitMonth,
  publishAt: null,
  dueAt: null,
  editingBegun: false,
  isFree: false,
  timeZone: officer.time_zone,
  undoable: null,
})

const cutAuthors = (file: Pick<CurrentCut, 'uploaded_by' | 'rendered_by' | 'recipe_by'>): CutAuthors => ({
  uploadedBy: file.uploaded_by,
  renderedBy: file.rendered_by,
  recipeBy: file.recipe_by,
})
