import { useState, type ReactNode } from 'react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Clapperboard, Copy, EllipsisVertical, Pencil, Trash2, Video } from 'lucide-react'
import { toast } from 'sonner'
import { scripts } from '@clear-to-post/contract/scripts'
import { useCall } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { cx } from '../../ui/cx.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { isOpenTo } from '../entries.ts'
import { DetailPage } from '../detail-page.tsx'
import { PageHead } from '../page-head.tsx'
import { hasScriptOrTitle, putScript } from '../projects/draft.ts'
import { fillBlanks, knownBlanks } from './blanks.ts'
import { CategoryPicture } from './category-picture.tsx'
import { messages } from './messages.ts'
import { ScriptDialog } from './script-dialog.tsx'
import { shortened, speakingTime } from './speaking.ts'
import { refreshScripts, useLibrary, type Category, type Script } from './use-library.ts'
import { onDevice } from '../../storage.ts'

const route = getRouteApi('/panel/scripts/$scriptId')

/** One script, large enough to read from. */
export const ScriptPage = () => {
  const { scriptId } = route.useParams()
  const { library, own, mayWrite } = useLibrary()
  const category = library.data?.categories.find(({ scripts }) => scripts.some(({ id }) => id === scriptId))
  const script = category?.scripts.find(({ id }) => id === scriptId) ?? own.items?.find(({ id }) => id === scriptId)
  if (script) return <Reading script={script} category={category} mayWrite={category ? mayWrite : true} />
  const isLoaded = library.data !== undefined && own.items !== undefined
  return (
    <DetailPage
      title={messages.title}
      back={back}
      found={{
        data: undefined,
        error: library.error ?? own.error,
        refetch: () => Promise.all([library.refetch(), own.refetch()]),
      }}
      isGone={isLoaded}
      missing={{ title: messages.missingTitle, text: messages.missingText, toList: messages.back }}
      failed={messages.failed}
      loading={
        <>
          <Skeleton className="mb-6 h-8 w-3/4" />
          {[0, 1, 2, 3, 4, 5].map((line) => (
            <Skeleton key={line} className="mb-3 h-6 w-full" />
          ))}
        </>
      }
      className="mx-auto max-w-2xl py-6"
    >
      {() => null}
    </DetailPage>
  )
}

const Reading = ({
  script,
  category,
  mayWrite,
}: {
  script: Script
  category: Category | undefined
  mayWrite: boolean
}) => {
  const user = useUser()
  const navigate = useNavigate()
  const [size, setSize] = useState(keptSize)
  const [open, setOpen] = useState<'edit' | 'remove' | 'replace' | 'record' | null>(null)
  const mayUse = isOpenTo(user, paths.newVideo)
  const hasGaps = /\[[^\]]+\]/.test(script.content)
  const close = () => setOpen(null)

  const put = () => {
    const filled = fillBlanks(script.content, knownBlanks(user).values)
    const words = shortened(filled, mostInField)
    putScript(user.id, { title: script.title.slice(0, 120), words })
    return words === filled
  }
  const record = () => {
    put()
    void navigate({ to: paths.record })
  }
  const startVideo = () => {
    const isWhole = put()
    toast.success(isWhole ? messages.used : messages.shortened)
    void navigate({ to: paths.newVideo })
  }
  const remove = useCall(scripts.remove, {
    onSuccess: () => {
      void refreshScripts()
      toast.success(messages.removed)
      void navigate({ to: paths.scripts, replace: true })
    },
    onError: toastFailure,
  })
  const copy = useCall(scripts.create, {
    onSuccess: ({ id }) => {
      void refreshScripts()
      toast.success(messages.copied, {
        action: {
          label: messages.open,
          onClick: () => void navigate({ to: paths.script, params: { scriptId: id } }),
        },
      })
    },
    onError: toastFailure,
  })

  return (
    <>
      <PageHead
        title={script.title}
        back={back}
        actions={
          <>
            <Choice
              label={messages.size}
              value={size}
              onChange={(chosen) => {
                onDevice.keep('script-size', chosen)
                setSize(chosen)
              }}
              options={sizes.map((key) => ({
                key,
                name: messages.sizes[key],
                label: <span className={letterLook[key]}>A</span>,
              }))}
            />
            {(mayWrite || category) && (
              <Menu
                label={messages.actions}
                trigger={
                  <IconButton label={messages.actions}>
                    <EllipsisVertical aria-hidden />
                  </IconButton>
                }
              >
                {mayWrite && (
                  <MenuItem icon={<Pencil aria-hidden />} onAction={() => setOpen('edit')}>
                    {messages.edit}
                  </MenuItem>
                )}
                {category && (
                  <MenuItem
                    icon={<Copy aria-hidden />}
                    onAction={() =>
                      copy.mutate({
                        body: { title: script.title, content: script.content, tags: script.tags ?? [] },
                      })
                    }
                  >
                    {messages.copyOwn}
                  </MenuItem>
                )}
                {mayWrite && (
                  <MenuItem icon={<Trash2 aria-hidden />} isDanger onAction={() => setOpen('remove')}>
                    {messages.remove}
                  </MenuItem>
                )}
              </Menu>
            )}
            {mayUse && (
              <span className="flex gap-2 max-md:hidden">
                <UseButton onPress={() => ask(user.id, 'replace', startVideo, setOpen)} />
                <RecordButton onPress={() => ask(user.id, 'record', record, setOpen)} />
              </span>
            )}
          </>
        }
      />
      <article className="mx-auto grid max-w-2xl grid-cols-[minmax(0,1fr)] gap-5 px-4 py-6 md:py-10">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-muted">
          {category && (
            <span className="inline-flex items-center gap-2">
              <CategoryPicture category={category} className="size-6 rounded-md!" />
              {category.title}
            </span>
          )}
          <span className="figures">{messages.speaking(speakingTime(script.content))}</span>
          {script.tags && script.tags.length > 0 && (
            <span>
              <span className="sr-only">{messages.tags}: </span>
              {script.tags.join(' · ')}
            </span>
          )}
        </p>
        <p className={cx('[overflow-wrap:anywhere] whitespace-pre-line', sizeLook[size])}>{marked(script.content)}</p>
        {hasGaps && <p className="border-t border-line pt-4 text-muted">{messages.fillIn}</p>}
      </article>
      {mayUse && (
        <div
          data-phone-bar
          className="sticky bottom-(--bottom-bar) z-10 grid grid-cols-2 gap-2 border-t border-line bg-surface p-3 md:hidden"
        >
          <UseButton onPress={() => ask(user.id, 'replace', startVideo, setOpen)} />
          <RecordButton onPress={() => ask(user.id, 'record', record, setOpen)} />
        </div>
      )}
      {open === 'edit' && (
        <ScriptDialog
          script={script}
          category={category && { id: category.id, title: category.title }}
          onClose={close}
        />
      )}
      <Confirm
        title={messages.removeTitle(script.title)}
        text={category ? messages.removeShared : messages.removeOwn}
        confirm={messages.remove}
        keep={messages.keep}
        isOpen={open === 'remove'}
        onOpenChange={close}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate({ params: { id: script.id } })}
      />
      <Confirm
        title={messages.replaceTitle}
        text={messages.replaceText}
        confirm={messages.replace}
        keep={messages.keepDraft}
        isDanger={false}
        isOpen={open === 'replace' || open === 'record'}
        onOpenChange={close}
        onConfirm={open === 'record' ? record : startVideo}
      />
    </>
  )
}

const ask = <What extends 'replace' | 'record'>(
  userId: string,
  what: What,
  work: () => void,
  open: (what: What) => void,
) => (hasScriptOrTitle(userId) ? open(what) : work())

const UseButton = ({ onPress }: { onPress: () => void }) => (
  <Button size="large" icon={<Clapperboard aria-hidden />} className="px-3! md:h-9! md:text-sm!" onPress={onPress}>
    {messages.use}
  </Button>
)

const RecordButton = ({ onPress }: { onPress: () => void }) => (
  <Button
    variant="primary"
    size="large"
    icon={<Video aria-hidden />}
    className="px-3! md:h-9! md:text-sm!"
    onPress={onPress}
  >
    {messages.record}
  </Button>
)

const back = { to: paths.scripts, label: messages.back }

/** What stands in [brackets] is for the officer to say. */
const marked = (content: string): ReactNode[] =>
  content.split(/(\[[^\]]+\])/).map((part, place) =>
    place % 2 === 1 ? (
      <mark key={place} className="rounded-sm bg-warn-tint px-0.5 text-warn">
        {part}
      </mark>
    ) : (
      part
    ),
  )

/** As `captionSuggestion` takes it. */
const mostInField = 5000

const sizes = ['small', 'medium', 'large'] as const
type Size = (typeof sizes)[number]
const keptSize = (): Size => sizes.find((size) => size === onDevice.read('script-size')) ?? 'medium'
const sizeLook: Record<Size, string> = {
  small: 'text-base leading-relaxed',
  medium: 'text-xl leading-[1.65]',
  large: 'text-[1.75rem] leading-[1.55]',
}
const letterLook: Record<Size, string> = { small: 'text-xs', medium: 'text-base', large: 'text-xl leading-none' }
