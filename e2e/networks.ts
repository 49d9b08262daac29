import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { Control } from '../server/src/stand-ins/networks/program.ts'
import { product, url } from './people.ts'

/** Connects a sandbox account of this network by the panel, as a person does. */
export const connect = async (page: Page, network: string, account: string) => {
  await page.goto(url('/panel/connections'))
  await page.getByRole('button', { name: new RegExp(`Connect (another )?${network}`) }).click()
  await allowAs(page, account)
  await expect(page.getByText(account, { exact: true })).toBeVisible()
}

/** What a person does at the network on the way. */
export const allowAs = async (page: Page, account: string) => {
  await page.getByRole('textbox', { name: 'Account' }).fill(account)
  await page.getByRole('button', { name: 'Allow' }).click()
}

/** Where the stand-ins of networks beside this worker's product answer. */
export const standIns = async (): Promise<string> =>
  `http://127.0.0.1:${await readFile(join(product().dataDir, 'network-stand-ins', 'port'), 'utf8')}`

/** Changes what happens at the networks. */
export const atNetworks = async (asked: Control): Promise<void> => {
  const answer = await fetch(`${await standIns()}/control`, { method: 'POST', body: JSON.stringify(asked) })
  expect(answer.ok, 'the stand-ins of networks').toBe(true)
}
