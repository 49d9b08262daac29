import type { z } from 'zod'
import type { Category, ScriptLibrary, Script } from '@clear-to-post/contract/scripts'
import { libraryActionsOf } from '@clear-to-post/domain/panel'
import { pictureUrl } from '../assets/actions.ts'
import type { Caller } from '../kernel/database.ts'
import type { CategoryRow, LibraryRow, ScriptRow } from './store.ts'

export const presentLibrary = (
  { id, tenant_id, uses_own_scripts }: LibraryRow,
  categories: CategoryRow[],
  reader: Caller,
  now: Date,
): z.input<typeof ScriptLibrary> => ({
  id,
  tenantId: tenant_id,
  categories: categories.map((category) => presentCategory(category, now)),
  actions: libraryActionsOf(reader, { tenantId: tenant_id }, { usesOwnScripts: uses_own_scripts }),
})

export const presentCategory = (c: CategoryRow, now: Date): z.input<typeof Category> => ({
  id: c.id,
  title: c.title,
  pictureUrl: pictureUrl(c.picture_url, now),
  backgroundColor: c.background_color,
  active: c.active,
  scripts: c.scripts,
})

export const presentScript = ({ user_id, ...script }: ScriptRow): z.input<typeof Script> => ({
  ...script,
  ...(user_id ? { userId: user_id } : {}),
})
