import type { Layer } from '@clear-to-post/edit/recipe'

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

type LayerKind = Layer['kind']
const layerNames: Record<LayerKind, string> = {
  'b-roll': 'B-roll',
  picture: 'picture',
  logo: 'logo',
  'lower-third': 'title',
  sticker: 'sticker',
  sound: 'sound effect',
  music: 'piece of music',
}
/** A number with its noun. */
export const counted = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`

/** What was done, as undo says it. */
export const changes = {
  did: {
    cut: (n: number) => `Cut ${counted(n, 'word', 'words')}`,
    restored: (n: number) => `Put back ${counted(n, 'word', 'words')}`,
    stretch: 'Cut a stretch',
    tried: (n: number) => `Take try ${n}`,
    out: (what: string) => `Take out: ${what}`,
    in: (what: string) => `Put back: ${what}`,
    all: (what: string, on: boolean) => `${on ? 'Take out' : 'Put back'} all: ${what}`,
    corrected: (text: string) => `Correct “${text}”`,
    accepted: 'Looked at',
    break: 'Caption break',
    emoji: 'Emoji',
    captionsOn: 'Captions on',
    captionsOff: 'Captions off',
    style: 'Caption style',
    position: 'Caption position',
    size: 'Caption size',
    colour: 'Caption color',
    tour: 'Home Tour',
    room: (name: string) => `Room ${name}`,
    roomGone: (name: string) => `Remove room ${name}`,
    frame: (aspect: string) => `Frame ${aspect}`,
    focus: 'Focus point',
    moveOn: 'Move on',
    moveOff: 'Move off',
    moveNew: 'New move',
    moveGone: 'Remove move',
    cardOn: 'End card on',
    cardOff: 'End card off',
    card: 'End card',
    loudness: 'Loudness',
    music: 'Music',
    musicLevel: 'Music level',
    covered: (title: string) => `B-roll “${title}”`,
    layerEdge: (kind: LayerKind) => `${capital(layerNames[kind])} end`,
    layerMoved: (kind: LayerKind) => `Move ${layerNames[kind]}`,
    layerGone: (kind: LayerKind) => `Remove ${layerNames[kind]}`,
    layerOn: (kind: LayerKind) => `${capital(layerNames[kind])} on`,
    layerOff: (kind: LayerKind) => `${capital(layerNames[kind])} off`,
    titled: (text: string) => `Title “${text}”`,
    titleText: 'Title text',
    titlePlace: 'Title place',
    titleMotion: 'How a title comes',
    pinned: (kind: LayerKind) => `Add ${layerNames[kind]}`,
    pinnedPlace: 'Picture place',
    pinnedSize: 'Picture size',
    pinnedMotion: 'How a picture comes',
    layerSlip: 'B-roll part',
    layerFocus: 'B-roll focus point',
    layerMotion: 'How B-roll comes',
    layerSpeed: (speed: number) => `B-roll at ${speed}×`,
    split: 'Split',
    trimmed: 'Trim',
    rolled: 'Move the cut',
    passageGone: 'Take out a passage',
    theirs: 'Load the other version',
    keptBefore: 'Changes kept from last time',
  },
}

/** What the check before sending finds. */
export const findings = {
  finding: {
    empty: () => 'Nothing is left of the video. Put something back.',
    person: (n: number) =>
      `Where is the person? ${counted(n, 'place', 'places')} where the frame cuts the picture and nobody is sure`,
    black: (n: number) => `The picture is black at ${counted(n, 'place', 'places')}`,
    frozen: (n: number) => `The picture stands still at ${counted(n, 'place', 'places')}`,
    'too-long': () => 'The video is too long to be rendered. Cut more out.',
    'too-much': () => 'Too much lies over the video, or is heard in it, to be rendered. Take some of it out.',
    unsaid: (n: number) => `${counted(n, 'passage', 'passages')} of the script nobody said`,
    'off-script': (n: number) => `${counted(n, 'place', 'places')} not in the script`,
    'broken-off': (n: number) => `${counted(n, 'try', 'tries')} broken off and still heard`,
    filler: (n: number) => `${counted(n, 'filler', 'fillers')} still heard`,
    boxes: (n: number) => `${counted(n, 'word', 'words')} with letters that the captions’ font has not`,
    estimated: (n: number) => `${counted(n, 'place', 'places')} where times are only estimated`,
    unsure: (n: number) => `${counted(n, 'word', 'words')} guessed and not checked`,
    'cut-word': (n: number) => `${counted(n, 'cut goes', 'cuts go')} through a word`,
    'captions-off': () => 'Captions are switched off.',
    untranslated: (n: number) => `${counted(n, 'sentence', 'sentences')} not in the second language, or changed since`,
    remarks: (n: number) => `${counted(n, 'remark', 'remarks')} about the last cut not ticked off`,
    'under-app': (n: number) =>
      `${counted(n, 'caption or picture lies', 'captions or pictures lie')} under an app’s own words or buttons`,
    'picture-covered': () => 'A picture lies where apps write over the video.',
    'no-next-step': () => 'The end card does not say what to do next.',
    loudness: () => 'The sound stays as loud as it was recorded.',
  } satisfies Record<string, (n: number) => string>,
}
