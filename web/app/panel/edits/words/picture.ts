import { inLanguage } from '../../../language.ts'

const percent = (part: number) => `${Math.round(part * 100)}%`
const point = ({ x, y }: { x: number; y: number }) => `${percent(x)} from the left, ${percent(y)} from the top`

/** What is dragged on the picture itself. */
export const pictureWords = inLanguage({
  en: {
    percent,
    part: (name: string, scale: number, focus: { x: number; y: number }) =>
      `${name}: what is seen, ${percent(scale)}, pointed at ${point(focus)}. Arrow keys move it, plus and minus size it.`,
    size: (name: string) => `Size of ${name}`,
    place: (name: string, place: string) => `Place of ${name}: ${place}. Arrow keys move it, plus and minus size it.`,
    focus: (name: string, focus: { x: number; y: number }) =>
      `What stays in the picture of ${name}: ${point(focus)}. Arrow keys move it.`,
    onPicture: 'On the picture',
    onPictureOf: (name: string) => `Set it on the picture: ${name}`,
    nothingHere: 'Nothing is seen here that can come nearer.',
    did: { move: 'Move on the picture', punchIn: 'Punch-in' },
    key: { move: 'Bring the picture nearer here, or set how near and where' },
  },
})
