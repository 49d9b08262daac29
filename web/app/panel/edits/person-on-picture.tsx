import { useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import type { PersonPlace } from './use-person.ts'
import { stepsOf } from './use-picture-drag.ts'
import { pictureWords } from './words/picture.ts'

const words = pictureWords.person
const percent = (part: number) => `${part * 100}%`

/** Over the whole picture of a recording, to be tapped where the head is: one tap answers for all of it. */
export const PersonOnPicture = ({ person }: { person: PersonPlace }) => {
  const surface = useRef<HTMLButtonElement>(null)
  const { source, at } = person
  useEffect(() => surface.current?.focus({ preventScroll: true }), [source?.id])
  if (!source) return null
  return (
    <>
      <button
        ref={surface}
        type="button"
        className="picture-whole"
        aria-label={words.place(at)}
        onClick={(event) => {
          // A key presses it, too: then the point stays where it is.
          if (event.detail === 0) return person.done()
          const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
          person.put({ x: (event.clientX - left) / width, y: (event.clientY - top) / height })
          person.done()
        }}
        onKeyDown={(event) => {
          const steps = stepsOf(event)
          if (!steps || steps.size !== 0) return
          event.preventDefault()
          event.stopPropagation()
          person.put({ x: at.x + steps.x / 100, y: at.y + steps.y / 100 }, `keys person ${source.id}`)
        }}
      >
        <span aria-hidden className="picture-head" style={{ left: percent(at.x), top: percent(at.y) }} />
      </button>
      <div className="picture-ask">
        <p>{words.hint}</p>
        <Button size="small" onPress={person.done}>
          {words.done}
        </Button>
      </div>
    </>
  )
}
