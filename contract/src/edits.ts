import { z } from 'zod'
import { outcomeNames } from '@clear-to-post/domain/first-cut'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { editActions, renderActions, renderStates } from '@clear-to-post/domain/edits'
import { Asset, AssetId } from './assets.ts'
import { call } from './call.ts'
import { Clip } from './clips.ts'
import { line, visible } from './visible.ts'

/**
 * A recipe as it travels: a versioned document, read and brought up to date by `edit/recipe`. The contract does not fix
 * its shape, so that a client of last month can still save.
 */
export const RecipeDocument = z.looseObject({ version: z.number().int() })

/** The edit of a project: the recipe, or how far the first cut is. Between staff; an officer sees what comes out of it. */
export const Edit = z.object({
  projectId: z.uuid(),
  /** `none` before the first cut was asked for; `failed` with a reason: an editor can still make a cut elsewhere. */
  state: z.enum(['none', 'waiting', 'preparing', 'ready', 'failed']),
  stage: z.string().optional(),
  /** 0 to 1. */
  progress: z.number().min(0).max(1).optional(),
  reason: z.string().optional(),
  /** Counts what was saved; 0 without a recipe. Send it along when saving. */
  revision: z.number().int().min(0),
  recipe: RecipeDocument.optional(),
  /** As the rules made it, to go back to. */
  firstCut: RecipeDocument.optional(),
  /** What the words were to be. */
  script: z.string(),
  /** How the words were found, in a sentence or two for the editor. */
  transcript: z.object({ means: z.string(), notes: z.array(z.string()) }).optional(),
  /** What this caller may do with it now. */
  actions: z.array(z.enum(editActions)),
  /** Every file that the recipe names and the project has. */
  assets: z.array(Asset),
  /** The clips of B-roll libraries that the recipe shows, as far as they are still there. */
  clips: z.array(Clip),
  modified: z.iso.datetime().optional(),
})
export type Edit = z.infer<typeof Edit>

/** One making of the finished file from a recipe. */
export const Render = z.object({
  id: z.uuid(),
  projectId: z.uuid(),
  /** The revision of the edit that it shows. */
  revision: z.number().int(),
  state: z.enum(renderStates),
  /** What is being done, in words; of a queued one, why it waits for another try. */
  stage: z.string().optional(),
  /** 0 to 1. */
  progress: z.number().min(0).max(1).optional(),
  secondsLeft: z.number().min(0).optional(),
  reason: z.string().optional(),
  /** What is different from the render before, in words. */
  changes: z.array(z.string()),
  /** The finished file, once done; it is sent to approval like any cut. */
  asset: Asset.optional(),
  /** What this caller may do with it now: stop it, or have the same made again after it failed or was stopped. */
  actions: z.array(z.enum(renderActions)),
  askedAt: z.iso.datetime(),
})
export type Render = z.infer<typeof Render>

/** What of an edit is made before its render is asked for: then only the rest is made, and all is joined. */
export const RenderAhead = z.object({
  /** The revision of the edit that this is about; 0 when nothing was begun. */
  revision: z.number().int().min(0),
  /**
   * `off` while the edit is nobody's work; `waiting` and `running` until all is `done`; `stopped` where it is not tried
   * again before the edit changes.
   */
  state: z.enum(['off', 'waiting', 'running', 'done', 'stopped']),
  /** Milliseconds of the video of that revision. */
  length: z.number().int().min(0),
  /** The stretches of it that are made, in order, in milliseconds. */
  ready: z.array(z.object({ from: z.number().int(), to: z.number().int() })),
  /** By how many decibels takes are heard to be louder once their voice is cleaned, as far as that was measured. */
  cleaned: z.array(z.object({ assetId: AssetId, louder: z.number() })),
  /**
   * Of takes that were ever held steady: the signed address of what was measured of how their camera shook, a JSON document, at
   * that many frames a second. Null where nobody could tell: such a take stays as it was filmed.
   */
  shakes: z.array(
    z.object({
      assetId: AssetId,
      fps: z.object({ num: z.number().int().min(1), den: z.number().int().min(1) }),
      url: z.string().nullable(),
    }),
  ),
  /**
   * Of takes whose room is heard under the cuts: the signed address of a loop of it, a WAV file, and by how many decibels
   * browsers play the take louder than the finished file has it. Null where no room is to be heard.
   */
  tones: z.array(z.object({ assetId: AssetId, louder: z.number(), url: z.string().nullable() })),
})
export type RenderAhead = z.infer<typeof RenderAhead>

/** What editors made of a rule's decisions; `none` is what they took out by hand where no rule is about it. */
export const RuleFigures = z.object({
  rule: z.enum(outcomeNames),
  /** Decisions that were sent as the rule made them, and those that were not. */
  kept: z.number().int(),
  undone: z.number().int(),
  /** The same by a person's hand. */
  added: z.number().int(),
})
export type RuleFigures = z.infer<typeof RuleFigures>

/** A word to spell right, and how it sounds where nobody could tell: `NMLS`, “en em el es”. */
export const GlossaryEntry = z.strictObject({
  /** As it must be written. */
  term: visible(80),
  sounds: line(160).optional(),
  /** What a transcriber tends to write instead. */
  mistaken: z.array(visible(80)).max(20).optional(),
})
export type GlossaryEntry = z.infer<typeof GlossaryEntry>
const entries = z.array(GlossaryEntry).max(mostKept.words)

const inProject = z.object({ projectId: z.uuid() })
const inRender = z.object({ renderId: z.uuid() })
const inUser = z.object({ userId: z.uuid() })

export const edits = {
  find: call({
    method: 'GET',
    path: '/projects/:projectId/edit/',
    summary: 'The edit of a project: its recipe, or how far the first cut is',
    access: 'edit.read',
    params: inProject,
    returns: Edit,
    refuses: ['project.not-found'],
  }),
  save: call({
    method: 'PUT',
    path: '/projects/:projectId/edit/',
    summary: 'Save the recipe; `revision` is the one it was made from',
    access: 'edit.write',
    params: inProject,
    body: z.strictObject({ revision: z.number().int().min(0), recipe: RecipeDocument }),
    returns: z.object({ revision: z.number().int(), modified: z.iso.datetime() }),
    refuses: ['project.not-found', 'edit.not-yours', 'edit.at-rest', 'edit.changed', 'edit.invalid', 'asset.not-found'],
  }),
  make: call({
    method: 'POST',
    path: '/projects/:projectId/edit/first-cut/',
    summary: 'Find the words anew and make the first cut again, from a script, typed words or a caption file',
    access: 'edit.write',
    params: inProject,
    body: z.strictObject({
      /** What was said, as written; SRT and WebVTT are taken too. Left out: the script of before. */
      script: z.string().max(60_000).optional(),
    }),
    returns: Edit,
    refuses: ['project.not-found', 'edit.not-yours', 'edit.at-rest', 'edit.script-too-long'],
  }),
  clips: call({
    method: 'GET',
    path: '/projects/:projectId/clips/',
    summary: 'Clips for a project from its company’s B-roll library and the service’s, the fitting ones first',
    access: 'edit.read',
    params: inProject,
    query: z.strictObject({
      /** The words that the clip is to cover; a clip about these comes first. */
      words: z.string().max(2000).optional(),
      /** The sentence around them; it counts less. */
      sentence: z.string().max(2000).optional(),
      /** Only clips about all of these. */
      search: z.string().max(200).optional(),
    }),
    returns: z.object({
      items: z.array(Clip),
      /** How many of them, from the first, fit the words or their sentence. */
      fitting: z.number().int(),
    }),
    refuses: ['project.not-found'],
  }),
  renders: call({
    method: 'GET',
    path: '/projects/:projectId/renders/',
    summary: 'The renders of a project, newest first',
    access: 'edit.read',
    params: inProject,
    returns: z.object({ items: z.array(Render) }),
    refuses: ['project.not-found'],
  }),
  ahead: call({
    method: 'GET',
    path: '/projects/:projectId/renders/ahead/',
    summary: 'What of a project’s edit is already made, before its render is asked for',
    access: 'edit.read',
    params: inProject,
    returns: RenderAhead,
    refuses: ['project.not-found'],
  }),
  render: call({
    method: 'POST',
    path: '/projects/:projectId/renders/',
    summary:
      'Make the finished file from the recipe as it is saved now; where the newest file shows just that, its render is answered',
    // Each reads three recipes and compares them.
    perMinute: 30,
    access: 'edit.write',
    params: inProject,
    body: z.strictObject({ revision: z.number().int().min(1) }),
    returns: Render,
    creates: true,
    refuses: [
      'project.not-found',
      'edit.not-yours',
      'edit.at-rest',
      'edit.changed',
      'edit.empty',
      'edit.too-long',
      'render.crashed',
      'render.running',
    ],
  }),
  cancelRender: call({
    method: 'POST',
    path: '/renders/:renderId/cancel/',
    summary: 'Stop a render; what it made so far is kept for the next one',
    access: 'edit.write',
    params: inRender,
    returns: Render,
    refuses: ['render.not-found', 'edit.not-yours', 'edit.at-rest'],
  }),
  retryRender: call({
    method: 'POST',
    path: '/renders/:renderId/retry/',
    summary: 'Render the same recipe again, after a failure or a stop',
    // Each reads three recipes and compares them.
    perMinute: 30,
    access: 'edit.write',
    params: inRender,
    returns: Render,
    refuses: [
      'render.not-found',
      'edit.not-yours',
      'edit.at-rest',
      'edit.too-long',
      'render.crashed',
      'render.running',
    ],
  }),
  handOver: call({
    method: 'GET',
    path: '/projects/:projectId/edit/hand-over/',
    summary:
      'A zip for other editing programs: sources, EDL, OTIO, FCPXML, SRT, WebVTT, and the code that brings the cut back',
    access: 'edit.read',
    params: inProject,
    returns: z.object({
      /** Signed, for two hours at least. */
      url: z.string(),
      /** A finished file with this in its name becomes a cut of this project, wherever staff upload it. */
      jobCode: z.string(),
    }),
    refuses: ['project.not-found', 'edit.none'],
  }),
  rules: call({
    method: 'GET',
    path: '/edits/rules/',
    summary: 'What editors kept, undid and added by hand of each rule of the first cut, in the videos that they sent',
    access: 'rule.read',
    query: z.strictObject({
      /** Of the last cut that each video sent in so many days up to now. */
      days: z.coerce.number().int().min(1).max(366).default(30),
    }),
    returns: z.object({
      since: z.iso.datetime(),
      /** Videos that were counted. */
      videos: z.number().int(),
      items: z.array(RuleFigures),
    }),
    refuses: [],
  }),
  glossary: call({
    method: 'GET',
    path: '/users/:userId/glossary/',
    summary: 'The words to spell right for an officer: their own and their company’s',
    access: 'edit.read',
    params: inUser,
    returns: z.object({ own: entries, company: entries }),
    refuses: ['account.not-found'],
  }),
  changeGlossary: call({
    method: 'PUT',
    path: '/users/:userId/glossary/',
    summary: 'Add and remove words to spell right: the officer’s own, or those of the whole company',
    access: 'edit.write',
    params: inUser,
    body: z.strictObject({
      whose: z.enum(['own', 'company']),
      /** What is there already just as it is stays; one whose spelling is there with other sounds is refused. */
      add: entries.optional(),
      /** Terms, in any case; removed first, so that one call can change a word. What is not there is no mistake. */
      remove: z.array(visible(80)).max(mostKept.words).optional(),
    }),
    returns: z.object({ own: entries, company: entries }),
    refuses: ['account.not-found', 'tenant.none', 'glossary.there', 'glossary.too-many'],
  }),
}
