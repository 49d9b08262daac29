import { inLanguage } from '../../language.ts'
import { pageNames } from '../sub-pages.ts'

export const messages = inLanguage({
  en: {
    title: pageNames.longNames.criteria,
    text: 'What QA scores from 0 to 10 when a cut is denied, in this order. Cuts denied before keep their scores and names.',
    list: 'Criteria',
    nameOf: (place: number) => `Name of criterion ${place}`,
    up: (name: string) => `Move ${name} up`,
    down: (name: string) => `Move ${name} down`,
    remove: (name: string) => `Remove ${name}`,
    unnamed: (place: number) => `criterion ${place}`,
    moved: (name: string, place: number, count: number) => `${name} is now ${place} of ${count}`,
    removed: (name: string) => `${name} is removed`,
    add: 'Add a criterion',
    placeholder: 'Such as “Hook”',
    needName: 'Give it a name, or remove it.',
    twice: (name: string) => `“${name}” is on the list already. Choose another name.`,
    oneStays: 'At least one criterion stays.',
    most: (count: number) => `${count} is the most. Remove one to add another.`,
    readOnly: 'The criteria are the same for every company. The service’s own admin changes them.',
    saved: 'Saved. QA scores by these criteria from now on',
    failed: 'The criteria did not load',
  },
})
