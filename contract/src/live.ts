import { z } from 'zod'
import { verbs, type Verb } from '@clear-to-post/domain/workflow'
import { AssetId, assetStates, PrompterNews } from './assets.ts'
import { Edit, Render } from './edits.ts'
import { ProjectId, Status } from './projects.ts'

/** How far a piece of work is; null while there is nothing to say. */
const work = { stage: z.string().nullable(), progress: z.number().min(0).max(1).nullable() }

/**
 * What `GET /api/events` sends while a page is open: the data of each event, by the event's name. They say that something
 * changed; the call for it answers what it is now.
 */
export const liveEvents = {
  project: z
    .object({
      projectId: ProjectId,
      status: Status,
      seq: z.number().int(),
      verb: z.enum(verbs as [Verb, ...Verb[]]),
    })
    .describe('a step of a project'),
  asset: z
    .object({ assetId: AssetId, projectId: ProjectId.nullable(), state: z.enum(assetStates), ...work })
    .describe('a file’s state, or how far its checks are'),
  edit: z
    .object({ projectId: ProjectId, state: Edit.shape.state, revision: z.number().int().min(0), ...work })
    .describe('a first cut under way, or a new revision of an edit; to staff'),
  render: z
    .object({
      renderId: z.uuid(),
      projectId: ProjectId,
      state: Render.shape.state,
      secondsLeft: z.number().min(0).nullable(),
      ...work,
    })
    .describe('a render’s state, or how far it is; to staff'),
  notification: z
    .object({ id: z.uuid().optional() })
    .describe('a new item of the inbox; without an id, something in it was read, deleted or withdrawn'),
  support: z.object({ threadId: z.uuid() }).describe('a question to support that was asked, answered, given or closed'),
  prompter: z
    .object({ said: PrompterNews })
    .describe('what my recorder and another device of mine with its words tell each other; to myself'),
  again: z.object({}).describe('first, and whenever something may have been missed: read everything anew'),
  full: z.object({}).describe('the same person opened too many newer streams: come back when somebody looks'),
} as const
export type LiveEvents = { [Name in keyof typeof liveEvents]: z.infer<(typeof liveEvents)[Name]> }
