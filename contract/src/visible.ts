import { z } from 'zod'

/** A name or a title: trimmed, at most `max` characters, at least one of which leaves a mark on the page. */
export const visible = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => text === '' || mark.test(text), 'Write something that can be seen')

// Spaces of all kinds, controls, marks without a letter, fillers, and the empty braille pattern leave none.
const mark = /[^\p{White_Space}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u
