import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/**
 * What stands where something loads, and where it did not come, is drawn by `Loaded`, `Listed` and the frames made of them.
 * Who draws it by hand stands here with the reason.
 */
const byHand: Record<string, string> = {
  'detail-page.tsx': 'a frame: a thing that is gone is no failure',
  'project/no-project.tsx': 'a project that is not there for this person is no failure',
  'subscriptions/plan-awaiting.tsx': 'a plan that nobody bought is no failure',
  'plans/plans-page.tsx': 'the plans are the front page’s, which shows none when they did not come',
  'project/project-page.tsx': 'code on its way, and a picture whose kind is not known yet',
  'projects/new-video-page.tsx': 'files that wait on this device, and a form that is used without its months',
  'scripts/library-foot.tsx': 'a part of a list that did not come, below the rest',
  'edits/workbench-page.tsx': 'two answers at once, and the page’s own shape',
}
const drawn = /<(Awaiting|ErrorState|Loading)\b/

const pages = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.tsx'),
)
const drawing = pages.filter((name) => drawn.test(readFileSync(join(import.meta.dirname, name), 'utf8')))

it('the states of what is loaded are drawn by the frames alone', () => {
  expect(drawing.filter((name) => !(name in byHand))).toEqual([])
  expect(Object.keys(byHand).filter((name) => !drawing.includes(name))).toEqual([])
})
