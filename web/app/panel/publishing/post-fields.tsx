import type { NewPost } from '@clear-to-post/contract/publishing'
import { countedWords, networks, type Network, type NetworkLimits } from '@clear-to-post/domain/networks'
import { TextArea, TextField } from '../../ui/fields.tsx'
import { Select } from '../../ui/select.tsx'
import type { Captioned } from './caption-words.tsx'
import { CaptionsChoice } from './captions-choice.tsx'
import { CommentChoice } from './comment-choice.tsx'
import { CoverChoice } from './cover-choice.tsx'
import { messages } from './messages.ts'
import { faultsOf } from './post-faults.ts'
import { TiktokChoice } from './tiktok-choice.tsx'

/** What an officer writes and chooses for a post, whether it is to be made or changed. */
export type Written = Omit<NewPost, 'connectionId'>

/** All that this network has for a post, each with what is wrong with it. */
export const PostFields = ({
  network,
  name,
  post,
  languages,
  captioned,
  video,
  lastMs,
  isTried,
  onChange,
}: {
  network: Network
  /** Whose account it is. */
  name: string
  post: Written
  /** In which there are captions of the video. */
  languages: readonly string[]
  captioned: Captioned | undefined
  video: string | undefined
  /** How long it is; null where that is not known. */
  lastMs: number | null
  /** What is not answered yet is said at its field. */
  isTried: boolean
  onChange: (part: Partial<Written>) => void
}) => {
  const limits: NetworkLimits = networks[network]
  const { texts, comment: ofComment, tiktok } = faultsOf(network, post)
  const unanswered = isTried ? tiktok : {}
  return (
    <div className="grid gap-3">
      <div className="grid gap-3" data-fault={texts.length > 0 || undefined}>
        {limits.title && (
          <TextField
            label={messages.postTitle}
            value={post.title ?? ''}
            hint={messages.count((post.title ?? '').length, limits.title.most)}
            onChange={(title) => onChange({ title })}
          />
        )}
        <TextArea
          label={messages.words}
          rows={2}
          value={post.words}
          error={isTried && post.words.trim() === '' ? messages.needWords : undefined}
          hint={messages.count(countedWords(network, post.words), limits.words.most)}
          onChange={(words) => onChange({ words })}
        />
        {texts.length > 0 && (
          <div role="status" className="grid gap-1 text-[0.8125rem] text-danger">
            {texts.map((problem) => (
              <p key={problem}>{problem}</p>
            ))}
          </div>
        )}
      </div>
      {network === 'tiktok' && (
        <TiktokChoice
          label={name}
          value={post.tiktok}
          faults={unanswered}
          onChange={(choices) =>
            onChange({ tiktok: { ...choices, allows: [...choices.allows], discloses: [...choices.discloses] } })
          }
        />
      )}
      {limits.privacy && post.tiktok?.mode !== 'inbox' && (
        <div data-fault={unanswered.privacy !== undefined || undefined}>
          <Select
            error={unanswered.privacy}
            label={messages.privacy}
            placeholder={messages.choosePrivacy}
            value={post.privacy ?? null}
            options={limits.privacy.choices.map((value) => ({ value, label: messages.privacies[value] ?? value }))}
            onChange={(privacy) => onChange({ privacy })}
          />
        </div>
      )}
      {limits.takesCover && post.tiktok?.mode !== 'inbox' && (
        <CoverChoice
          label={name}
          video={video}
          lastMs={lastMs}
          value={post.coverMs}
          onChange={(coverMs) => onChange({ coverMs })}
        />
      )}
      {limits.captions && languages.length > 0 && (
        <CaptionsChoice
          languages={languages}
          of={captioned}
          value={post.captions}
          onChange={(captions) => onChange({ captions })}
        />
      )}
      {limits.comment && (
        <CommentChoice
          label={name}
          most={limits.comment.most}
          count={(words) => countedWords(network, words)}
          value={post.comment}
          error={ofComment && (isTried || !ofComment.isUnwritten) ? ofComment.words : undefined}
          onChange={(comment) => onChange({ comment })}
        />
      )}
    </div>
  )
}
