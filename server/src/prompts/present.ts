import type { z } from 'zod'
import type { Category, Prompt, Script } from '@clear-to-post/contract/prompts'
import type { CategoryRow, ScriptRow } from './store.ts'

export const presentPrompt = (
  { id, tenant_id }: { id: string; tenant_id: string | null },
  categories: CategoryRow[],
): z.input<typeof Prompt> => ({ id, tenantId: tenant_id, categories: categories.map(presentCategory) })

export const presentCategory = (c: CategoryRow): z.input<typeof Category> => ({
  id: c.id,
  title: c.title,
  pictureUrl: c.picture_url,
  backgroundColor: c.background_color,
  active: c.active,
  scripts: c.scripts,
})

export const presentScript = ({ user_id, ...script }: ScriptRow): z.input<typeof Script> => ({
  ...script,
  ...(user_id ? { userId: user_id } : {}),
})
