import { locale } from '../../language.ts'
import { Select } from '../../ui/select.tsx'
import { CaptionWords, type Captioned } from './caption-words.tsx'
import { messages } from './messages.ts'

/** In which language captions go with a post as a file, which a viewer turns on and off; none unless one is chosen. Its words are read below. */
export const CaptionsChoice = ({
  languages,
  of,
  value,
  onChange,
}: {
  languages: readonly string[]
  of: Captioned | undefined
  value: string | undefined
  onChange: (captions: string | undefined) => void
}) => (
  <div className="grid gap-1">
    <Select
      label={messages.captions}
      value={value ?? none}
      options={[
        { value: none, label: messages.noCaptions },
        ...languages.map((language) => ({ value: language, label: languageName(language) })),
      ]}
      onChange={(chosen) => onChange(chosen === none ? undefined : chosen)}
    />
    {of && value !== undefined && <CaptionWords key={value} {...of} language={value} />}
  </div>
)

const none = 'none'

export const languageName = (language: string): string =>
  new Intl.DisplayNames(locale, { type: 'language' }).of(language) ?? language
