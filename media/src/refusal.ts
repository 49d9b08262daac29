/** Why a file is not taken. `reason` is for the person who sent it: one or two sentences that end in what to do next. */
export type Refusal = { ok: false; code: RefusalCode; reason: string }

export type RefusalCode = keyof typeof words

/** A refusal in its words; `detail` fills the one blank that some of them have. */
export function refusal(code: RefusalCode, detail = ''): Refusal {
  return { ok: false, code, reason: words[code].replace('%', () => detail) }
}

export const refusalCodes = () => Object.keys(words) as RefusalCode[]

const words = {
  empty: 'This file is empty. Wait until the video is wholly saved, then choose it again.',
  'web-page': 'This file is a web page, not a video. Choose the video itself.',
  drawing: 'This file is a drawing (SVG), which we cannot use. Save it as PNG or JPEG and send that.',
  playlist:
    'This file only lists where a video is kept; the video itself is not in it. Download the video, then choose that file.',
  text: 'This file holds text, not a video. Put words for us into the instructions, and choose the video itself here.',
  archive: 'This file is an archive (%). Unpack it first, then send the videos inside one by one.',
  document: 'This file is a document (%), not a video. Choose the video itself.',
  program: 'This file is a program, not a video. Choose the video itself.',
  'unknown-format': 'We do not recognise this file. Export the video as MP4 and send that.',
  'old-format': 'We cannot read this kind of file (%). Export it as MP4 and send that.',
  'picture-format': 'We cannot read this kind of picture (%). Save or share it as JPEG or PNG and send that.',
  truncated: 'The end of this file is missing. Send it again; if that fails too, save the video anew first.',
  unfinished:
    'The recording was cut off before it was wholly saved, so it cannot be played. Record or export it again.',
  'external-media':
    'This file only points at pictures kept in other files. Export a self-contained movie (MP4) and send that.',
  damaged:
    'This file is damaged and cannot be played. If it plays where it was made, export it again and send the new copy.',
  'nothing-inside':
    'There is neither picture nor sound in this file. Check that it plays, then export it again as MP4.',
  'unsupported-codec': 'This video is stored in a way we cannot read. Export it as MP4 (H.264) and send that.',
  'too-big-picture': 'The picture is % points, more than we can work with. Send it in 4K or smaller.',
  'too-small-picture': 'The picture is only % points, too small to work with. Send the original video.',
  'too-long': 'This video is % minutes long. Shorten it, or send the parts one by one.',
  'too-short': 'This video is over before it starts. Choose a recording of at least half a second.',
  'too-many-tracks':
    'There are too many tracks or covers in this file. Export it again as MP4 with one picture and one sound track.',
  'too-many-pictures': 'This video claims % pictures a second, more than we can work with. Export it with 60 or fewer.',
  'too-heavy':
    'Reading this file takes far more work than a video should. Export it again as MP4 and send the new copy.',
} as const
