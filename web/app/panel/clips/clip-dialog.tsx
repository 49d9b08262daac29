import { useEffect, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { CircleCheck, Film } from 'lucide-react'
import { toast } from 'sonner'
import { assets, type Asset } from '@clear-to-post/contract/assets'
import { clips, type Clip } from '@clear-to-post/contract/clips'
import { tenants } from '@clear-to-post/contract/tenants'
import { query, queryClient, send, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { useMay, useUser } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ChangedMeanwhile, useMeanwhile } from '../../ui/changed-meanwhile.tsx'
import { changesOf } from '../../ui/changes-of.ts'
import { labelLook, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Select } from '../../ui/select.tsx'
import { TagsField } from '../../ui/tags-field.tsx'
import { sendWhole } from '../assets/pictures.ts'
import { ClipPoster } from './clip-poster.tsx'
import { messages } from './messages.ts'

const wholeService = 'service'

type Words = { title: string; tags: readonly string[] }
const wordsOf = ({ title, tags }: Clip): Words => ({ title, tags })

/** Adds a clip, whose file is on its way while its title is written, or changes the words of one. */
export const ClipDialog = ({ clip, onClose }: { clip?: Clip | undefined; onClose: () => void }) => {
  const [from] = useState<Words>(clip ? wordsOf(clip) : { title: '', tags: [] })
  const [current, setCurrent] = useState(from)
  const [title, setTitle] = useState(from.title)
  const [tags, setTags] = useState(from.tags)
  const [library, setLibrary] = useState(wholeService)
  const [wrong, setWrong] = useState<{ title?: string; file?: string }>({})
  const upload = useUpload((name) => setTitle((before) => before || name))
  const add = useCall(clips.add)
  const { now, onError } = useMeanwhile({ from, current }, 'clip.changed', async () => {
    const { items } = await send(clips.list, { query: { wheres: [`id:eq:${clip!.id}`] } })
    if (items[0]) setCurrent(wordsOf(items[0]))
  })
  const change = useCall(clips.change, { onError })
  const [isWaiting, setIsWaiting] = useState(false)
  const failure = add.error ?? change.error

  const submit = async () => {
    const found = {
      ...(title.trim() === '' ? { title: messages.needTitle } : {}),
      ...(!clip && !upload.file ? { file: messages.needFile } : {}),
    }
    setWrong(found)
    if (Object.keys(found).length > 0) return
    const body = { title: title.trim(), tags: [...tags] }
    setIsWaiting(true)
    try {
      if (clip) await change.mutateAsync({ params: { clipId: clip.id }, body: changesOf<Words>(body, from, now) ?? {} })
      else {
        const { assetId } = await upload.ready()
        const named = library === wholeService ? {} : { tenantId: library }
        await add.mutateAsync({ body: { ...body, assetId, ...named } })
        upload.keep()
      }
      void refreshClips()
      toast.success(clip ? messages.saved : messages.added(body.title))
      onClose()
    } catch {
      // Said below, or beside the file.
    } finally {
      setIsWaiting(false)
    }
  }

  return (
    <FormDialog
      title={clip ? messages.editTitle : messages.addTitle}
      size="medium"
      submit={clip ? messages.save : messages.add}
      cancel={messages.cancel}
      problem={failure !== null && failureWords(failure)}
      isPending={isWaiting}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {clip ? (
        <ClipPoster clip={clip} isPlaying className="aspect-video w-full rounded-control" />
      ) : (
        <FileField upload={upload} error={wrong.file} onChoose={() => setWrong({})} />
      )}
      <ChangedMeanwhile from={from} now={now} titles={messages.isNow} />
      <TextField
        label={messages.name}
        hint={messages.nameHint}
        value={title}
        onChange={(text) => {
          setWrong(({ file }) => (file === undefined ? {} : { file }))
          setTitle(text)
        }}
        maxLength={120}
        error={wrong.title}
        autoComplete="off"
      />
      <TagsField
        label={messages.tags}
        hint={messages.tagsHint}
        value={tags}
        onChange={setTags}
        most={20}
        longest={40}
        removeWords={messages.removeTag}
      />
      {!clip && <LibraryField value={library} onChange={setLibrary} />}
    </FormDialog>
  )
}

/** After clips were added or changed. */
export const refreshClips = () => queryClient.invalidateQueries({ queryKey: ['clips'] })

/** Whoever sets up the whole service says for which company a clip is; a company's admin adds to their own. */
const LibraryField = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => {
  const mayChoose = useMay('clip.choose-library')
  const companies = useQuery({
    ...query(tenants.list, { query: { perPage: 100, orderBy: 'name:asc' } }),
    enabled: mayChoose,
  })
  if (!mayChoose) return null
  return (
    <Select
      label={messages.library}
      value={value}
      onChange={onChange}
      options={[
        { value: wholeService, label: messages.ofService },
        ...(companies.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}

const FileField = ({
  upload,
  error,
  onChoose,
}: {
  upload: ReturnType<typeof useUpload>
  error: string | undefined
  onChoose: () => void
}) => {
  const { file, state, part, words } = upload
  const problem = words ?? error
  return (
    <div role="group" aria-label={messages.file} className="grid gap-1.5">
      <p className={labelLook}>{messages.file}</p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <FileTrigger
          acceptedFileTypes={['video/*', 'image/jpeg', 'image/png', 'image/webp']}
          onSelect={(files) => {
            const chosen = files?.[0]
            if (!chosen) return
            onChoose()
            upload.begin(chosen)
          }}
        >
          <Button icon={<Film aria-hidden />}>{file ? messages.chooseOther : messages.choose}</Button>
        </FileTrigger>
        {state === 'sending' && (
          <Progress
            label={part === null ? messages.checking : messages.sending}
            value={part}
            className="max-w-64 flex-1"
          />
        )}
        {state === 'here' && file && (
          <p role="status" className="flex min-w-0 items-center gap-1.5 text-[0.8125rem] text-good">
            <CircleCheck aria-hidden className="size-4 shrink-0" />
            <span className="truncate">{messages.arrived(file.name)}</span>
          </p>
        )}
      </div>
      {problem === undefined ? (
        <p className="text-[0.8125rem] text-muted">{messages.fileHint}</p>
      ) : (
        <p role="alert" className="text-[0.8125rem] text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}

/** Throws away what was sent, as who sent it. */
const drop = (sent: Promise<Asset> | undefined, as: string) =>
  void sent?.then(({ assetId }) => send(assets.discard, { params: { assetId } }, { as })).catch(() => undefined)

/** One file on its way to the service; what nobody kept is thrown away when the dialog closes. */
const useUpload = (onName: (name: string) => void) => {
  const [file, setFile] = useState<File>()
  const [state, setState] = useState<'none' | 'sending' | 'here' | 'failed'>('none')
  const [part, setPart] = useState<number | null>(0)
  const [words, setWords] = useState<string>()
  const current = useRef<Promise<Asset>>(undefined)
  const isKept = useRef(false)
  const { id: as } = useUser()
  useEffect(() => () => void (!isKept.current && drop(current.current, as)), [as])
  return {
    file,
    state,
    part,
    words,
    begin: (chosen: File) => {
      drop(current.current, as)
      setFile(chosen)
      setState('sending')
      setWords(undefined)
      onName(nameOf(chosen.name))
      const sent = sendWhole(chosen, (next) => current.current === sent && setPart(next))
      current.current = sent
      sent.then(
        () => current.current === sent && setState('here'),
        (error: unknown) => {
          if (current.current !== sent) return
          setState('failed')
          setFile(undefined)
          setWords(failureWords(error))
        },
      )
    },
    /** The file, once it was checked; throws what stood in its way. */
    ready: (): Promise<Asset> => current.current ?? Promise.reject(new Error('No file was chosen')),
    keep: () => {
      isKept.current = true
    },
  }
}

// `house_keys-01.mp4` → `house keys 01`
const nameOf = (fileName: string): string =>
  fileName
    .replace(/\.\w{1,5}$/, '')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .slice(0, 120)
