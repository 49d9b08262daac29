/** Captions that go beside a video as a file, and can be shown on it. */
export type PlayerCaptions = {
  shown: CaptionsShown | null
  /** Shows those of the next language, and none after the last. */
  onNext: () => void
}
export type CaptionsShown = {
  language: string
  /** What the language is called. */
  name: string
  /** In whole milliseconds. */
  cues: readonly { start: number; end: number; lines: readonly string[] }[]
}

/** The cues of a caption file as our service writes it. Of their words nothing is taken for a tag: all of it is read. */
export const cuesIn = (srt: string): CaptionsShown['cues'] =>
  srt.split(/\n\n(?=\d+\n\d\d:)/).flatMap((block) => {
    const [, times = '', ...lines] = block.trimEnd().split('\n')
    const [start, end] = times.split(' --> ').map(msOf)
    return start === undefined || end === undefined ? [] : [{ start, end, lines }]
  })

const msOf = (stamp: string): number => {
  const [hours = 0, minutes = 0, seconds = 0, ms = 0] = stamp.split(/[:,]/).map(Number)
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms
}

/** Shows captions on a video as a text track of its own; the returned function takes them off again. */
export const showCaptions = (video: HTMLVideoElement, { language, name, cues }: CaptionsShown) => {
  // A track cannot be removed from its video: the same one is used again.
  const track =
    [...video.textTracks].find((one) => one.language === language) ?? video.addTextTrack('captions', name, language)
  track.mode = 'showing'
  for (const { start, end, lines } of cues)
    track.addCue(new VTTCue(start / 1000, end / 1000, lines.map(escaped).join('\n')))
  return () => {
    while (track.cues?.[0]) track.removeCue(track.cues[0])
    track.mode = 'disabled'
  }
}

// The text of a cue is read as WebVTT, where these begin a tag or a character.
const escaped = (line: string): string => line.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
