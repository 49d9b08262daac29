/** What is recorded: the camera, a screen with the camera in its corner, or a voice alone. */
export const subjects = ['camera', 'screen', 'sound'] as const
export type Subject = (typeof subjects)[number]

/** What a take is recorded as. `everyMs`: how often the recorder gives out what it has. */
export type Format = {
  mimeType: string
  /** Media type without its codecs. */
  type: `${'video' | 'audio'}/${'mp4' | 'webm'}`
  extension: 'mp4' | 'm4a' | 'webm'
  everyMs: number
}

/**
 * The first format that this browser records and that every player reads: H.264 with AAC where it has both (Safari, Chrome on
 * Windows, macOS and Android), else WebM (Firefox, Chrome elsewhere), else whatever its MP4 is. Never H.264 with Opus in MP4,
 * which players refuse. VP8 before VP9: two cores encode it in real time. Null where nothing is recorded.
 */
export const chooseFormat = (
  isSupported: (mimeType: string) => boolean,
  { isWebKit, subject = 'camera' }: { isWebKit: boolean; subject?: Subject },
): Format | null => {
  const mimeType = (subject === 'sound' ? wantedOfSound : wanted).find(isSupported)
  if (mimeType === undefined) return null
  // WebKit gave out empty pieces when it was asked every second (its bug 301507).
  const everyMs = isWebKit ? 2000 : 1000
  const type = mimeType.split(';')[0] as Format['type']
  const extension = ({ 'video/mp4': 'mp4', 'audio/mp4': 'm4a', 'video/webm': 'webm', 'audio/webm': 'webm' } as const)[
    type
  ]
  return { mimeType, type, extension, everyMs }
}

const wantedOfSound = ['audio/mp4;codecs=mp4a.40.2', 'audio/webm;codecs=opus', 'audio/webm', 'audio/mp4']
const wanted = [
  'video/mp4;codecs=avc1.640028,mp4a.40.2',
  'video/mp4;codecs=avc1.42E01F,mp4a.40.2',
  'video/mp4;codecs=avc1,mp4a.40.2',
  'video/webm;codecs=vp8,opus',
  'video/webm;codecs=vp9,opus',
  'video/webm',
  'video/mp4',
]

/** Safari, and every browser of iOS. */
export const isWebKit = (userAgent: string): boolean =>
  /AppleWebKit/.test(userAgent) && !/Chrome\/|Chromium\/|Edg\//.test(userAgent)
