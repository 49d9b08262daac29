import { expect, test } from '@playwright/test'
import { edits } from '@clear-to-post/contract/edits'
import { projects } from '@clear-to-post/contract/projects'
import { expectClean } from './axe.ts'
import { callAs, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'
import { prepared } from './workbench.ts'

test('words to spell right of two people are all kept, and Undo of a removal brings back that word alone', async ({
  browser,
}) => {
  atOneScreen('desktop')
  const projectId = await prepared('Names of this officer')
  const colleague = await callAs('admin')
  const { userId } = await colleague(projects.find, { params: { projectId } })
  const params = { userId }
  const add = (...terms: string[]) =>
    colleague(edits.changeGlossary, { params, body: { whose: 'own', add: terms.map((term) => ({ term })) } })
  const kept = async () => (await colleague(edits.glossary, { params })).own.map(({ term }) => term)
  await add('Alpha')

  const page = await signIn(browser, 'editor')
  await page.goto(url(`/panel/projects/${projectId}/edit`))
  await page.getByRole('button', { name: 'More' }).first().click()
  await page.getByRole('menuitem', { name: 'Words to spell right' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Alpha')).toBeVisible()
  await expectClean(page, 'words to spell right')

  await add('Guadalupe Okonkwo')
  const write = async (term: string) => {
    await dialog.getByLabel('As it is written').fill(term)
    await dialog.getByRole('button', { name: 'Add' }).click()
    await expect(dialog.getByText(term)).toBeVisible()
  }
  await write('Bexar')
  await expect(dialog.getByText('Guadalupe Okonkwo')).toBeVisible()

  await dialog.getByRole('button', { name: /Alpha/ }).click()
  await expect(dialog.getByText('Alpha')).toBeHidden()
  await write('Zillow')
  await page
    .getByRole('listitem')
    .filter({ hasText: '“Alpha” is removed.' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(dialog.getByText('Alpha')).toBeVisible()
  expect(await kept()).toEqual(['Alpha', 'Bexar', 'Guadalupe Okonkwo', 'Zillow'])

  // Added by somebody else with other sounds: what they said stays, and is shown.
  await colleague(edits.changeGlossary, { params, body: { whose: 'own', add: [{ term: 'Qaro', sounds: 'cara' }] } })
  await dialog.getByLabel('As it is written').fill('Qaro')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByText('“Qaro” is there already')).toBeVisible()
  await expect(dialog.getByText('cara')).toBeVisible()

  await colleague(edits.changeGlossary, { params, body: { whose: 'own', remove: await kept() } })
})
