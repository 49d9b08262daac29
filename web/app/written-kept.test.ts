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
        expect(
          /= use(?:Draft|Invited|ScriptDraft)(<\w+>)?\(/.test(textOf(form)),
          `${form} keeps the words of ${file}`,
        ).toBe(true)
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

/** What the key of each draft names, so that what was written about one thing never stands at another; or why one is for all. */
const draftsOf: Record<string, { names: Of[] } | { why: string }> = {
  'panel/edits/first-cut.tsx': { names: ['project'] },
  'panel/invitations/invite-draft.ts': { names: ['company'] },
  'panel/notes/notes.tsx': { names: ['note', 'person'] },
  'panel/project/actions.tsx': { names: ['project', 'cut'] },
  'panel/project/answer-card.tsx': { names: ['project'] },
  'panel/project/conversation.tsx': { names: ['project', 'cut'] },
  'panel/project/deny-form.tsx': { names: ['project', 'cut'] },
  'panel/project/remark-words.tsx': { names: ['comment'] },
  'panel/project/review-form.tsx': { names: ['project', 'cut'] },
  'panel/publishing/edit-post.tsx': { names: ['post'] },
  'panel/record/script-draft.ts': { why: 'It holds the script that it was begun on, and stands at no other.' },
  'panel/scripts/script-dialog.tsx': { names: ['script', 'category'] },
  'panel/support/ask-dialog.tsx': { names: ['project'] },
  'panel/support/talk.tsx': { names: ['thread'] },
}
type Of = keyof typeof named
/** How each stands in the brackets of a key. */
const named = {
  category: /^category\?\.id$/,
  comment: /^commentId$/,
  company: /^company$/,
  cut: /^(?:project\.currentCut|cut)$/,
  note: /^note\?\.id$/,
  person: /^userId$/,
  post: /^id$/,
  project: /^(?:projectId|project\.id|id)$/,
  script: /^script\?\.id$/,
  thread: /^thread\.id$/,
}

const drafting = globSync('**/*.{ts,tsx}', { cwd: root }).filter(
  (file) =>
    !file.includes('.test.') && /import \{[^}]*\buseDraft\b[^}]*\} from '[./\w-]*use-draft\.ts'/.test(textOf(file)),
)

/** Each key in a file that a draft is kept under, as it is written: at the call, or where the call takes it from. */
const keysOf = (file: string): string[] => {
  const text = textOf(file)
  return [...text.matchAll(/\buseDraft(?:<[^(]+>)?\(\s*(`[^`]*`|'[^']*'|\w+)/g)].map(([, given]) => {
    if (!/^\w/.test(given!)) return given!
    const put = new RegExp(`const ${given} = (\`[^\`]*\`)`).exec(text)?.[1]
    if (put) return put
    // A call of `keyOf`, or a property whose caller says `of={draftOf(…)}`.
    const maker = new RegExp(`\\b${given!}=\\{(\\w+)\\(`).exec(text)?.[1] ?? given!
    return new RegExp(`const ${maker} = [^\\n]*=>\\s*(` + '`[^`]*`' + `)`).exec(text)?.[1] ?? `${given} of nothing`
  })
}

it('every file with a draft is listed with what the key of it names, and no other', () => {
  expect(drafting.toSorted()).toEqual(Object.keys(draftsOf).toSorted())
})

it('the key of a draft names the company, cut, thread or script that it is of, or there is a reason for one', () => {
  for (const file of drafting) {
    const [of, keys] = [draftsOf[file]!, keysOf(file)]
    expect(keys.length, file).toBeGreaterThan(0)
    if ('why' in of) expect(of.why, file).toMatch(/^[A-Z].{20,}\.$/)
    else
      for (const key of keys) {
        const parts = [...key.matchAll(/\$\{([^}]+)\}/g)].flatMap(([, part]) => part!.split(/ \?\? /))
        for (const one of of.names)
          expect(
            parts.some((part) => named[one].test(part)),
            `${file}: ${key} names its ${one}`,
          ).toBe(true)
      }
  }
})

/** Where its writer throws a draft away as a whole, and when. After a call, only what was sent is taken away. */
const thrownAway: Record<string, string> = {
  'panel/notes/notes.tsx': 'Cancel, or Save where nothing was changed.',
  'panel/project/conversation.tsx': 'Post: the comment is kept beside it from the press on.',
  'panel/record/script-draft.ts': 'Done: the words stand before the camera, and nothing is sent.',
  'panel/scripts/script-dialog.tsx': 'Cancel.',
}

/** The third and the fourth name at each draft of a file: `sent` and `forget`, as they are called there. */
const endsOf = (file: string) =>
  [...textOf(file).matchAll(/const \[([^\]=]*)\] =\s*use(?:Draft|Invited)\b/g)].map(([, names]) => {
    const [, , sent, forget] = names!
      .replace(/\{[^}]*\}/g, '')
      .split(',')
      .map((name) => name.trim())
    return { sent: sent || undefined, forget: forget || undefined }
  })

/** What stands in the brackets that open there first. */
const bracketsAt = (text: string, at: number): string => {
  let depth = 0
  for (let place = at; place < text.length; place++) {
    if ('({['.includes(text[place]!)) depth++
    if (')}]'.includes(text[place]!) && --depth <= 0 && text[place] !== ')') return text.slice(at, place + 1)
    if (depth < 0) return text.slice(at, place)
  }
  return text.slice(at)
}
/** What follows each answer to a call, in this file. */
const successesOf = (text: string): string[] =>
  [...text.matchAll(/\bonSuccess: [^=]*=> ?/g)].map(({ index, 0: { length } }) => {
    const rest = text.slice(index + length)
    return rest.startsWith('{') ? bracketsAt(text, index + length) : rest.split('\n')[0]!
  })
/** These names, and those of functions of the file that call one of them. */
const callersOf = (text: string, names: readonly string[]): string[] => {
  const more = [...text.matchAll(/\bconst (\w+) = (?:async )?\([^)]*\)(?:: \w+)? => /g)].flatMap(([whole, name]) => {
    const at = text.indexOf(whole) + whole.length
    return !names.includes(name!) &&
      /^[a-z]/.test(name!) &&
      new RegExp(`\\b(?:${names.join('|')})\\(`).test(bracketsAt(text, at))
      ? [name!]
      : []
  })
  return more.length === 0 ? [...names] : callersOf(text, [...names, ...more])
}
const withDraft = [...drafting, 'panel/invitations/invite-dialog.tsx']

it('a draft is thrown away as a whole by its writer alone, in files that are listed with when', () => {
  const found = withDraft.filter((file) => endsOf(file).some(({ forget }) => forget !== undefined))
  expect(found.toSorted()).toEqual(Object.keys(thrownAway).toSorted())
  const dropping = globSync('**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !file.includes('.test.') && /import \{[^}]*\bdropWritten\b/.test(textOf(file)),
  )
  // One that has a list of its own, of which each is kept until the service has it; and what was deleted to its last sign.
  expect(dropping.toSorted()).toEqual(['panel/invitations/invite-draft.ts', 'panel/project/unsent-remarks.ts'])
})

it('an answer throws no draft away as a whole, but takes away the words that stood there at the press', () => {
  for (const file of withDraft) {
    const [text, ends] = [textOf(file), endsOf(file)]
    const forgets = ends.flatMap(({ forget }) => forget ?? [])
    expect(ends.length, file).toBe(keysOf(file).length || 1)
    for (const success of forgets.length === 0 ? [] : successesOf(text))
      for (const name of callersOf(text, forgets)) expect(success, file).not.toMatch(new RegExp(`\\b${name}\\(`))
    for (const { sent, forget } of ends) {
      expect(sent ?? forget, `${file} ends its draft`).toBeDefined()
      if (sent === undefined || file === 'panel/invitations/invite-draft.ts') continue
      const [, given] = new RegExp(`(\\w+)=\\{${sent}\\}`).exec(text) ?? []
      const users = given === undefined ? [file] : files.filter((one) => new RegExp(`\\b${given}\\(`).test(textOf(one)))
      const name = given ?? sent
      expect(users.length, `${file}: ${name}`).toBeGreaterThan(0)
      for (const user of users) {
        const calls = [...textOf(user).matchAll(new RegExp(`(?<![.\\w])${name}\\(([^,)]*)`, 'g'))]
        expect(
          calls.map(([, first]) => first),
          `${user}: ${name}`,
        ).toEqual(calls.map(() => 'pressed'))
        expect(calls.length, `${user} takes away what was sent`).toBeGreaterThan(0)
        // At the press, not as the answer comes.
        expect(textOf(user), user).toMatch(/\bonMutate\b|const pressed = |\(pressed\) =>/)
        for (const success of successesOf(textOf(user))) expect(success, user).not.toMatch(/const pressed\b/)
      }
    }
  }
})

/** Presses that go by themselves once something else is there, and what tells of one that is left before; or why nothing need. */
const held: Record<string, { by: RegExp } | { why: string }> = {
  'panel/goals/goal-row.tsx': { why: 'It is sent as the row is left.' },
  'panel/project/cut-panel.tsx': { by: /useTellWhenLeft\(waits, / },
  'panel/project/unsent-first.tsx': { by: /useTellWhenLeft\(isHeld && !isFree && !hasFailed, / },
  'panel/projects/new-video-page.tsx': { by: /useTellWhenLeft\(willSubmit, / },
}

it('each press that waits and goes by itself is told of when its page is left before', () => {
  const holding = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) =>
    /\buseEffectEvent\((?:go|send|submit)\)/.test(textOf(file)),
  )
  expect(holding.toSorted()).toEqual(Object.keys(held).toSorted())
  for (const [file, how] of Object.entries(held))
    if ('by' in how) expect(textOf(file), file).toMatch(how.by)
    else expect(how.why, file).toMatch(/^[A-Z].{20,}\.$/)
})

it('each verb that comments belong to waits for those that are not sent, on every page', () => {
  const act = textOf('panel/project/act.ts')
  for (const verb of ['approve', 'deny', 'review'])
    expect(act, verb).toMatch(new RegExp(`judge\\(\\(\\) =>\\s*calls\\.${verb}\\.mutate\\(`))
  // Nobody sends one of them past it.
  const senders = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) =>
    /\(projects\.(?:approve|deny|review)\b/.test(textOf(file)),
  )
  expect(senders).toEqual(['panel/project/act.ts'])
})
