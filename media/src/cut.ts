import { begunPictures } from './begun-pictures.ts'
import { decodedPictures, type Bounds } from './decoded-pictures.ts'
import { hasMixedSamples } from './mixed-samples.ts'
import { hasMoreFilms } from './more-films.ts'
import { leftOutMs } from './left-out.ts'
import { whyNotPlain } from './plain-picture.ts'
import type { Probe } from './probe.ts'
import { refusal } from './refusal.ts'
import { unheardMs } from './unheard.ts'

/**
 * Why a finished cut is not taken, in words for who sent it: its very bytes are posted, so that whatever a network may read in
 * them must be in the copy that reviewers see. Null where it is, but for what encoders leave. Its picture is decoded once for that, within
 * those bounds. Throws as `probe`.
 */
export async function refusedCut(file: string, found: Probe, bounds: Bounds = {}): Promise<string | null> {
  const { signal } = bounds
  const { container, moreTracks, video, audio } = found
  if (moreTracks)
    return 'This cut has more than one picture or sound track, one that we cannot read, a cover, captions or chapters of its own, and a network may play what nobody reviewed. Export it with one picture and one sound track and nothing else, and send it again.'
  const why = video && whyNotPlain(video)
  if (why) return why
  if (await hasMoreFilms(file, container, (video ? 1 : 0) + (audio ? 1 : 0)))
    return `This cut may hold more than one film, and players differ in which of them they show. ${encodeAnew}`
  if (container === 'mov' && (await hasMixedSamples(file)))
    return `This cut keeps its picture or its sound in more than one format, and players show the part in one of them. ${encodeAnew}`
  if (video && video.fps > mostFps)
    return `This cut has ${Math.round(video.fps)} pictures a second, more than networks take. Export it with 60 or fewer, and send the new file.`
  // The copy is in stereo: it has nothing of a channel for low tones, and one may cancel another.
  if (audio?.layout)
    return 'The sound of this cut has more channels than left and right, or others, and reviewers hear a copy in stereo that may lack what a network plays. Export it in stereo or mono, and send the new file.'
  if ((await leftOutMs(file, found, signal)) > mostMs)
    return `This cut holds more than a second that it hides from players, as a trim without encoding leaves it. ${encodeAnew}`
  const unheard = await unheardMs(file, found, signal)
  if (unheard === Infinity)
    return 'More than a second of this cut’s sound is damaged, changes its channels on the way or is in a format that we cannot read, and silent in the copy that is reviewed. Export it again with its sound encoded anew, as AAC in stereo, and send the new file.'
  if ((video?.unseen?.at60 ?? 0) > mostPictures || unheard > mostMs)
    return `This cut has pictures or sounds that share a moment, come out of turn or have none, and players leave them out. ${encodeAnew} Choose a constant rate of 60 pictures a second or fewer.`
  const decoded = await decodedPictures(file, found, bounds)
  if (!decoded) return refusal('too-heavy').reason
  if (!decoded.isSteady)
    return 'The pictures of this cut change their size, colors or format on the way, and players differ in what they show then. Export it again at one size and in one format, as H.264 or ProRes 422, and send the new file.'
  if (decoded.missing > mostLost)
    return 'Pictures of this cut are damaged, or in a form that we cannot read, and missing in the copy that is reviewed. Export it again with its picture encoded anew, as H.264 or ProRes 422, and send the new file.'
  const begun = (await begunPictures(file, found, signal)) ?? 0
  if (Math.max(begun, decoded.pictures) > decoded.packets + mostLost)
    return 'This cut has pictures in fields (interlaced), or more than one where players expect one, and they differ in what they show of those. Export it again without interlacing (progressive), with its picture encoded anew, as H.264 or ProRes 422, and send the new file.'
  return null
}

const encodeAnew =
  'Nobody would review the rest, and a network may play it. Export it again with its picture and sound encoded anew, not only trimmed, and send the new file.'

/** Encoders leave as much at the beginning, and where they mend times. */
const mostMs = 1000
const mostPictures = 30

/** As many pictures at the beginning of a film that was cut without encoding may be told by others that are gone. */
const mostLost = 16

/** A second, with what is measured of it. */
const mostFps = 60.5
