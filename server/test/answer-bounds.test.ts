import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { everyCall } from '@clear-to-post/contract/api'
import { mostSlots } from '@clear-to-post/domain/post-slots'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { mostParts } from '@clear-to-post/domain/upload-parts'

/**
 * Whatever a call answers has an end. Each list and each record in an answer stands in the table below with what bounds it,
 * unless its schema has a most length, it is the items of a page, or it has words that the contract names. A place is named
 * from the nearest shape that the contract exports (`Project.timeline[]`), else from its call. See docs/decisions/0427.
 */
const root = resolve(import.meta.dirname, '../..')

/** No place of an answer holds more things than these, all lists around it multiplied. */
const mostTogether = 10_000

/** Stands in the file `in`: the code that bounds it. */
type Source = { by: string; in: string }

/** `together`: what holds them over all lists around. */
type Bound = Source & { most: number; together?: Source & { most: number } }

const from = (file: string, by: string, most: number, together?: Bound['together']): Bound => ({
  most,
  by,
  in: file,
  ...(together && { together }),
})
const store = (room: string) => `server/src/${room}/store.ts`
const shape = (room: string) => `contract/src/${room}.ts`

/** Sentences of the code, one for each fault that the check of a file looks for, and why a picture is no cut. */
const verdicts = from('server/src/assets/ingest.ts', 'notes: made.verdicts && notesFor(run, found, made.verdicts)', 13)
/** Products and plans are the operator's, at the payment service. */
const products = from(store('subscriptions'), '/** What we sell', 50)
/** Sentences of the code, some of each room. */
const receipt = from('server/src/personal-data/removal.ts', 'personalData.flatMap(([, { words }])', 60)
const charges = from(store('subscriptions'), 'order by c.created_at desc, c.id limit 100', 100)
const words = (room: string, by: string): Bound => from(shape(room), by, 20)
const unsent = from('server/src/edits/render.ts', 'mostKept.finishedRenders', 100, {
  // Lists have none.
  by: 'unsentCuts: unsent.map',
  in: 'server/src/projects/read.ts',
  most: 100,
})
/** Files that were sent are as many as steps; unused ones are bounded by person. */
const files = from('domain/src/decide.ts', 'steps < mostKept.steps - reserve', 600)
const codes = from('server/src/identity/recovery-codes.ts', 'Array.from', 10)
const document = (by: string, room = 'edits'): Bound => from(shape(room), by, 1)

const allowance = from('server/src/projects/allowance.ts', 'Array.from({ length: 6 }', 6)
/** As many as an officer may keep. */
const slots = from(shape('publishing'), 'z.array(PostSlot).max(mostSlots)', mostSlots)
const sold = 'server/src/subscriptions/catalogue-store.ts'

const bounds: Record<string, Bound> = {
  'Asset.notes[]': verdicts,
  'assets.unused items[]': from(store('assets'), 'desc limit 100', 100),
  'assets.sendParts here[]': from('server/src/outside/bucket-parts.ts', 'order by at limit ${mostParts}', mostParts),
  'assets.sendParts addresses[]': from(shape('assets'), '.max(uploadParts.atOnce)', 10),
  'assets.sendParts addresses[].headers{}': from('server/src/outside/bucket.ts', "{ 'x-amz-acl': 'private' }", 3),

  'SupportConversation.messages[]': from(
    'server/src/support/actions.ts',
    'byStaff ? mostKept.staffMessages : mostKept.askerMessages',
    // And each opening may be followed by a closing.
    2 * (mostKept.askerMessages + mostKept.staffMessages) + 1,
  ),

  'Project.timeline[]': from('domain/src/decide.ts', 'steps < mostKept.steps - reserve', mostKept.steps, {
    by: 'mostKept.listedSteps',
    in: 'server/src/projects/read.ts',
    most: 100 * mostKept.listedSteps,
  }),
  'TimelineItem.metadata{}': from('server/src/projects/actions.ts', '> mostKept.stepLetters', 1),
  'Project.assets[]': from(shape('projects'), 'z.array(AssetId).min(1).max(20)', 21, {
    // Lists have no files.
    by: 'files ? { assets: files.map',
    in: 'server/src/projects/present.ts',
    most: 21,
  }),
  'Project.unsentCuts[]': unsent,
  'Project.unsentCuts[] notes[]': verdicts,
  'Post.history[]': from('server/src/publishing/shown-store.ts', 'order by e.seq desc limit 20', 20),
  'Project.posts[]': from(store('publishing'), 'order by l.id desc limit 60', 60),
  'Project.withheld[]': from('domain/src/decide.ts', 'verbs.flatMap((verb) =>', 20),
  'Feedback.criteria[]': words('feedback', '.max(criteriaLimits.count)'),
  'Criteria.criteria[]': words('feedback', '.max(criteriaLimits.count)'),
  'projects.allowance months[]': allowance,
  'projects.allowanceOf months[]': allowance,
  // The officer's, and those between staff.
  'projects.comments items[]': from('server/src/projects/actions.ts', '>= mostKept.remarks', 2 * mostKept.remarks),
  'projects.decided items[]': from(store('projects'), 'order by e.at desc limit 100', 100),
  'Cut.captions[]': from('server/src/edits/caption-files.ts', 'export const captionLanguages', 2),
  'projects.captions items[]': from('server/src/edits/caption-texts.ts', 'const languages = [spoken, ', 2),
  'projects.cuts items[]': from('domain/src/decide.ts', 'steps < mostKept.steps - reserve', mostKept.steps),

  'Edit.assets[]': files,
  'Edit.clips[]': from('edit/src/read-recipe.ts', 'layers: z.array(Layer).max(200)', 200),
  'Edit.transcript notes[]': from('server/src/edits/first-cut.ts', 'notes: [...notes]', 20),
  'RecipeDocument{}': from('contract/src/bounds.test.ts', 'Object.entries({ Recipe, Look })', 1),
  'LookDocument{}': from('contract/src/bounds.test.ts', 'Object.entries({ Recipe, Look })', 1),
  'edits.clips items[]': from(store('clips'), 'limit 60', 60),
  'edits.renders items[]': from(store('edits'), 'limit 50', 50),
  'edits.rules items[]': from('server/src/edits/actions.ts', 'items: outcomeNames.map', 8),
  'Render.changes[]': from('edit/src/difference.ts', 'const mostNamed = 20', 80),
  // One of two seconds and one of as many that are not ready, of the longest video.
  'RenderAhead.ready[]': from('server/src/edits/ahead.ts', 'stretchesOf(plan, ready)', 1000),
  'RenderAhead.cleaned[]': files,
  'RenderAhead.shakes[]': files,
  'RenderAhead.tones[]': files,
  'Clip.tags[]': words('clips', 'z.array(visible(40)).max(20)'),
  'looks.list items[]': from('server/src/looks/actions.ts', '>= mostKept.looks', 2 * mostKept.looks),

  'publishing.connections networks[]': from('domain/src/networks.ts', 'export const networkNames = [', 8),
  // Their own, and those of their company.
  'publishing.connections items[]': from('server/src/publishing/connect.ts', 'const mostConnections = 20', 40),
  'publishing.figures items[]': from(
    'server/src/publishing/shown-store.ts',
    'order by p.live_at desc, p.id limit 500',
    500,
  ),
  'publishing.officers items[]': from('server/src/publishing/officers.ts', 'const mostShown = 100', 100),
  'publishing.connectWithPassword items[]': from('server/src/publishing/connect.ts', 'const mostConnections = 20', 20),
  'publishing.finishConnecting items[]': from('server/src/publishing/connect.ts', 'const mostConnections = 20', 20),
  'Post.remarks[]': from('server/src/publishing/present.ts', 'const remarksOf = ', 2),
  'publishing.captions languages[]': from('server/src/edits/caption-files.ts', 'export const captionLanguages', 2),
  'publishing.posts items[]': from('server/src/publishing/shown-store.ts', 'limit 200', 200),
  'publishing.calendar items[]': from('server/src/publishing/shown-store.ts', 'limit 500', 500),

  'ScriptLibrary.categories[]': from('server/src/scripts/actions.ts', '>= mostKept.categories', mostKept.categories),
  'Category.scripts[]': from('server/src/scripts/actions.ts', '>= mostKept.scripts', mostKept.scripts, {
    by: '> mostKept.libraryScripts',
    in: 'server/src/scripts/actions.ts',
    most: mostKept.libraryScripts,
  }),
  'Script.tags[]': from(shape('scripts'), 'z.array(visible(40)).max(20)', 20, {
    by: 'more.letters > mostKept.scriptLetters',
    in: 'server/src/scripts/actions.ts',
    most: mostTogether,
  }),

  'notes.list items[]': from('server/src/notes/actions.ts', 'notes > mostKept.notes', mostKept.notes),
  'Note.assets[]': from(shape('notes'), 'z.array(AssetId).max(20)', 20, {
    by: 'files > mostKept.noteFiles',
    in: 'server/src/notes/actions.ts',
    most: mostKept.noteFiles,
  }),
  'Note.history[]': from(store('notes'), 'limit ${mostKept.noteHistory}', mostKept.noteHistory),

  'Choices.kinds[]': words('notifications', '.max(kindNames.length)'),
  'Notification.metadata{}': document('metadata: Metadata.optional()', 'notifications'),
  'Words.metadata{}': document('metadata: Metadata.optional()', 'notifications'),
  'Trigger.tenantIds[]': from(shape('notifications'), 'z.array(z.uuid()).max(1000)', 1000, {
    by: "access: 'trigger.write'",
    in: shape('notifications'),
    most: mostTogether,
  }),
  'Trigger.history[]': from('server/src/notifications/triggers-history.ts', 'desc limit 20', 20),
  'HistoryEntry.errorList[]': from('server/src/notifications/triggers-runs.ts', 'const kept = 50', 50, {
    by: "access: 'trigger.write'",
    in: shape('notifications'),
    most: mostTogether,
  }),
  'notifications.previewTrigger nextExecutions[]': from(shape('notifications'), 'its next five runs', 5),

  'apiKeys.list items[]': from(store('api-keys'), 'limit ${mostKept.listedApiKeys}', 50),
  'goals.list items[]': from('server/src/goals/actions.ts', 'limit 52', 52),
  'Goal.dailyMilestones[]': from('server/src/goals/actions.ts', 'dailyTargets(isoWeek, defaultWeeklyTarget)', 7),
  'push.read devices[]': from(store('push'), 'offset ${mostDevices - 1}', 20),
  'Security.passkeys[]': from('server/src/identity/passkeys.ts', 'kept.length >= mostPasskeys', 20),
  'Security.providers[]': from(shape('identity'), 'Provider = z.enum(', 2),
  'identity.providers items[]': from(shape('identity'), 'Provider = z.enum(', 2),
  'identity.keys keys[]': from('server/src/identity/keys.ts', 'published', 10),
  'identity.keys keys[]{}': from('server/src/identity/keys.ts', 'published', 10),
  'CeremonyOptions.options{}': from('server/src/identity/passkeys.ts', 'kept.length >= mostPasskeys', 20),
  'security.addPasskey recoveryCodes[]': codes,
  'security.confirmTotp recoveryCodes[]': codes,
  'security.newRecoveryCodes recoveryCodes[]': codes,
  'accounts.changePassword kept[]': from(shape('accounts'), 'kept: z.array(OtherWay)', 10),
  'accounts.changePassword removed[]': from(shape('accounts'), 'removed: z.array(TakenAway)', 10),
  'Receipt.erased[]': receipt,
  'Receipt.stays[]': receipt,
  'RemovalPreview.erased[]': receipt,
  'RemovalPreview.stays[]': receipt,

  'subscriptions.charges[]': charges,
  'subscriptions.chargesOf[]': charges,
  'subscriptions.products[]': products,
  'subscriptions.publicProducts[]': products,
  'Product.plans[]': products,
  'Product.metadata{}': products,
  'catalogue.list products[]': from(sold, 'p.id limit 100', 100),
  'SoldProduct.plans[]': products,
  'catalogue.list coupons[]': from(sold, 'c.id limit 200', 200),
  'Coupon.usedBy[]': from(sold, 'order by 1 limit 20', 20),

  'publishing.slots items[]': slots,
  'publishing.setSlots items[]': slots,
  'views.list items[]': from('server/src/views/actions.ts', '>= mostKept.views', mostKept.views),
  'SavedView.search{}': from(shape('views'), 'Object.keys(search).length <= 20', 20),
  'Tenant.allowedProducts[]': from(shape('tenants'), 'z.array(z.string().max(200)).max(100)', 100),
}

const everyAnswer = everyCall.map(({ name, shape: { returns, page } }) => ({
  name,
  schema: returns,
  isPage: page !== undefined,
}))

it('every list in an answer has a bound', () => {
  const found = placesFound(everyAnswer)
  expect(found.size).toBeGreaterThan(40)
  expect([...found.keys()].filter((place) => !(place in bounds)).toSorted()).toEqual([])
  expect(Object.keys(bounds).filter((place) => !found.has(place))).toEqual([])
})

it('no place of an answer holds more than ten thousand things, all lists around it multiplied', () => {
  const found = placesFound(everyAnswer)
  expect([...found].filter(([, most]) => most > mostTogether)).toEqual([])
})

it('every bound of an answer stands in the source', () => {
  const sources = Object.values(bounds).flatMap((one): Source[] => [one, ...(one.together ? [one.together] : [])])
  const missing = sources.filter((one) => !readFileSync(join(root, one.in), 'utf8').includes(one.by))
  expect(missing).toEqual([])
})

it('a list within a page, a record and a list beyond what may stand together are found by their places', () => {
  const item = z.object({ names: z.array(z.string()).max(7), open: z.array(z.object({ deep: z.array(z.number()) })) })
  const schema = z.object({ items: z.array(item), more: z.record(z.string(), z.unknown()) })
  const found = placesFound([{ name: 'room.list', schema, isPage: true }])
  const open = 'room.list items[].open[]'
  expect([...found]).toEqual([
    [open, 100],
    [`${open}.deep[]`, 100],
    ['room.list more{}', 1],
  ])
})

/** Shapes that the contract exports, by their names. */
const shapes = new Map<unknown, string>()
for (const file of readdirSync(join(root, 'contract/src')))
  if (file.endsWith('.ts') && !file.endsWith('.test.ts'))
    for (const [name, value] of Object.entries(await import(join(root, 'contract/src', file))))
      if (value instanceof z.ZodType) shapes.set(value, name)

type Answer = { name: string; schema: z.ZodType; isPage: boolean }

/** The places that need a row, each with how many things it can hold at most where it holds the most. */
const placesFound = (answers: readonly Answer[]): Map<string, number> => {
  const found = new Map<string, number>()
  const visit = (schema: z.core.$ZodType, from: string, around: number, isPage = false): void => {
    const place = shapes.get(schema) ?? from
    const { def } = schema._zod as { def: z.core.$ZodTypes['_zod']['def'] }
    const hold = (key: string): number => {
      const { most, together } = bounds[key] ?? { most: 1 }
      const all = Math.min(around * most, together?.most ?? Infinity)
      found.set(key, Math.max(all, found.get(key) ?? 0))
      return all
    }
    switch (def.type) {
      case 'array': {
        const most = isPage ? 100 : (maximumOf(def) ?? wordsIn(def.element))
        visit(def.element, `${place}[]`, most === undefined ? hold(`${place}[]`) : around * most)
        break
      }
      case 'record':
        visit(def.valueType, `${place}{}`, hold(`${place}{}`))
        break
      case 'object':
        for (const [name, part] of Object.entries(def.shape))
          visit(
            part,
            `${place}${place.includes(' ') || shapes.has(schema) ? '.' : ' '}${name}`,
            around,
            isPage && name === 'items',
          )
        if (def.catchall && def.catchall._zod.def.type !== 'never') hold(`${place}{}`)
        break
      case 'union':
        for (const one of def.options) visit(one, place, around)
        break
      case 'optional':
      case 'nullable':
      case 'default':
      case 'prefault':
      case 'readonly':
        visit(def.innerType, place, around)
        break
      case 'pipe':
        visit(def.out, place, around)
        break
      case 'string':
      case 'number':
      case 'boolean':
      case 'literal':
      case 'enum':
      case 'null':
      case 'never':
        break
      case 'unknown':
        break
      default:
        throw new Error(`${place} is a ${def.type}: teach the walk to look into it`)
    }
  }
  for (const { name, schema, isPage } of answers) visit(schema, name, 1, isPage)
  return found
}

const maximumOf = ({ checks = [] }: { checks?: z.core.$ZodCheck<never>[] }): number | undefined =>
  checks.flatMap(({ _zod: { def } }) => ('maximum' in def ? [def.maximum as number] : []))[0]

/** How many words a list of these can have: what the contract names is said once. */
const wordsIn = (schema: z.core.$ZodType): number | undefined => {
  const { def } = schema._zod as { def: z.core.$ZodTypes['_zod']['def'] }
  return def.type === 'enum' ? Object.keys(def.entries).length : undefined
}
