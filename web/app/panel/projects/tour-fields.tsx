import { TextField } from '../../ui/fields.tsx'
import type { Draft } from './draft.ts'
import { messages } from './new-video-messages.ts'

type Tour = Draft['tour']

/** What a Home Tour shows of the house. All of it may come later: the editor asks for what is missing. */
export const TourFields = ({ tour, onChange }: { tour: Tour; onChange: (part: Partial<Tour>) => void }) => {
  const field = (name: keyof Tour) => ({
    label: messages.tour[name],
    placeholder: messages.tourLike[name],
    value: tour[name],
    onChange: (value: string) => onChange({ [name]: value }),
    maxLength: longest[name],
    isRequired: false,
    autoComplete: 'off',
  })
  return (
    <fieldset className="grid gap-4 rounded-control border border-line p-4 sm:grid-cols-2">
      <legend className="px-1 text-[0.8125rem] font-medium">{messages.house}</legend>
      <TextField {...field('address')} className="sm:col-span-2" />
      <TextField {...field('price')} className="sm:col-span-2" />
      <TextField {...field('beds')} />
      <TextField {...field('baths')} />
    </fieldset>
  )
}

const longest: Record<keyof Tour, number> = { address: 120, price: 40, beds: 20, baths: 20 }
