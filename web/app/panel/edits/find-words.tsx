import type { Token } from '@clear-to-post/edit/passages'
import { ChooseDialog } from './choose-dialog.tsx'
import { placesOf, type Place } from './places.ts'
import type { Selection } from './selection.ts'
import { findWords } from './words/find.ts'

/** Words of the transcript by some letters of theirs: Enter has them selected there, and the keys work on them. */
export const FindWords = ({
  flat,
  onSelect,
  onClose,
}: {
  flat: readonly Token[]
  onSelect: (selection: Selection) => void
  onClose: () => void
}) => (
  <ChooseDialog<Place>
    title={findWords.title}
    label={findWords.find}
    listLabel={findWords.places}
    find={(text) => placesOf(flat, text)}
    keyOf={({ anchor }) => anchor}
    show={({ before, text, after }) => (
      <span className="min-w-0 truncate">
        {before} <strong className="font-semibold">{text}</strong> {after}
      </span>
    )}
    say={(found, text) => (text.trim() === '' ? findWords.hint : findWords.found(found.length))}
    onChoose={({ anchor, focus }) => onSelect({ anchor, focus })}
    onClose={onClose}
  />
)
