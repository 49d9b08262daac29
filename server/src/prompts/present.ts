import type { z } from 'zod'
import type { Prompt } from '@clear-to-post/contract/prompts'
import type { CategoryRow } from './store.ts'

export const presentPrompt = (
  { id, tenant_id }: { id: string; tenant_id: string | null },
  categories: CategoryRow[],
): z.input<typeof Prompt> => ({
  id,
  tenantId: tenant_id,
  categories: categories.map((c) => ({
    id: c.id,
    title: c.title,
    pictureUrl: c.picture_url,
    backgroundColor: c.background_color,
    active: c.active,
    scripts: c.scripts,
  })),
})
