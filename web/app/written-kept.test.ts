import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

/** What is long enough for several lines is too long to be written twice (decision 1177). */
const root = import.meta.dirname
const files = globSync('**/*.tsx', { cwd: root }).filter((file) => !file.startsWith('dev/') && file !== 'ui/fields.tsx')
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')
const fieldsOf = (file: string): number => textOf(file).match(/<(?:TextArea|textarea|AriaTextArea)\b/g)?.length ?? 0

/** Where the words of each field of several lines stay: the file that keeps a draft, or asks before they are left; or why they need not. */
const stays: Record<string, { keeps: string } | { asks: string } | { why: string }> = {
  'panel/edits/fields.tsx': { why: 'The workbench keeps each change as it is made (kept.ts).' },
  'panel/edits/first-cut.tsx': { keeps: 'panel/edits/first-cut.tsx' },
  'panel/invitations/invite-dialog.tsx': { keeps: 'panel/invitations/invite-dialog.tsx' },
  'panel/notes/notes.tsx': { keeps: 'panel/notes/notes.tsx' },
  'panel/profile/brand-form.tsx': {
    why: 'One wish of a profile, shown again as it was saved; its bar stands there until it is.',
  },
  'panel/project/answer-card.tsx': { keeps: 'panel/project/answer-card.tsx' },
  'panel/project/conversation.tsx': { keeps: 'panel/project/conversation.tsx' },
  'panel/project/deny-form.tsx': { keeps: 'panel/project/deny-form.tsx' },
  'panel/project/remark-words.tsx': { keeps: 'panel/project/remark-words.tsx' },
  'panel/project/review-form.tsx': { keeps: 'panel/project/review-form.tsx' },
  'panel/projects/new-video-page.tsx': { keeps: 'panel/projects/new-video-page.tsx' },
  'panel/publishing/comment-choice.tsx': { keeps: 'its forms' },
  'panel/publishing/post-fields.tsx': { keeps: 'its forms' },
  'panel/record/script-sheet.tsx': { keeps: 'panel/record/script-sheet.tsx' },
  'panel/scripts/script-dialog.tsx': { keeps: 'panel/scripts/script-dialog.tsx' },
  'panel/support/ask-dialog.tsx': { keeps: 'panel/support/ask-dialog.tsx' },
  'panel/support/talk.tsx': { keeps: 'panel/support/talk.tsx' },
  'panel/triggers/trigger-form.tsx': { asks: 'panel/triggers/trigger-form.tsx' },
  'site/contact.tsx': { why: 'A public page keeps nothing of who reads it; browsers bring a plain form back.' },
}
/** Fields that stand in forms of other files, each of which has to keep them. */
const within: Record<string, readonly string[]> = {
  'panel/publishing/comment-choice.tsx': ['panel/publishing/post-fields.tsx'],
  'panel/publishing/post-fields.tsx': ['panel/publishing/edit-post.tsx', 'panel/publishing/posts-choice.tsx'],
  'panel/publishing/posts-choice.tsx': ['panel/project/question.tsx'],
  'panel/project/question.tsx': ['panel/project/actions.tsx'],
}

/** The files whose form it is in the end. */
const formsOf = (file: string): string[] => (within[file] ?? []).flatMap((one) => (within[one] ? formsOf(one) : [one]))

it('every field of several lines is listed with where its words stay, and no other', () => {
  expect(files.filter((file) => fieldsOf(file) > 0).toSorted()).toEqual(Object.keys(stays).toSorted())
})

it('words of several lines are kept by a draft, asked about, or need not be kept for a reason', () => {
  for (const [file, how] of Object.entries(stays)) {
    if ('why' in how) expect(how.why, file).toMatch(/^[A-Z].{20,}\.$/)
    else if ('asks' in how) expect(textOf(how.asks), file).toMatch(/enableBeforeUnload/)
    else
      for (const form of within[file] ? formsOf(file) : [how.keeps])
        expect(/= useDraft(<\w+>)?\(/.test(textOf(form)), `${form} keeps the words of ${file}`).toBe(true)
  }
})

it('a part of a form is listed with every form that it stands in', () => {
  const wrong = Object.entries(within).flatMap(([file, forms]) => {
    const name = new RegExp(`from '[./\\w-]*${file.split('/').at(-1)!.replace('.', '\\.')}'`)
    const users = files.filter(
      (one) =>
        name.test(textOf(one)) &&
        // Types alone hold no words.
        new RegExp(`import \\{[^}]*\\b[A-Z]\\w+[^}]*\\} ${name.source}`).test(textOf(one)) &&
        new RegExp(`<(?:PostFields|CommentChoice|PostsChoice|Question)\\b`).test(textOf(one)) &&
        (file !== 'panel/project/question.tsx' || dirname(one) === 'panel/project'),
    )
    return JSON.stringify(users.toSorted()) === JSON.stringify([...forms].toSorted())
      ? []
      : [`${file}: ${users.join()}`]
  })
  expect(wrong).toEqual([])
})
