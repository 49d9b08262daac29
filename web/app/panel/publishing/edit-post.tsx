import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { publishing, type Post } from '@clear-to-post/contract/publishing'
import { networks, type NetworkLimits } from '@clear-to-post/domain/networks'
import { keyOf, query, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useDraft } from '../project/use-draft.ts'
import type { Approved } from './approved-file.ts'
import { messages } from './messages.ts'
import { faultsOf, hasFaults } from './post-faults.ts'
import { PostFields, type Written } from './post-fields.tsx'

type EditProps = { post: Post; name: string; approved: Approved }

/** Changes a post of which nothing is at its network yet, within what that network takes. */
export const EditPost = (props: EditProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="small" aria-label={`${messages.reword}: ${props.name}`} onPress={() => setOpen(true)}>
        {messages.reword}
      </Button>
      {isOpen && <EditDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

const EditDialog = ({
  post,
  name,
  approved: { file, video, captioned },
  onClose,
}: EditProps & { onClose: () => void }) => {
  const client = useQueryClient()
  const { id, network, projectId } = post
  const limits: NetworkLimits = networks[network]
  const [written, setWritten, sent] = useDraft<Written>(`post ${id}`, writtenOf(post, limits))
  const input = { params: { projectId } }
  const { data } = useQuery({ ...query(publishing.captions, input), enabled: limits.captions !== undefined })
  const { mutate, isPending, error } = useCall(publishing.reword, {
    onMutate: () => written,
    onSuccess: (fresh, _, pressed) => {
      if (sent(pressed) === null) onClose()
      toast.success(messages.reworded)
      client.setQueryData(keyOf(publishing.posts, input), (before?: { items: Post[] }) =>
        before ? { items: before.items.map((one) => (one.id === fresh.id ? fresh : one)) } : before,
      )
      void client.invalidateQueries({ queryKey: ['posts'] })
      // Its history is not in the answer.
      void client.invalidateQueries({ queryKey: keyOf(publishing.posts, input) })
    },
  })
  const save = () => {
    const { coverMs = null, captions = null, comment = null, ...rest } = written
    mutate({ params: { postId: id }, body: { ...rest, coverMs, captions, comment } })
  }
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
            isDisabled={hasFaults(faultsOf(network, written)) || written.words.trim() === ''}
            onPress={save}
          >
            {messages.rewordSave}
          </Button>
        </>
      )}
    >
      <PostFields
        network={network}
        name={name}
        post={written}
        languages={data?.languages ?? []}
        captioned={captioned}
        video={video}
        lastMs={file?.durationMs ?? null}
        isTried
        onChange={(part) => setWritten({ ...written, ...part })}
      />
      {error !== null && (
        <p role="alert" className="mt-3 text-[0.8125rem] text-danger">
          {failureWords(error)}
        </p>
      )}
    </Dialog>
  )
}

/** What stands in a post, as far as its network has it. */
const writtenOf = (
  { words, title, privacy, coverMs, captions, tiktok, comment }: Post,
  limits: NetworkLimits,
): Written => ({
  words,
  ...(limits.title ? { title: title ?? '' } : {}),
  ...(privacy === undefined ? {} : { privacy }),
  ...(coverMs === undefined ? {} : { coverMs }),
  ...(captions === undefined ? {} : { captions }),
  ...(tiktok === undefined ? {} : { tiktok }),
  ...(comment === undefined ? {} : { comment: comment.words }),
})
