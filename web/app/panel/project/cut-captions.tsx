import { useState } from 'react'
import { projects } from '@clear-to-post/contract/projects'
import { query, queryClient } from '../../api.ts'
import { cuesIn, type CaptionsShown, type PlayerCaptions } from '../../ui/player-captions.ts'
import { toastFailure } from '../../ui/toasts.tsx'
import { CaptionWords } from '../publishing/caption-words.tsx'
import { languageName } from '../publishing/captions-choice.tsx'
import { messages } from './messages.ts'
import type { PlayableMedia } from './playable-media.ts'

type Media = PlayableMedia | undefined

/** Captions that can go beside the cut on the screen, for its player; undefined where there are none. */
export const useCutCaptions = (projectId: string, media: Media): PlayerCaptions | undefined => {
  const [on, setOn] = useState<(CaptionsShown & { assetId: string }) | null>(null)
  const languages = media?.cut?.captions ?? []
  if (media === undefined || languages.length === 0) return undefined
  const { assetId } = media.asset
  const shown = on?.assetId === assetId ? on : null
  const onNext = async () => {
    const language = shown === null ? languages[0] : languages[languages.indexOf(shown.language) + 1]
    if (language === undefined) return setOn(null)
    try {
      const { items } = await queryClient.fetchQuery(query(projects.captions, { params: { projectId, assetId } }))
      const { srt = '' } = items.find((one) => one.language === language) ?? {}
      setOn({ assetId, language, name: languageName(language), cues: cuesIn(srt) })
    } catch (error) {
      toastFailure(error)
    }
  }
  return { shown, onNext: () => void onNext() }
}

/** The same words to read, by the languages: whoever reviews a cut, and its officer, sees that captions go with it. */
export const CutCaptions = ({ projectId, media }: { projectId: string; media: Media }) => {
  const languages = media?.cut?.captions ?? []
  if (media === undefined || languages.length === 0) return null
  return (
    <section
      aria-label={messages.captionsOf(media.name)}
      className="rounded-card border border-line bg-surface px-4 py-3 md:px-5"
    >
      {languages.map((language) => (
        // Of another cut it begins closed.
        <CaptionWords
          key={`${media.key} ${language}`}
          projectId={projectId}
          assetId={media.asset.assetId}
          language={language}
        />
      ))}
      <p className="text-[0.8125rem] text-muted">{messages.captionsText}</p>
    </section>
  )
}
