import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'an index of millions of boxes is walked to its end by the thread that answers everybody',
    file: 'media/src/sniff-format.ts',
    from: 'const mostInIndex = 10_000',
    to: 'const mostInIndex = 100_000_000',
    noticed: ['media/src/sniff-format.test.ts', 'is refused when its index holds more boxes'],
  },
  {
    what: 'a small file names its bytes again and again',
    file: 'media/src/probe.ts',
    from: 'if (bytes > 2 * found.bytes)',
    to: 'if (bytes < 0)',
    noticed: ['media/src/probe.test.ts', 'names the same bytes for all its pictures'],
  },
  {
    what: 'moving pictures of 16 bits a colour are worked on',
    file: 'media/src/probe.ts',
    from: '!still && deep.test',
    to: 'still && deep.test',
    noticed: ['media/src/probe.test.ts', 'moving pictures of 16 bits'],
  },
  {
    what: 'a recording of one key frame is looked at once',
    file: 'media/src/person.ts',
    from: 'if (areScarce)',
    to: 'if (false)',
    noticed: ['media/src/person.test.ts', 'is followed where one key frame'],
  },
  {
    what: 'the picture waits while the person goes to another place',
    file: 'media/src/shot.ts',
    from: '`trunc(${start}+${end - start}*n/${frames}+0.5)`',
    to: '`${start}`',
    noticed: ['media/src/person.test.ts', 'is followed to another place'],
  },
  {
    what: 'sound that Chromium’s recorder wrote down late stays late',
    file: 'media/src/mend.ts',
    from: 'soundMoved(found.heldBackMs - found.soundLateMs)',
    to: 'soundMoved(found.heldBackMs)',
    noticed: ['media/src/mend.test.ts', 'sound that Chromium’s recorder writes down late'],
  },
  {
    what: 'what Opus holds back is taken off a take’s sound once more',
    file: 'media/src/mend.ts',
    from: 'soundMoved(found.heldBackMs - found.soundLateMs)',
    to: 'soundMoved(-found.soundLateMs)',
    noticed: ['media/src/mend.test.ts', 'that lies 100 ms behind its picture stays there'],
  },
  {
    what: 'pictures that grow behind the first are decoded at any size',
    file: 'media/src/input.ts',
    from: 'Math.min(most, room(video.largest))',
    to: 'most',
    noticed: ['media/src/ingest.test.ts', 'none larger than the probe found is decoded'],
  },
  {
    what: 'a logo is shown with the place where it was taken',
    file: 'media/src/mend.ts',
    from: 'seen.bytes <= mostBytes',
    to: 'seen.bytes < 0',
    noticed: ['server/src/assets/ingest.test.ts', 'a logo that was sent with the place'],
  },
  {
    what: 'a photo keeps the place where it was taken',
    file: 'media/src/bare-picture.ts',
    from: 'mark !== 0xfe && (mark < 0xe0',
    to: 'mark !== 0xfe && (mark < 0xe2',
    noticed: ['media/src/bare-picture.test.ts', 'is a JPEG with the same points'],
  },
]
