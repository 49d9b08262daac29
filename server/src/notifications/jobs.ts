import { audiences, type Listener } from '@clear-to-post/domain/audiences'
import type { Job } from '../jobs/work.ts'
import { addNotification, eventToTell, type ToldEvent } from './store.ts'

/** Tells people about one step of a project. A rerun tells nobody twice, and whoever took the step is never told. */
export const tellJob: Job<'tell'> = {
  name: 'tell',
  atOnce: 4,
  run: ({ projectId, seq }, { database }) =>
    database.asSystem(async (tx) => {
      const event = await eventToTell(tx, projectId, seq)
      if (!event) throw new Error(`Project ${projectId} has no event ${seq} to tell of`)
      for (const { to, title, body } of audiences[event.verb] ?? []) {
        const userId = listener(event, to)
        if (userId === null || userId === event.actor_id) continue
        await addNotification(tx, {
          userId,
          title,
          body: body.replaceAll('{title}', () => event.title),
          cta: { label: 'Open the project', url: `/panel/projects/${projectId}` },
          metadata: { projectId, seq, verb: event.verb },
          cause: `project:${projectId}:${seq}`,
        })
      }
    }),
}

const listener = (event: ToldEvent, to: Listener): string | null => (to === 'user' ? event.user_id : event.editor_id)
