import { z } from 'zod'
import { mostPrompted, prompterPresses, recorderPhases } from '@clear-to-post/domain/prompter-link'
import { mostNoted } from '@clear-to-post/domain/take-log'
import { uploadParts } from '@clear-to-post/domain/upload-parts'
import { call } from './call.ts'
import { visibleText } from './visible.ts'

export const AssetId = z.uuid()
export const assetStates = ['uploading', 'received', 'checking', 'ready', 'rejected', 'failed'] as const
export const assetTypes = ['video', 'audio', 'picture', 'file'] as const

/**
 * A picture to show as somebody's photo, logo or icon: a signed address of an uploaded file, or an empty text for none.
 * Pages show pictures of their own origin alone.
 */
export const PictureAddress = z
  .string()
  .max(500)
  .refine(
    (address) => address === '' || address.startsWith('/media/'),
    'Upload the picture and give its address here; pictures on other sites are not shown.',
  )

/** The filmstrip: one picture of `columns` × `rows` tiles, one tile every `everyMs` milliseconds. */
export const Filmstrip = z.object({
  url: z.string(),
  columns: z.number().int(),
  rows: z.number().int(),
  count: z.number().int(),
  tileWidth: z.number().int(),
  tileHeight: z.number().int(),
  everyMs: z.number().int(),
})

/**
 * A file somebody sent. Addresses are signed and end after a short while: ask again rather than keep them.
 * `duration` in seconds, `fileSize` in bytes, `progress` 0 to 1 of the work in `stage`.
 */
export const Asset = z.object({
  assetId: AssetId,
  fileName: z.string(),
  extension: z.string(),
  fileSize: z.number().int(),
  /** The original file; empty until it is ready. */
  assetUrl: z.string(),
  thumbnailUrl: z.string(),
  type: z.enum(assetTypes),
  duration: z.number().optional(),
  progress: z.number().min(0).max(1).optional(),
  /** Why the file was refused, in words for the person who sent it. */
  error: z.string().optional(),
  authorId: z.uuid(),
  uploadedAt: z.iso.datetime(),
  state: z.enum(assetStates),
  /** What is being made now, in a word or two. */
  stage: z.string().optional(),
  receivedBytes: z.number().int(),
  /** It is still being recorded: how long it will be is not known, and `fileSize` is what is here. */
  isOpen: z.boolean().optional(),
  sha256: z.string().optional(),
  projectId: z.uuid().optional(),
  width: z.number().int().optional(),
  height: z.number().int().optional(),
  /** What is inside of a video: whether it is an MP4, its pictures' codec, and how many pictures there are a second. */
  format: z.object({ isMp4: z.boolean(), pictures: z.string(), rate: z.number() }).optional(),
  /** Plays in every browser; present as soon as something playable exists. */
  playUrl: z.string().optional(),
  posterUrl: z.string().optional(),
  peaksUrl: z.string().optional(),
  filmstrip: Filmstrip.optional(),
  /** What its pictures are like, for the automatic balance: coded values from 0 to 1, and differences from grey. */
  light: z
    .object({ black: z.number(), middle: z.number(), white: z.number(), blue: z.number(), red: z.number() })
    .optional(),
  /** What we noticed while the officer can still film again: too quiet, too dark… */
  notes: z.array(z.string()),
  /** Uploaded as a cut, and may not be sent for approval (`asset.not-plain`): it can be B-roll or a layer. */
  isBRollOnly: z.literal(true).optional(),
})
export type Asset = z.infer<typeof Asset>

const TakeMs = z
  .number()
  .int()
  .min(0)
  .max(24 * 3600_000)
const ScriptWord = z.number().int().min(0).max(100_000)

/** What a recorder noted while it filmed (`domain/src/take-log.ts`): words of the script by number, milliseconds of the take. */
export const TakeLog = z.object({
  again: z.array(z.object({ ms: TakeMs, word: ScriptWord })).max(mostNoted.again),
  shown: z.array(z.tuple([ScriptWord, TakeMs])).max(mostNoted.shown),
  sentence: visibleText(mostNoted.sentence)
    .optional()
    .describe('the one sentence of another take that this one says anew'),
})

const Bytes = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
/** A stretch of a file, in bytes. */
const Stretch = z.object({ at: Bytes, bytes: Bytes })

/**
 * What a recorder (`from: recorder`) and another device of the same person with its words (`from: words`) tell each other
 * (`domain/src/prompter-link.ts`). What is missing is as it was.
 */
export const PrompterNews = z.object({
  from: z.enum(['recorder', 'words']),
  phase: z.enum(recorderPhases).optional(),
  text: z.string().max(mostPrompted).optional(),
  word: ScriptWord.optional().describe('which word is shown, or was pressed'),
  isMoving: z.boolean().optional().describe('whether the words move on by themselves'),
  wordsAMinute: z.number().int().min(1).max(1000).optional(),
  press: z.enum(prompterPresses).optional(),
})
export type PrompterNews = z.infer<typeof PrompterNews>

export const assets = {
  find: call({
    method: 'GET',
    path: '/assets/:assetId',
    summary: 'A file: its state, its reason when refused, its signed addresses',
    access: 'asset.read',
    params: z.object({ assetId: AssetId }),
    returns: Asset,
    refuses: ['asset.not-found'],
  }),
  unused: call({
    method: 'GET',
    path: '/assets/unused/list/',
    summary: 'My files that belong to no project yet, newest first',
    access: 'asset.upload',
    scope: 'videos.read',
    returns: z.object({ items: z.array(Asset) }),
    refuses: [],
  }),
  note: call({
    method: 'PUT',
    path: '/assets/:assetId/log',
    summary: 'What was noted while my take was filmed, before its length is told: where a sentence was begun again',
    access: 'asset.upload',
    params: z.object({ assetId: AssetId }),
    body: TakeLog,
    returns: z.object({ success: z.literal(true) }),
    refuses: ['asset.not-found'],
  }),
  sendParts: call({
    method: 'POST',
    path: '/assets/:assetId/parts',
    summary: 'Send my upload in parts straight to the bucket: say which are put, ask for addresses of the next ones',
    access: 'asset.upload',
    unrecorded: true,
    params: z.object({ assetId: AssetId }),
    body: z.object({
      /** What the last answer told. Left out at the beginning and after anything went wrong: whoever sent before adds nothing more. */
      writer: z.uuid().optional(),
      /** Parts that have been put, by the `partId` of their addresses. */
      put: z.array(z.uuid()).max(uploadParts.atOnce).default([]),
      /** Parts that are to be put next: 8 MiB each, counted from the file’s beginning; smaller the last one, and one whose beginning is here. */
      next: z
        .array(Stretch.extend({ bytes: Bytes.min(1), sha256: z.string().regex(/^[0-9a-f]{64}$/) }))
        .max(uploadParts.atOnce)
        .default([]),
    }),
    returns: z.object({
      writer: z.uuid(),
      /** So many bytes from the file’s beginning are here. */
      receivedBytes: z.number().int(),
      /** What is here behind a gap. A part that was put and stands in neither is not counted: send it again. */
      here: z.array(Stretch),
      /** All of it is here; follow it by `GET /api/assets/{assetId}`. */
      isWhole: z.boolean(),
      /** Put each part there with these headers and exactly its bytes, until `endsAt`. */
      addresses: z.array(
        Stretch.extend({
          partId: z.uuid(),
          url: z.string(),
          headers: z.record(z.string(), z.string()),
          endsAt: z.iso.datetime(),
        }),
      ),
    }),
    refuses: [
      'asset.not-found',
      'asset.no-parts',
      'asset.busy',
      'request.invalid',
      'request.too-many',
      'service.unavailable',
    ],
  }),
  prompt: call({
    method: 'POST',
    path: '/assets/prompter',
    summary: 'Tell my other open pages where my recorder’s words are, or what was pressed beside them',
    access: 'take.prompt',
    unrecorded: true,
    body: PrompterNews,
    returns: z.object({ success: z.literal(true) }),
    refuses: [],
  }),
  discard: call({
    method: 'DELETE',
    path: '/assets/:assetId',
    summary: 'Throw away my file that belongs to no project',
    access: 'asset.upload',
    params: z.object({ assetId: AssetId }),
    returns: z.object({ success: z.literal(true) }),
    refuses: ['asset.not-found', 'asset.in-use'],
  }),
}
