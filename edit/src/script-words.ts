/**
 * The words of a script as they are said, line by line. What stands in brackets is for the speaker: [smile], [point to the house].
 * Nobody says a longer word than these, no caption holds one, and the recogniser breaks on one of thousands of letters: it is
 * parted.
 */
export const scriptWords = (line: string): string[] =>
  line
    .replace(/\[[^\]]*(?:\]|$)/g, (found) => (found.endsWith(']') ? ' ' : found))
    .split(/\s+/)
    .flatMap((piece) => piece.match(longest) ?? [])

// In letters of two units half as many: a caption's word has 100 units.
const longest = /[\0-\ud7ff\ue000-\uffff]{1,80}|.{1,50}/gsu
