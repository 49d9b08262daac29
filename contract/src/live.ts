import { z } from 'zod'
import { verbs, type Verb } from '@clear-to-post/domain/workflow'
import { AssetId, assetStates, PrompterNews } from './assets.ts'
import { Edit, Render } from './edits.ts'
import { ProjectId, Status } from './projects.ts'

/** So many projects one stream asks for at most. */
export const mostWatched = 50
const watched = /^(projects|support|project:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/**
 * What a stream asks for, beside what concerns its own person: `projects`, hints about lists; `project:<id>`, all about one;
 * `support`. Without `watch` it is everything. `age`: how many milliseconds ago the oldest of what is on the page was asked for;
 * what happened since is told, instead of `again`, where the service remembers it.
 */
export const LiveQuery = z.object({
  watch: z
    .string()
    .max(3000)
    .transform((text) => (text === '' ? [] : text.split(',')))
    .pipe(z.array(z.string().regex(watched, 'Watch projects, support or project:<id>')).max(mostWatched + 2))
    .optional(),
  age: z.coerce.number().int().min(0).max(86_400_000).optional(),
})

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
  projects: z
    .object({ projectIds: z.array(ProjectId).max(100), isMore: z.boolean() })
    .describe(
      'steps of these projects, together every two seconds at most, to a stream that watches `projects`; of more where `isMore`',
    ),
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
