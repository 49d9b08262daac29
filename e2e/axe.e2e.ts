import { expect, test } from '@playwright/test'
import { expectClean, violationsIn } from './axe.ts'

/** The measure of every other journey, measured: a page with known faults. */
test('faults of structure, of colours by day and of colours by night are found, and frames are refused', async ({
  page,
  viewport,
}) => {
  test.skip(viewport!.width > 600, 'the same at every width')
  const show = (body: string, style = '') =>
    page.setContent(`<!doctype html><html lang="en"><title>Faults</title><style>
      body { color: #000; background: #fff }
      @media (prefers-color-scheme: dark) { body { color: #fff; background: #000 } }
      ${style}</style><main><h1>Faults</h1>${body}</main></html>`)
  const found = () =>
    expectClean(page, 'the faults', { schemes: ['light', 'dark'] }).then(
      () => 'nothing',
      ({ message }: Error) => /"id": "[\w-]+"|"colorScheme": "\w+"/g[Symbol.match](message)?.sort().join(),
    )
  await show('<p>Fine</p>')
  expect(await found()).toBe('nothing')
  await show('<button></button>')
  expect(await found()).toBe('"colorScheme": "light","id": "button-name"')
  await show('<p id="pale">Pale</p>', '@media (prefers-color-scheme: light) { #pale { color: #ddd } }')
  expect(await found()).toBe('"colorScheme": "light","id": "color-contrast"')
  await show('<p id="dim">Dim</p>', '@media (prefers-color-scheme: dark) { #dim { color: #222 } }')
  expect(await found()).toBe('"colorScheme": "dark","id": "color-contrast"')
  await show('<button></button><p id="part">Part</p>')
  expect(await violationsIn(page, { include: '#part' })).toEqual([])
  await show('<iframe title="A frame" srcdoc="<button></button>"></iframe>')
  await expect(violationsIn(page)).rejects.toThrow('axe looks into no frames')
})
