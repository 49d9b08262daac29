import type { makeClip } from '@clear-to-post/media/make-clip'
import type { DrawnPicture } from './files.ts'

const wide = { width: 640, height: 360 }
const alone = { ...wide, seconds: 4, voice: false }

/** The B-roll of the demo, in the service's own library: each company's editors may lay it over words. */
export const demoClips: readonly {
  fileName: string
  title: string
  tags: readonly string[]
  look: Omit<Parameters<typeof makeClip>[0], 'out'> | DrawnPicture
}[] = [
  {
    fileName: 'street.mp4',
    title: 'A quiet street',
    tags: ['home', 'house', 'neighborhood', 'town', 'street'],
    look: { ...alone, hue: 20, seed: 5, scene: 'street', people: [] },
  },
  {
    fileName: 'living-room.mp4',
    title: 'A bright living room',
    tags: ['home', 'room', 'keys', 'closing', 'furniture'],
    look: { ...alone, hue: 150, seed: 6, people: [] },
  },
  {
    fileName: 'two-people.mp4',
    title: 'Two people who listen',
    tags: ['family', 'buyer', 'lender', 'call', 'questions'],
    look: {
      ...alone,
      hue: 30,
      seed: 7,
      people: [
        { x: 0.34, size: 0.9, seed: 3 },
        { x: 0.68, size: 0.9, seed: 12 },
      ],
    },
  },
  {
    fileName: 'houses.jpg',
    title: 'Four houses',
    tags: ['home', 'house', 'appraisal', 'worth'],
    look: { width: 1280, height: 720, hue: 210, seed: 3 },
  },
]
