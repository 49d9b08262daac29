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
    straight: {
      title: 'Straighten',
      turn: (n: number) => (n === 1 ? 'Turn this passage' : `Turn these ${n} passages`),
      turnAll: 'Turn this recording',
      hint: 'A picture that hangs to one side is turned, and comes a little nearer so that no corner is empty. Choose passages on their track or by their words to turn them alone. To crop a passage, punch in.',
      degrees: (value: number) =>
        value === 0 ? 'as recorded' : `${Math.abs(value).toFixed(1)}° ${value > 0 ? 'right' : 'left'}`,
      mixed: 'different',
      reset: 'As recorded',
      layerTurn: 'Straighten',
      push: 'Slow push',
      stands: 'none',
      near: 'Crop',
      whole: 'all of it',
      nothing: 'No recording is seen here. Go to a place in the video.',
      did: {
        turn: (value: string) => `Turn the picture: ${value}`,
        crop: 'Crop B-roll',
        push: 'Slow push over B-roll',
      },
    },
    crossfade: {
      title: 'Crossfade',
      hint: 'Two passages that are seen together for a moment, instead of a cut. Choose a passage or one of its ends on the track; without one it is the nearest cut.',
      at: (time: string) => `At the cut at ${time}`,
      cut: 'cut',
      noCut: 'There is no cut yet: split a passage, or take something out.',
      noRoom: 'One of the two passages is too short for a crossfade.',
      did: { on: 'Crossfade', off: 'Cut instead of a crossfade', length: 'Length of a crossfade' },
    },
    steady: {
      title: 'Shaky picture',
      hold: (n: number) => (n === 1 ? 'Hold this passage steady' : `Hold these ${n} passages steady`),
      holdAll: 'Hold this recording steady',
      hint: 'For a camera in somebody’s hand. The picture comes a little nearer, so that it can be moved against the hand. Choose passages on their track or by their words to hold them alone.',
      state: {
        waiting: 'It is being measured how the camera moved; the steady picture is seen here in a moment.',
        unknown: 'Nobody can tell how the camera moved in a recording: it stays as it was filmed.',
      },
      nothing: 'No recording is seen here. Go to a place in the video.',
      did: { on: 'Hold the picture steady', off: 'Picture as it was filmed' },
    },
    nothingHere: 'Nothing is seen here that can come nearer.',
    did: { move: 'Move on the picture', punchIn: 'Punch-in' },
    person: {
      title: 'Person',
      ask: 'Where is the person?',
      why: 'The frame cuts off a part of the picture, and it is not certain where the person is.',
      show: 'Show it on the picture',
      right: 'It is right so',
      hint: 'Tap the head. It counts for the whole recording.',
      done: 'Done',
      none: 'The frame stays on its own point all the time.',
      place: (at: { x: number; y: number }) =>
        `The person’s head: ${point(at)}. Tap the head on the picture, or move the point with the arrow keys; Enter ends it.`,
      see: (at: string) => `Show the frame’s place at ${at}`,
      line: 'Frame on the person',
      byHand: 'Frame where you put it',
      did: {
        put: 'Person on the picture',
        on: 'Frame on the person on',
        off: 'Frame on the person off',
        gone: 'Remove the person’s place',
        right: 'The person’s place is right',
      },
    },
    key: {
      person: 'Say where the person is',
      turnLeft: 'Turn the picture half a degree left',
      turnRight: 'Turn the picture half a degree right',
      steady: 'Hold the picture steady, or as it was filmed',
      crossfade: 'Crossfade at the cut, or cut again',
      move: 'Bring the picture nearer here, or set how near and where',
    },
  },
})
