import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { publishing, type Post } from '@clear-to-post/contract/publishing'
import { countedWords, networks, type NetworkLimits } from '@clear-to-post/domain/networks'
import { keyOf, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea, TextField } from '../../ui/fields.tsx'
import { messages } from './messages.ts'
import { faultsOf } from './post-faults.ts'

/** A post's own words, below its title where it has one; folded while they are long. */
export const PostWords = ({ post: { words, title } }: { post: Post }) => {
  const [isWhole, setWhole] = useState(false)
  const isLong = words.length > 160 || words.split('\n').length > 2
  return (
    <div className="grid justify-items-start gap-1">
      {title !== undefined && <p className="[overflow-wrap:anywhere]">{title}</p>}
      <p
        className={cx('[overflow-wrap:anywhere] whitespace-pre-wrap text-muted', isLong && !isWhole && 'line-clamp-2')}
      >
        {words}
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={isWhole}
          className="touch text-[0.8125rem] underline underline-offset-2"
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? messages.lessText : messages.wholeText}
        </button>
      )}
    </div>
  )
}

/** Other words for a post of which nothing is at its network yet, with what that network takes. */
export const RewordPost = ({ post, name }: { post: Post; name: string }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="small" aria-label={`${messages.reword}: ${name}`} onPress={() => setOpen(true)}>
        {messages.reword}
      </Button>
      {isOpen && <RewordDialog post={post} name={name} onClose={() => setOpen(false)} />}
    </>
  )
}

const RewordDialog = ({ post, name, onClose }: { post: Post; name: string; onClose: () => void }) => {
  const client = useQueryClient()
  const { id, network, projectId } = post
  const limits: NetworkLimits = networks[network]
  const [words, setWords] = useState(post.words)
  const [title, setTitle] = useState(post.title ?? '')
  const faults = faultsOf(network, { connectionId: id, words, ...(limits.title ? { title } : {}) }).texts
  const input = { params: { projectId } }
  const { mutate, isPending, error } = useCall(publishing.reword, {
    onSuccess: (fresh) => {
      onClose()
      toast.success(messages.reworded)
      client.setQueryData(keyOf(publishing.posts, input), (before?: { items: Post[] }) =>
        before ? { items: before.items.map((one) => (one.id === fresh.id ? fresh : one)) } : before,
      )
      void client.invalidateQueries({ queryKey: ['posts'] })
    },
  })
  return (
    <Dialog
      title={messages.rewordTitle(name)}
      size="medium"
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      actions={(close) => (
        <>
          <Button onPress={close}>{messages.cancel}</Button>
          <Button
            variant="primary"
            isPending={isPending}
            isDisabled={faults.length > 0 || words.trim() === ''}
            onPress={() => mutate({ params: { postId: id }, body: { words, ...(limits.title ? { title } : {}) } })}
          >
            {messages.rewordSave}
          </Button>
        </>
      )}
    >
      <div className="grid gap-4">
        {limits.title && (
          <TextField
            label={messages.postTitle}
            value={title}
            hint={messages.count(title.length, limits.title.most)}
            onChange={setTitle}
          />
        )}
        <TextArea
          label={messages.words}
          autoFocus
          value={words}
          error={words.trim() === '' ? messages.needWords : undefined}
          hint={messages.count(countedWords(network, words), limits.words.most)}
          onChange={setWords}
        />
        {(faults.length > 0 || error !== null) && (
          <div role={error === null ? 'status' : 'alert'} className="grid gap-1 text-[0.8125rem] text-danger">
            {faults.map((problem) => (
              <p key={problem}>{problem}</p>
            ))}
            {error !== null && <p>{failureWords(error)}</p>}
          </div>
        )}
      </div>
    </Dialog>
  )
}
