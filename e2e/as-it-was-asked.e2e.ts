import { expect, test, type Locator, type Page } from '@playwright/test'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { isOfCut, Status, verbs, workflow, type Verb } from '@clear-to-post/domain/workflow'
import { callAs, signIn, url } from './people.ts'

/**
 * Every step that the page of a video and the board can take, by its verb: what is asked for is what was on the screen as its question was
 * opened, whatever happens while it stands there. The page is answered a video that may do this one step; somebody else acts, in another
 * answer, while its question is open; and what the page then sends is looked at, and refused.
 */
type Step = {
  status: Status
  /** On the page. Absent where the page has no button of its own. */
  page?: { open: string | RegExp; confirm?: (page: Page) => Promise<void> }
  board?: { confirm?: (page: Page) => Promise<void> }
  /** A form beside the video, which shows all that happens there: its words are about the cut for which it was opened. */
  isForm?: true
}

const press = (name: string | RegExp) => (page: Page) =>
  dialogOf(page).getByRole('button', { name, exact: true }).click()
const chooseEditor = async (page: Page) => {
  await dialogOf(page)
    .getByRole('button', { name: /Editor/ })
    .click()
  await page.getByRole('listbox').getByRole('option', { selected: false }).first().click()
  await press('Assign')(page)
}

/** The question names the step that is taken back, which is not always the last one. */
const rollBack = async (page: Page) => {
  await expect(dialogOf(page)).toContainText('“Denied” is taken back')
  await press('Roll back')(page)
}

/** A step without a row says why it has none. */
const steps: Record<Verb, Step | string> = {
  create: 'made on a page of its own, of nothing that was there before',
  release: 'the service’s own',
  hold: 'the service’s own',
  publish: 'the service’s own',
  start: 'a claim: whoever comes second is refused by name, and takes nothing back',
  reorder: 'a place in the queue, of which the last word counts',
  send: 'goes as soon as its file is ready, with what is on the screen then (server/src/projects/undo.test.ts)',
  approve: {
    status: Status.waitingApproval,
    page: { open: 'Approve cut 1' },
    board: { confirm: press('Approve cut 1') },
  },
  deny: {
    status: Status.waitingApproval,
    isForm: true,
    page: {
      open: 'Deny cut 1',
      confirm: async (page) => {
        await page.getByText('Captions', { exact: true }).last().click()
        await page.getByRole('button', { name: 'Deny cut 1', exact: true }).last().click()
      },
    },
  },
  review: {
    status: Status.completed,
    isForm: true,
    page: {
      open: workflow.review.label,
      confirm: async (page) => {
        await page.getByRole('textbox', { name: 'What should change?' }).fill('Turn the music down.')
        await page.getByRole('button', { name: workflow.review.label, exact: true }).last().click()
      },
    },
  },
  schedule: {
    status: Status.completed,
    page: { open: 'Schedule', confirm: press('Schedule') },
    board: { confirm: press('Schedule') },
  },
  reschedule: { status: Status.scheduled, page: { open: workflow.reschedule.label, confirm: press('Move') } },
  unschedule: { status: Status.scheduled, page: { open: workflow.unschedule.label }, board: {} },
  cancel: {
    status: Status.inProgress,
    page: { open: workflow.cancel.label, confirm: press('Cancel the video') },
    board: { confirm: press('Cancel the video') },
  },
  rollback: {
    status: Status.completed,
    page: { open: workflow.rollback.label, confirm: rollBack },
    board: { confirm: rollBack },
  },
  assign: {
    status: Status.inProgress,
    page: { open: workflow.assign.label, confirm: chooseEditor },
    board: { confirm: chooseEditor },
  },
}

const walked = verbs.flatMap((verb) => {
  const step = steps[verb]
  return typeof step === 'string' ? [] : [{ verb, ...step }]
})

/** As the page is opened, and as it is once somebody else acted. */
const opened = {
  seq: 700,
  currentCut: 1,
  undoable: { seq: 690, verb: 'deny', title: 'Denied' },
} satisfies Partial<Project>
const later = {
  seq: 701,
  currentCut: 2,
  undoable: { seq: 701, verb: 'approve', title: 'Approved' },
} satisfies Partial<Project>

test('each step of a video’s page is asked for as it was when its question was opened', async ({
  browser,
  viewport,
}) => {
  const { page, answers, sent, toasts } = await pageOf(browser, viewport)
  const rows: readonly (Step & { verb: Verb; search?: string })[] = [
    ...walked,
    // An approval has two more questions: for a time, and of a cut that is not on the screen.
    {
      verb: 'approve',
      status: Status.waitingApproval,
      page: { open: 'Approve cut 1 for a time', confirm: press('Approve cut 1') },
    },
    {
      verb: 'approve',
      status: Status.waitingApproval,
      search: '?show=s1',
      page: { open: 'Approve cut 1', confirm: press('Approve cut 1') },
    },
  ]
  for (const { verb, status, page: step, isForm, search = '' } of rows) {
    if (!step) continue
    await test.step(`${verb}: ${String(step.open)}`, async () => {
      Object.assign(answers, { ...opened, status, actions: [verb], title: 'As it was' })
      await page.goto(url(`/panel/projects/${answers.id}${search}`))
      await buttonOf(page, step.open)
      if (step.confirm) {
        // Beside a form the video says that another cut came (approval.e2e.ts): here it is another step alone.
        Object.assign(answers, isForm ? { seq: later.seq } : later, { title: 'Somebody acted' })
        await expect(page.locator('h1')).toHaveText('Somebody acted')
        await step.confirm(page)
      }
      await expect.poll(() => sent.length, { message: `${verb} is sent` }).toBe(1)
      expect.soft({ verb, ...sent.pop() }).toEqual({
        verb,
        seq: isForm ? later.seq : opened.seq,
        ...(isOfCut(verb) ? { cut: opened.currentCut } : {}),
      })
      await expect(toasts).toContainText('The project changed meanwhile.')
      // What cannot be sent any more does not stay open.
      if (!isForm) await expect(dialogOf(page)).toHaveCount(0)
    })
  }
  await page.context().close()
})

test('each step of a card is asked for as it was when its question was opened', async ({ browser, viewport }) => {
  const { page, answers, sent, toasts } = await pageOf(browser, viewport)
  for (const { verb, status, board: step } of walked) {
    if (!step) continue
    await test.step(verb, async () => {
      Object.assign(answers, { ...opened, status, actions: [verb], title: 'As it was' })
      await page.goto(url(`/panel/board?view=list&status=${status}`))
      await page.getByRole('button', { name: 'Actions for As it was' }).first().click()
      await page.getByRole('menuitem', { name: nameOf(verb), exact: true }).click()
      if (step.confirm) {
        Object.assign(answers, later, { title: 'Somebody acted' })
        await expect(page.getByText('Somebody acted').first()).toBeAttached()
        await step.confirm(page)
      }
      await expect.poll(() => sent.length, { message: `${verb} is sent` }).toBe(1)
      expect.soft({ verb, ...sent.pop() }).toEqual({
        verb,
        seq: opened.seq,
        ...(isOfCut(verb) ? { cut: opened.currentCut } : {}),
      })
      await expect(toasts).toContainText('The project changed meanwhile.')
      await expect(dialogOf(page)).toHaveCount(0)
    })
  }
  await page.context().close()
})

const nameOf = (verb: Verb): string =>
  verb === 'approve' ? 'Approve cut 1' : verb === 'deny' ? 'Deny cut 1' : workflow[verb].label

const dialogOf = (page: Page): Locator => page.locator('[role=dialog], [role=alertdialog]').last()

/** A button of the page, or of its menu. */
const buttonOf = async (page: Page, name: string | RegExp): Promise<void> => {
  const more = page.getByRole('button', { name: 'More actions' })
  const button = page.getByRole('button', { name, exact: true })
  await expect(button.or(more).first()).toBeVisible()
  if ((await button.count()) > 0) return button.first().click()
  await more.click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/** A page of the service's ADMIN that is answered one video of the demo as `answers` has it, and told twice a second to read anew. */
const pageOf = async (browser: Parameters<typeof signIn>[0], viewport: { width: number; height: number } | null) => {
  const api = await callAs('admin')
  const { items } = await api(projects.list, { query: { wheres: `status:eq:${Status.waitingApproval}` } })
  const { id } = items.find(({ currentCut }) => currentCut === 1)!
  const answers: Project = {
    ...(await api(projects.find, { params: { projectId: id } })),
    publishAt: new Date(Date.now() + 3 * 86_400_000).toISOString(),
  }
  const sent: { seq?: number; cut?: number }[] = []
  const page = await signIn(browser, 'admin', { viewport })
  await page.route('**/api/projects/list?*', (route) =>
    route.fulfill({
      json: {
        items: new URL(route.request().url()).searchParams.getAll('wheres').includes(`status:eq:${answers.status}`)
          ? [answers]
          : [],
        nextCursor: null,
      },
    }),
  )
  await page.route(`**/api/projects/${id}/**`, async (route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    const method = route.request().method()
    if (method === 'GET') return pathname.endsWith(`/${id}/`) ? route.fulfill({ json: answers }) : route.continue()
    const said = { ...Object.fromEntries(searchParams), ...(route.request().postDataJSON() as object | null) }
    sent.push(
      JSON.parse(JSON.stringify({ seq: numberOf(said, 'seq'), cut: numberOf(said, 'cut') })) as (typeof sent)[0],
    )
    await route.fulfill({
      status: 409,
      json: {
        code: 'project.changed',
        kind: 'conflict',
        message: 'The project changed meanwhile. Look again and repeat if it still fits.',
        requestId: 'seen',
      },
    })
  })
  await page.route('**/api/events?*', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: 'event: again\ndata: {}\n\n' }),
  )
  return { page, answers, sent, toasts: page.locator('[data-sonner-toast]').last() }
}

const numberOf = (said: object, name: 'seq' | 'cut'): number | undefined => {
  const value = (said as Record<string, unknown>)[name]
  return value === undefined ? undefined : Number(value)
}
