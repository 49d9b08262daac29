import { wholeRecipe, type Recipe } from '@clear-to-post/edit/recipe'
import { sql } from '../src/kernel/database.ts'
import type { Service } from './service.ts'

/** The edit of a project as its first cut leaves it: everything of one source. */
export const makeEdit = async (
  { database }: Pick<Service, 'database'>,
  project: { id: string; tenantId?: string | undefined },
  assetId: string,
): Promise<Recipe> => {
  const fps = { num: 30, den: 1 }
  const source = {
    id: 's1',
    assetId,
    name: 'video.mp4',
    durationMs: 2000,
    width: 1080,
    height: 1920,
    fps,
    hasSound: true,
  }
  const brand = { primary: '#2647e0', secondary: '#ff5a3c', logo: null, name: 'An officer', line: '', legal: '' }
  const recipe = wholeRecipe([source], brand)
  await database.asSystem((tx) =>
    tx.count(sql`
      insert into edit (project_id, tenant_id, state, revision, recipe, first_cut)
      values (${project.id}, ${project.tenantId ?? null}, 'ready', 1, ${JSON.stringify(recipe)}, ${JSON.stringify(recipe)})`),
  )
  return recipe
}
