import { useEffect, useRef, useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Film, SearchX } from 'lucide-react'
import type { Clip } from '@clear-to-post/contract/clips'
import { edits } from '@clear-to-post/contract/edits'
import { query } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useMay } from '../../session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Listed, listOf } from '../../ui/listed.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { EmptyState, Skeleton } from '../../ui/states.tsx'
import { ClipPoster } from '../clips/clip-poster.tsx'
import { messages } from './messages.ts'

/** The clips that fit the selected words, the best first; Enter takes it. */
export const ClipPicker = ({
  projectId,
  isStill = false,
  words,
  sentence,
  onChoose,
  onClose,
}: {
  projectId: string
  /** Pictures alone, to lie over the video. */
  isStill?: boolean
  words: string
  sentence: string
  onChoose: (clip: Clip) => void
  onClose: () => void
}) => {
  const [search, setSearch] = useState('')
  const found = useQuery({
    ...query(edits.clips, {
      params: { projectId },
      query: { words: words.slice(0, 2000), sentence: sentence.slice(0, 2000), ...(search ? { search } : {}) },
    }),
    placeholderData: keepPreviousData,
  })
  const { data, isPlaceholderData } = found
  const offered = (items: readonly Clip[]) => items.filter(({ asset }) => !isStill || asset.type === 'picture')
  const isEmpty = search === '' && !isPlaceholderData && data !== undefined && offered(data.items).length === 0
  const fitting = offered(data?.items.slice(0, data.fitting) ?? []).length
  // Enter may come before what was typed has been looked for.
  const [takesFirst, setTakesFirst] = useState(false)
  useEffect(() => {
    if (!takesFirst || !data || isPlaceholderData) return
    setTakesFirst(false)
    const first = data.items.find(({ asset }) => !isStill || asset.type === 'picture')
    if (first) onChoose(first)
  }, [takesFirst, data, isPlaceholderData, isStill, onChoose])
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('input')?.focus(), [])
  return (
    <Dialog
      title={isStill ? messages.choosePicture : messages.cover}
      size="large"
      isOpen
      onOpenChange={(open) => !open && onClose()}
    >
      {words !== '' && (
        <p className="mb-3 text-muted">
          {messages.coverText} <q className="text-ink">{words.length > 120 ? `${words.slice(0, 120)}…` : words}</q>
        </p>
      )}
      {!isEmpty && (
        <>
          <div
            ref={box}
            role="search"
            onKeyDownCapture={(event) => {
              if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
              event.preventDefault()
              setSearch(event.target.value.trim())
              setTakesFirst(true)
            }}
          >
            <SearchField label={messages.searchClips} value={search} onChange={setSearch} className="sm:w-80" />
          </div>
          <p className="mt-1.5 text-[0.8125rem] text-muted pointer-coarse:hidden">{messages.enterTakesFirst}</p>
        </>
      )}
      <div className="mt-4 min-h-56" aria-busy={isPlaceholderData}>
        <Listed
          list={listOf(found, ({ items }) => offered(items))}
          failed={messages.clipsFailed}
          loading={
            <div className={grid}>
              {[0, 1, 2, 3].map((card) => (
                <Skeleton key={card} className="h-40 w-full rounded-control" />
              ))}
            </div>
          }
          empty={
            search === '' ? (
              <EmptyLibrary isStill={isStill} />
            ) : (
              <EmptyState icon={<SearchX aria-hidden />} title={messages.noClipFits} text={messages.noClipFitsText} />
            )
          }
        >
          {(clips) => (
            <>
              <Clips
                title={fitting > 0 ? messages.fitting : messages.allClips}
                clips={fitting > 0 ? clips.slice(0, fitting) : clips}
                onChoose={onChoose}
              />
              {fitting > 0 && fitting < clips.length && (
                <Clips title={messages.otherClips} clips={clips.slice(fitting)} onChoose={onChoose} />
              )}
            </>
          )}
        </Listed>
      </div>
    </Dialog>
  )
}

const grid = 'grid grid-cols-[repeat(auto-fill,minmax(min(10.5rem,100%),1fr))] gap-3 max-sm:grid-cols-2'

/** The way on: to the library for who may add to it, else to the people who answer. */
const EmptyLibrary = ({ isStill }: { isStill: boolean }) => {
  const mayAdd = useMay('clip.write')
  const yours = isStill ? messages.noStillsYours : messages.noClipsYours
  const theirs = isStill ? messages.noStillsText : messages.noClipsText
  const way = useRef<HTMLAnchorElement>(null)
  // The field that had the focus is gone with what could be searched.
  useEffect(() => way.current?.focus(), [])
  return (
    <EmptyState
      icon={<Film aria-hidden />}
      title={isStill ? messages.noStills : messages.noClips}
      text={mayAdd ? yours : theirs}
      action={
        <LinkButton ref={way} to={mayAdd ? paths.clips : paths.support} variant="primary">
          {mayAdd ? messages.openLibrary : messages.askForClips}
        </LinkButton>
      }
    />
  )
}

const Clips = ({
  title,
  clips,
  onChoose,
}: {
  title: string
  clips: readonly Clip[]
  onChoose: (clip: Clip) => void
}) => (
  <section aria-label={title} className="mb-5">
    <h3 className="mb-2 text-[0.9375rem]">{title}</h3>
    <ul className={grid}>
      {clips.map((clip) => (
        <li key={clip.id}>
          <ClipButton clip={clip} onPress={() => onChoose(clip)} />
        </li>
      ))}
    </ul>
  </section>
)

const ClipButton = ({ clip, onPress }: { clip: Clip; onPress: () => void }) => {
  const [isPlaying, setIsPlaying] = useState(false)
  return (
    <button
      type="button"
      className={cx(
        'flex h-full w-full flex-col overflow-hidden rounded-control border border-line bg-surface text-left',
        'hover:border-edge focus-visible:outline-2',
      )}
      onClick={onPress}
      onPointerEnter={() => setIsPlaying(true)}
      onPointerLeave={() => setIsPlaying(false)}
      onFocus={() => setIsPlaying(true)}
      onBlur={() => setIsPlaying(false)}
    >
      <ClipPoster clip={clip} isPlaying={isPlaying} className="aspect-video w-full" />
      <span className="block px-2.5 py-2">
        <span className="block text-[0.8125rem] leading-snug font-medium [overflow-wrap:anywhere]">{clip.title}</span>
        {clip.tags.length > 0 && (
          <span className="block truncate text-[0.8125rem] text-muted">{clip.tags.join(', ')}</span>
        )}
      </span>
    </button>
  )
}
