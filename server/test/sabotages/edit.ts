import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a file of any name’s length stands in a recipe',
    file: 'edit/src/read-recipe.ts',
    from: 'const FileId = z.string().min(1).max(100)',
    to: 'const FileId = z.string().min(1)',
    noticed: ['contract/src/bounds.test.ts', 'has a most length'],
  },
  {
    what: 'the frame stays in the middle when the person is off it',
    file: 'edit/src/framing.ts',
    from: 'const left = within(0, at.x - seen.width / 2, 1 - seen.width)',
    to: 'const left = (1 - seen.width) / 2',
    noticed: ['edit/src/focus.test.ts', 'every shape of frame shows the whole head'],
  },
  {
    what: 'nobody is asked whom of two people the picture follows',
    file: 'edit/src/person.ts',
    from: "isTwo ? [whole('two')]",
    to: 'isTwo ? []',
    noticed: ['edit/src/person.test.ts', 'two people of one size are a doubt'],
  },
  {
    what: 'what a rule found comes before what a person set',
    file: 'edit/src/commands/picture.ts',
    from: 'focus: [...others, fresh]',
    to: 'focus: [fresh, ...others]',
    noticed: ['edit/src/focus.test.ts', 'one answer counts for all passages'],
  },
  {
    what: 'the window of a picture lies on odd dots',
    file: 'edit/src/framing.ts',
    from: 'const even = (value: number): number => 2 * Math.round(value / 2)',
    to: 'const even = (value: number): number => Math.round(value)',
    noticed: ['edit/src/framing.test.ts', 'the window of any picture is even'],
  },
  {
    what: 'the preview’s music does not know how loud a passage was made',
    file: 'edit/src/loudness.ts',
    from: 'const gain = gainOf(recipe, piece)',
    to: 'const gain = 0',
    noticed: ['edit/src/loudness.test.ts', 'a passage counts with its gain'],
  },
  {
    what: 'pauses make the voice quieter than it is heard',
    file: 'edit/src/loudness.ts',
    from: 'const floor = mean(heard) - 10',
    to: 'const floor = mean(heard) - 60',
    noticed: ['edit/src/loudness.test.ts', 'neither silence nor a room between words counts'],
  },
  {
    what: 'a caption file brings control characters into an edit',
    file: 'edit/src/subtitles.ts',
    from: "    .replace(/[^\\P{Cc}\\t]/gu, '')\n",
    to: '',
    noticed: ['edit/src/subtitles.test.ts', 'as the W3C specifies'],
  },
  {
    what: 'a list or record of a recipe is read to its end, whatever is wrong in it',
    file: 'edit/src/read-recipe.ts',
    from: 'if (wrong.length >= mostProblems) break',
    to: '',
    noticed: ['edit/src/recipe.test.ts', 'is read until twenty mistakes are found'],
  },
  {
    what: 'records of a recipe have no most',
    file: 'edit/src/read-recipe.ts',
    from: 'outline: z.custom<object>(isRecord).check(...(checks as z.core.$ZodCheck<object>[])),',
    to: 'outline: z.custom<object>(isRecord),',
    noticed: ['edit/src/recipe.test.ts', 'has a most, asked before its members'],
  },
]
