/**
 * The first letters of a text: as many units (UTF-16) as `most`, or one fewer where that would split a character of two.
 * Half of a character is no text: the database refuses it.
 */
export const cutText = (text: string, most: number): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
