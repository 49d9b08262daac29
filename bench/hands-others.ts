/**
 * The same twenty corrections in two other kinds of program, as operators of the keystroke-level model
 * (e2e/keystroke-level.ts), counted by us from the gestures that such programs document, and driven by nobody. Each is the
 * shortest documented way that we know, done without a mistake; a correction begins with the hand on the mouse.
 *
 * Transcript editor: a double click chooses a word, a click and one with Shift a passage, Delete takes it out; what lies over
 * the video is drawn from a panel onto the words, and set in a panel of its own.
 *
 * Timeline editor (NLE): the place of a word is found by a click on the ruler and three single frames; I and O mark a
 * stretch, and one command with a held key takes it out and closes the gap; Q and W trim to the playhead; clips, titles and
 * music are drawn from a bin onto a track, and set in the panel of their properties.
 */
export const others: readonly { transcript: string; timeline: string }[] = [
  // Take out a word.
  { transcript: 'M P 2K H M K H', timeline: 'M P K H 3K K 4K K M 2K H' },
  // A whole sentence.
  { transcript: 'M P K P 2K H M K H', timeline: 'M P K H 3K K H P K H 3K K M 2K H' },
  // Put a word back: chosen and brought back by its menu; the cut is drawn apart and set by three frames.
  { transcript: 'M P 2K M P K', timeline: 'M P K P K H 3K H' },
  // Another try: one passage out, one back; the other part of the recording is laid in its place.
  {
    transcript: 'M P K P 2K H M K H M P K P 2K M P K',
    timeline: 'M P K H 3K K H P K H 3K K H M P K H 3K K H P K H 3K K M K H',
  },
  // A word of the captions.
  { transcript: 'M P 2K H M K 5K K H', timeline: 'M P 2K P 2K H 5K H' },
  // A name everywhere: find and replace.
  { transcript: 'H M 2K 7K K 7K K H', timeline: 'M P K H 7K K 7K K H' },
  // A new caption.
  { transcript: 'M P K H M K H', timeline: 'M P K H 3K M 2K H' },
  // Another caption style.
  { transcript: 'M P K P K', timeline: 'M P K P K' },
  // Five frames off the end.
  { transcript: 'M P K P K H 2K H', timeline: 'M P K H M 2K H' },
  // Five words in a row.
  { transcript: 'M P K P 2K H M K H', timeline: 'M P K H 3K K H P K H 3K K M 2K H' },
  // B-roll: words chosen, the panel opened, four letters, drawn onto them.
  { transcript: 'M P K P 2K M P K P K H 4K H P K P K', timeline: 'M P K H 3K K H P K H 3K K H M P K H 4K H P K M K' },
  // Its end, by hand.
  { transcript: 'M P K P K', timeline: 'M P K H M 4K H' },
  // Name and company: a template drawn to its place, and the name written.
  { transcript: 'M P K M P K P K P 2K H 12K H', timeline: 'M K M P K P K P 2K H 12K H' },
  // Words as a title.
  { transcript: 'M P K M P K P K P 2K H 13K H', timeline: 'M P K H 3K H M P K P K P 2K H 13K H' },
  // Nearer.
  { transcript: 'M P K P 2K M P K P K', timeline: 'M P K M P 2K H 3K K H' },
  // Music.
  { transcript: 'M P K P K P K', timeline: 'M P K P K' },
  // Its level.
  { transcript: 'M P K M P K P K', timeline: 'M P K M P 2K H 3K K H' },
  // A passage louder.
  { transcript: 'M P K M P K P K', timeline: 'M P K M P 2K H 3K K H' },
  // The logo, and its corner.
  { transcript: 'M P K P K P K P K', timeline: 'M P K P K M P K P K' },
  // All silences back in: one command; every gap is drawn open, of which this take has four.
  { transcript: 'M P K P K', timeline: 'M P K P K M P K P K M P K P K M P K P K' },
]
