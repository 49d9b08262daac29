import { z } from 'zod'
import { networkNames } from '@clear-to-post/domain/networks'
import { mostSlots } from '@clear-to-post/domain/post-slots'
import { commentStates } from '@clear-to-post/domain/post-comments'
import { editedParts, failureKinds, postStates, toldPostEvents } from '@clear-to-post/domain/posting'
import { call } from './call.ts'
import { tiktokAllowed, tiktokDisclosed, tiktokModes } from '@clear-to-post/domain/tiktok-choices'
import { isOurEra } from './era.ts'
import { visible, visibleText } from './visible.ts'

export const Network = z.enum(networkNames)

/** An account at a network that a person connected, for themselves or for their company. Its keys stay with the service. */
export const Connection = z.object({
  id: z.uuid(),
  network: Network,
  /** As the account is called there. */
  name: z.string(),
  /** `needs-sign-in`: the network let it end, and only its owner can connect it again. */
  state: z.enum(['active', 'needs-sign-in']),
  connectedAt: z.iso.datetime(),
  /** When the network ends it, whatever is done; absent when it lasts while it is used. */
  endsAt: z.iso.datetime().optional(),
  /** The network is stood in for: nothing leaves this machine. */
  isStandIn: z.boolean(),
  /** Where a network has both: a person's own profile, or a page that they administer. */
  kind: z.enum(['profile', 'page']).optional(),
  /** `company`: its admin connected it, and says which of its officers post with it. */
  owner: z.enum(['person', 'company']).optional(),
  /** What the caller may do with it now. */
  actions: z.array(z.enum(['renew', 'disconnect', 'share'])).optional(),
})
export type Connection = z.infer<typeof Connection>

/** An officer of a company, and whether they post with an account of its. */
export const ConnectionOfficer = z.object({ id: z.uuid(), name: z.string(), email: z.string(), posts: z.boolean() })
export type ConnectionOfficer = z.infer<typeof ConnectionOfficer>

/** What TikTok demands that is chosen for each post; nothing of it is chosen beforehand. */
const TiktokChoices = z.strictObject({
  /** `inbox`: it lies in the account's inbox, and its owner posts it in the app within a day. */
  mode: z.enum(tiktokModes),
  /** What others may do with it. */
  allows: z.array(z.enum(tiktokAllowed)).max(tiktokAllowed.length),
  /** It promotes somebody or something: `discloses` says whom. */
  isCommercial: z.boolean(),
  discloses: z.array(z.enum(tiktokDisclosed)).max(tiktokDisclosed.length),
  /** To TikTok's Music Usage Confirmation, and its Branded Content Policy where a third party pays. */
  agrees: z.boolean(),
})
const Privacy = z.string().regex(/^\w{1,40}$/)
const CoverMs = z.int().min(0).max(86_400_000)
const Captions = z.string().regex(/^[a-z]{2}$/)

/** What is posted where, with its own words. */
export const NewPost = z.strictObject({
  connectionId: z.uuid(),
  words: visibleText(10_000),
  title: visible(200).optional(),
  /** Who may see it, as the network calls it. */
  privacy: Privacy.optional(),
  /** The moment of the video whose picture stands before it is played, where the network takes one; absent: the network chooses. */
  coverMs: CoverMs.optional(),
  /** Captions go with it as a file in this language (`publishing.captions` says which there are), where the network takes them. */
  captions: Captions.optional(),
  /** Only for posts at TikTok. */
  tiktok: TiktokChoices.optional(),
  /** Written below it once it is there, where the network takes a comment from here. */
  comment: visibleText(10_000).optional(),
})
export type NewPost = z.infer<typeof NewPost>

/** What is changed of a post: what is absent stays, null takes it away. */
export const PostEdit = z.strictObject({
  words: visibleText(10_000).optional(),
  title: visible(200).optional(),
  privacy: Privacy.optional(),
  coverMs: CoverMs.nullable().optional(),
  captions: Captions.nullable().optional(),
  tiktok: TiktokChoices.optional(),
  comment: visibleText(10_000).nullable().optional(),
})
export type PostEdit = z.infer<typeof PostEdit>

const Count = z.int().min(0).optional()
/** How often a post was seen and answered by then, as far as its network says; absent is not told, and not none. */
export const PostFigures = z.object({
  at: z.iso.datetime(),
  views: Count,
  likes: Count,
  comments: Count,
  shares: Count,
  /** All that people watched of it together. */
  watchSeconds: Count,
})
export type PostFigures = z.infer<typeof PostFigures>

/** When somebody's own posts did best, in their zone. */
export const BestTime = z.object({
  /** Posts of the last half-year that were measured. */
  posts: z.int().min(0),
  /** So many are missing before a time can be said; 0 where there are enough. */
  needed: z.int().min(0),
  /** 1 is Monday; `lift`: so many times what posts of the same account usually have. Absent where no day is clearly better. */
  weekday: z.object({ weekday: z.int().min(1).max(7), lift: z.number() }).optional(),
  /** From this hour on, for three hours; absent where no part of the day is clearly better. */
  hour: z.object({ hour: z.int().min(0).max(23), lift: z.number() }).optional(),
  /** The next such moment. */
  next: z.iso.datetime().optional(),
})
export type BestTime = z.infer<typeof BestTime>

/** One video on its way to one network. */
export const Post = z.object({
  id: z.uuid(),
  projectId: z.uuid(),
  /** The project's title. */
  projectTitle: z.string(),
  network: Network,
  /** The account, as it is called there; absent once it is disconnected. */
  account: z.string().optional(),
  /** Which connection that is. */
  connectionId: z.uuid().optional(),
  words: z.string(),
  title: z.string().optional(),
  dueAt: z.iso.datetime(),
  /** When the scheduled video itself goes out; a post may have been moved to a time of its own. Absent where it is not scheduled. */
  videoAt: z.iso.datetime().optional(),
  state: z.enum(postStates),
  /** Why it was not posted, and what helps. */
  failure: z.object({ kind: z.enum(failureKinds), words: z.string() }).optional(),
  /** When it is tried or looked at next; absent when nothing more happens by itself. */
  nextAt: z.iso.datetime().optional(),
  /** Who may see it, as the network calls it; absent where nothing is chosen. */
  privacy: z.string().optional(),
  /** The moment whose picture stands before it; absent: the network chooses. */
  coverMs: z.int().optional(),
  /** The language of the captions that go with it as a file. */
  captions: z.string().optional(),
  /** What was chosen for TikTok. */
  tiktok: TiktokChoices.optional(),
  /** The network does not take the approved file as it is: one that was made of it is posted. */
  isFitted: z.boolean().optional(),
  /** What was left out of it because the network did not take that: the post itself is there. */
  remarks: z.array(z.string()).optional(),
  /** Where it is to be seen. */
  address: z.string().optional(),
  liveAt: z.iso.datetime().optional(),
  /** What its network said of it last; absent before that, and where it says nothing. */
  figures: PostFigures.optional(),
  /** The latest of what happened to it; only where the posts of one project are asked for. */
  history: z
    .array(
      z.object({
        event: z.enum(toldPostEvents),
        at: z.iso.datetime(),
        /** To which time it was moved. */
        dueAt: z.iso.datetime().optional(),
        /** What of it was changed. */
        changed: z.array(z.enum(editedParts)).optional(),
      }),
    )
    .optional(),
  /** What the caller may do with it now. */
  actions: z.array(
    z.enum(['confirm', 'deny', 'repeat', 'move', 'reword', 'withdraw', 'remove', 'confirmComment', 'repeatComment']),
  ),
  /** Its first comment, and why it is not there where it failed: the post itself is. */
  comment: z
    .object({
      words: z.string(),
      state: z.enum(commentStates),
      failure: z.object({ kind: z.enum(failureKinds), words: z.string() }).optional(),
    })
    .optional(),
})
export type Post = z.infer<typeof Post>

/** A time of the week at which somebody posts, as the clocks of their account show it. */
export const PostSlot = z.strictObject({
  /** 1 is Monday. */
  weekday: z.int().min(1).max(7),
  /** Such as 09:00. */
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
})
export type PostSlot = z.infer<typeof PostSlot>

const Slots = z.object({
  items: z.array(PostSlot),
  /** The first one that is free, within half a year; absent where there is none. */
  next: z.iso.datetime().optional(),
})

const inProject = z.object({ projectId: z.uuid() })
const inConnection = z.object({ connectionId: z.uuid() })
const inPost = z.object({ postId: z.uuid() })

export const publishing = {
  connections: call({
    method: 'GET',
    path: '/connections/',
    summary:
      'The accounts that I connected or post with, for a company’s admin those of the company; and the networks where I may connect one',
    access: 'connection.end',
    returns: z.object({
      /** Networks that this server reaches; none for who connects nothing. */
      networks: z.array(
        z.object({
          network: Network,
          name: z.string(),
          isStandIn: z.boolean(),
          /** `browser`: by a way there and back; `app-password`: with a password that is made there for this app. */
          signIn: z.enum(['browser', 'app-password']),
          /** Pages that a person administers are connected with their profile. */
          hasPages: z.boolean().optional(),
        }),
      ),
      items: z.array(Connection),
    }),
    refuses: [],
  }),
  connect: call({
    method: 'POST',
    path: '/connections/start/',
    summary: 'Begin to connect an account: where the browser goes',
    access: 'connection.own',
    needsVerifiedAddress: true,
    body: z.strictObject({ network: Network }),
    returns: z.object({ address: z.url() }),
    // Its answer holds a secret.
    unrecorded: true,
    refuses: ['connection.not-for-you', 'connection.not-offered', 'connection.too-many'],
  }),
  finishConnecting: call({
    method: 'POST',
    path: '/connections/finish/',
    summary: 'End the way to a network with what it sent back',
    access: 'connection.own',
    needsVerifiedAddress: true,
    body: z.strictObject({
      state: z.string().regex(/^[\w-]{1,200}$/),
      code: z.string().regex(/^[\x21-\x7e]{1,4000}$/),
    }),
    returns: z.object({ items: z.array(Connection) }),
    unrecorded: true,
    asksOutside: true,
    refuses: [
      'connection.not-for-you',
      'connection.not-offered',
      'connection.oauth-flow-ended',
      'connection.refused',
      'connection.silent',
      'connection.too-many',
      'request.too-many',
    ],
  }),
  connectWithPassword: call({
    method: 'POST',
    path: '/connections/password/',
    summary: 'Connect an account with a password that its owner made for this app at the network',
    access: 'connection.own',
    needsVerifiedAddress: true,
    body: z.strictObject({
      network: Network,
      /** The account as the network calls it, for example sam.bsky.social. */
      name: visible(253),
      /** Kept nowhere: what the network gives for it is. */
      password: z.string().regex(/^[\x21-\x7e]{1,200}$/),
      /** Where the account lives, when it is not the network's own server. */
      server: z
        .url({ protocol: /^https$/ })
        .max(300)
        .optional(),
    }),
    returns: z.object({ items: z.array(Connection) }),
    unrecorded: true,
    asksOutside: true,
    refuses: [
      'connection.not-for-you',
      'connection.not-offered',
      'connection.wrong-password',
      'connection.refused',
      'connection.silent',
      'connection.too-many',
      'request.too-many',
    ],
  }),
  disconnect: call({
    method: 'DELETE',
    path: '/connections/:connectionId/',
    summary: 'Disconnect an account: its keys are erased, and what was to be posted there is withdrawn',
    access: 'connection.end',
    params: z.object({ connectionId: z.uuid() }),
    returns: z.object({
      /** Whether the network ended it, too; where not, its owner does so in the account's settings there. */
      isRevoked: z.boolean(),
    }),
    unrecorded: true,
    asksOutside: true,
    refuses: ['connection.not-found', 'request.too-many'],
  }),
  officers: call({
    method: 'GET',
    path: '/connections/:connectionId/officers/',
    summary: 'My company’s officers, at most 100: those who post with this account of ours first',
    access: 'connection.share',
    params: inConnection,
    query: z.strictObject({ search: visible(100).optional() }),
    returns: z.object({ items: z.array(ConnectionOfficer) }),
    refuses: ['connection.not-found'],
  }),
  letOfficer: call({
    method: 'PUT',
    path: '/connections/:connectionId/officers/:userId/',
    summary: 'Let an officer of my company post with this account of ours',
    access: 'connection.share',
    needsVerifiedAddress: true,
    params: inConnection.extend({ userId: z.uuid() }),
    returns: ConnectionOfficer,
    refuses: ['connection.not-found', 'account.not-found'],
  }),
  stopOfficer: call({
    method: 'DELETE',
    path: '/connections/:connectionId/officers/:userId/',
    summary: 'Let an officer post with this account no more: what they were to post there is withdrawn',
    access: 'connection.share',
    params: inConnection.extend({ userId: z.uuid() }),
    returns: ConnectionOfficer,
    refuses: ['connection.not-found', 'account.not-found'],
  }),
  posts: call({
    method: 'GET',
    path: '/projects/:projectId/posts/',
    summary: 'The newest 200 posts of a project, the newest first',
    access: 'post.read',
    params: inProject,
    returns: z.object({ items: z.array(Post) }),
    refuses: ['project.not-found'],
  }),
  captions: call({
    method: 'GET',
    path: '/projects/:projectId/captions/',
    summary:
      'In which languages captions of my approved video can go with its posts as a file: none for a file that was sent in',
    access: 'post.write',
    params: inProject,
    returns: z.object({ languages: z.array(z.string()) }),
    refuses: ['project.not-found'],
  }),
  calendar: call({
    method: 'GET',
    path: '/posts/calendar/',
    summary: 'My posts that are due between two moments, at most 500, by time',
    access: 'post.write',
    query: z.strictObject({ from: z.iso.datetime({ offset: true }), to: z.iso.datetime({ offset: true }) }),
    returns: z.object({ items: z.array(Post) }),
    refuses: [],
  }),
  figures: call({
    method: 'GET',
    path: '/posts/figures/',
    summary: 'How my posts of the last 90 days did, at most 500, the newest first; and when my posts do best',
    access: 'post.write',
    returns: z.object({ items: z.array(Post), bestTime: BestTime }),
    refuses: [],
  }),
  slots: call({
    method: 'GET',
    path: '/posts/slots/',
    summary: 'When in the week I post, and the next free slot',
    access: 'post.write',
    returns: Slots,
    refuses: [],
  }),
  setSlots: call({
    method: 'PUT',
    path: '/posts/slots/',
    summary: 'Say when in the week I post; these replace those of before',
    access: 'post.write',
    needsVerifiedAddress: true,
    body: z.strictObject({ items: z.array(PostSlot).max(mostSlots) }),
    returns: Slots,
    refuses: [],
  }),
  repeat: call({
    method: 'POST',
    path: '/posts/:postId/repeat/',
    summary: 'Post again: after a failure, or where its officer looked and it is not there',
    access: 'post.write',
    params: inPost,
    returns: Post,
    refuses: ['post.not-found', 'post.wrong-state', 'connection.not-found', 'post.does-not-fit'],
  }),
  confirm: call({
    method: 'POST',
    path: '/posts/:postId/confirm/',
    summary: 'It is there: its officer looked, or, where they are gone, the admin of the company whose account it is',
    access: 'post.answer',
    params: inPost,
    body: z.strictObject({
      address: z
        .url({ protocol: /^https?$/ })
        .max(2000)
        .optional(),
    }),
    returns: Post,
    refuses: ['post.not-found', 'post.wrong-state'],
  }),
  deny: call({
    method: 'POST',
    path: '/posts/:postId/deny/',
    summary:
      'It is not there: its officer looked, or, where they are gone, the admin of the company whose account it is',
    access: 'post.answer',
    params: inPost,
    returns: Post,
    refuses: ['post.not-found', 'post.wrong-state'],
  }),
  move: call({
    method: 'POST',
    path: '/posts/:postId/move/',
    summary: 'Move one post to another time; the video and its other posts stay',
    access: 'post.write',
    params: inPost,
    body: z.strictObject({ dueAt: z.iso.datetime({ offset: true }).refine(isOurEra, 'Choose an earlier time') }),
    returns: Post,
    refuses: ['post.not-found', 'post.wrong-state', 'post.time-near', 'post.time-past'],
  }),
  reword: call({
    method: 'POST',
    path: '/posts/:postId/words/',
    summary:
      'Change a post of which nothing is at its network yet: its text, and title, cover, captions, first comment and who may see it where its network has them',
    access: 'post.write',
    params: inPost,
    body: PostEdit,
    returns: Post,
    refuses: ['post.not-found', 'post.wrong-state', 'post.does-not-fit'],
  }),
  repeatComment: call({
    method: 'POST',
    path: '/posts/:postId/comment/repeat/',
    summary: 'Write the first comment again: after a failure, or where its officer looked and it is not there',
    access: 'post.write',
    params: inPost,
    returns: Post,
    refuses: ['post.not-found', 'post.wrong-state'],
  }),
  confirmComment: call({
    method: 'POST',
    path: '/posts/:postId/comment/confirm/',
    summary: 'The first comment is there: its officer looked',
    access: 'post.write',
    params: inPost,
    returns: Post,
    refuses: ['post.not-found', 'post.wrong-state'],
  }),
  withdraw: call({
    method: 'POST',
    path: '/posts/:postId/withdraw/',
    summary: 'Take one post back before it is posted; the others stay',
    access: 'post.write',
    params: inPost,
    returns: Post,
    refuses: ['post.not-found', 'post.wrong-state'],
  }),
  takeDown: call({
    method: 'POST',
    path: '/posts/:postId/takeDown/',
    summary: 'Take a post down from its network: my own, or as a company’s admin one on an account of the company',
    access: 'post.remove',
    params: inPost,
    returns: Post,
    unrecorded: true,
    asksOutside: true,
    refuses: [
      'post.not-found',
      'post.wrong-state',
      'connection.not-found',
      'connection.refused',
      'connection.silent',
      'request.too-many',
    ],
  }),
}
