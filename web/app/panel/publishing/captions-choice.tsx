import { locale } from '../../language.ts'
import { Select } from '../../ui/select.tsx'
import { messages } from './messages.ts'

/** In which language captions go with a post as a file, which a viewer turns on and off; none unless one is chosen. */
export const CaptionsChoice = ({
  languages,
  value,
  onChange,
}: {
  languages: readonly string[]
  value: string | undefined
  onChange: (captions: string | undefined) => void
}) => (
  <Select
    label={messages.captions}
    value={value ?? none}
    options={[
      { value: none, label: messages.noCaptions },
      ...languages.map((language) => ({ value: language, label: languageName(language) })),
    ]}
    onChange={(chosen) => onChange(chosen === none ? undefined : chosen)}
  />
)

const none = 'none'

export const languageName = (language: string): string =>
  new Intl.DisplayNames(locale, { type: 'language' }).of(language) ?? language
