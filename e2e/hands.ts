import type { Page } from '@playwright/test'
import { Klm, type Operator } from './keystroke-level.ts'

/** What was done for one correction: presses of keys, held ones too; seconds of hands; and milliseconds until the page had drawn it. */
export type Done = { presses: number; seconds: number; pageMs: number }

/**
 * Hands on a page's keyboard that count: each press waits until the page has drawn what it did, as a person sees it.
 */
export const handsOf = (page: Page) => {
  let operators: Operator[] = []
  let pageMs = 0
  const drawn = () =>
    page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  const press = async (keys: string) => {
    // What is held with a key is pressed, too.
    const held = keys.split('+').length - 1 + Number(/^[A-Z]$/.test(keys))
    for (let i = 0; i <= held; i++) operators.push('K')
    const began = performance.now()
    await page.keyboard.press(keys)
    await drawn()
    pageMs += performance.now() - began
  }
  const think = () => void operators.push('M')
  const type = async (text: string) => {
    for (const letter of text) await press(letter === ' ' ? 'Space' : letter)
  }
  const hands = {
    press,
    type,
    /** A command by its key, after deciding for it; some are pressed several times. */
    key: async (keys: string, times = 1) => {
      think()
      for (let i = 0; i < times; i++) await press(keys)
    },
    /** A command by the beginning of its name. */
    command: async (name: string) => {
      think()
      await press('Control+k')
      await page.getByRole('combobox', { name: 'Find a command' }).waitFor()
      await type(name)
      await press('Enter')
      // Some open a dialog of their own.
      await page.getByRole('combobox', { name: 'Find a command' }).waitFor({ state: 'detached' })
    },
    /** Has words of the transcript selected. */
    find: async (words: string) => {
      think()
      await press('Control+f')
      await page.getByRole('combobox', { name: 'Words, or how they begin' }).waitFor()
      await type(words)
      await press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.locator('.transcript:focus').waitFor()
    },
    /** Until something that a press opens is there. */
    sees: (selector: string) => page.locator(selector).first().waitFor(),
    begin: () => {
      operators = []
      pageMs = 0
    },
    end: (): Done => {
      const presses = operators.filter((one) => one === 'K').length
      return { presses, seconds: Klm.seconds(operators), pageMs }
    },
  }
  return hands
}
export type Hands = ReturnType<typeof handsOf>
