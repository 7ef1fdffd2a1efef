import type { Locator, Page } from '@playwright/test'
import { findAccessibilityProblems } from '../accessibility'
import { expect, signUp, test } from '../browser-test'

const curl = (page: Page) => page.getByTestId('curl')
const result = (page: Page) => page.getByTestId('result')
const step = (page: Page, number: number) => page.getByRole('group', { name: `Step ${number}`, exact: true })

async function open(page: Page) {
  await signUp(page)
  await page.goto('/account/playground/pipeline')
  await expect(page.getByRole('button', { name: 'Remove letter.pdf', exact: true })).toBeVisible()
  await expect(step(page, 3)).toBeVisible()
}

const fold = (page: Page, number: number) =>
  step(page, number).getByRole('button', { name: new RegExp(`^Step ${number}`) })

/** Moves the focus to an element with the Tab key, forward or backward. */
async function tabTo(page: Page, target: Locator) {
  for (let presses = 0; presses < 150; presses++) {
    const way = await target.evaluate(element => {
      const focused = document.activeElement ?? document.body
      if (focused === element) return 'there'
      const isBefore = (focused.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
      return isBefore && !focused.contains(element) ? 'back' : 'on'
    })
    if (way === 'there') return
    await page.keyboard.press(way === 'back' ? 'Shift+Tab' : 'Tab')
  }
  throw new Error('The Tab key does not lead there.')
}

async function press(page: Page, target: Locator, key = 'Enter') {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** Adds a step. The focus is then on the choice of its tool, which finds an entry by the letters typed. */
async function addStep(page: Page, number: number, title: string) {
  await press(page, page.getByRole('button', { name: 'Add a step' }))
  const tool = step(page, number).getByRole('combobox', { name: 'Tool' })
  await expect(tool).toBeFocused()
  await page.keyboard.type(title)
  await expect(tool.locator('option:checked')).toHaveText(title)
}

for (const [width, height] of [
  [1280, 900],
  [390, 844],
] as const) {
  test(`builds, reorders and runs steps by keyboard alone: ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height })
    await open(page)
    await press(page, page.getByRole('button', { name: 'Clear' }))
    await expect(step(page, 1)).toHaveCount(0)
    await addStep(page, 1, 'Merge PDFs')
    await addStep(page, 2, 'Compress PDF')
    await addStep(page, 3, 'Number pages')
    const position = step(page, 3).getByRole('combobox', { name: 'Position' })
    await tabTo(page, position)
    await page.keyboard.type('Bottom right')
    await expect(curl(page)).toContainText('{"tool":"compress-pdf"},{"tool":"page-numbers","options":{"position"')

    // With the buttons. The focus stays on the moved step.
    await press(page, step(page, 3).getByRole('button', { name: 'Move step 3 up' }))
    await expect(curl(page)).toContainText('"position":"bottom-right"}},{"tool":"compress-pdf"}')
    await expect(page.getByText('Number pages is now step 2 of 3.')).toBeAttached()
    await expect(step(page, 2).getByRole('button', { name: 'Move step 2 up' })).toBeFocused()
    await expect(step(page, 2).getByRole('combobox', { name: 'Position' })).toHaveValue('"bottom-right"')

    // With the handle.
    for (let number = 1; number <= 3; number++) {
      await press(page, fold(page, number))
      await expect(fold(page, number)).toHaveAttribute('aria-expanded', 'false')
    }
    await press(page, step(page, 3).getByRole('button', { name: 'Move step 3, Compress PDF' }), 'Space')
    await expect(page.getByText('Picked up Compress PDF.')).toBeAttached()
    // The arrow keys work a moment after the announcement. A key before that has no effect.
    const isOver = page.getByText('Compress PDF is over position 2 of 3.')
    await expect(async () => {
      if ((await isOver.count()) === 0) await page.keyboard.press('ArrowUp')
      await expect(isOver).toBeAttached({ timeout: 1000 })
    }).toPass()
    await page.keyboard.press('Space')
    await expect(curl(page)).toContainText('{"tool":"compress-pdf"},{"tool":"page-numbers"')
    await press(page, step(page, 2).getByRole('button', { name: 'Move step 2 down' }))
    await expect(curl(page)).toContainText('"bottom-right"}},{"tool":"compress-pdf"}')
    expect(await findAccessibilityProblems(page)).toEqual([])

    await press(page, page.getByRole('button', { name: 'Run', exact: true }))
    await expect(result(page)).toHaveAttribute('data-outcome', 'file')
    await expect(result(page).getByRole('heading', { name: /^3 steps run: / })).toBeVisible()
    await expect(page.getByTestId('balance')).toHaveText('99')
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(excess).toBe(0)
  })
}

test('shows an error at the field of its step, also after the step has moved', async ({ page }) => {
  await open(page)
  await fold(page, 2).click()
  await step(page, 2)
    .getByText(/^\d+ more options/)
    .click()
  const pages = step(page, 2).getByRole('textbox', { name: 'Pages', exact: true })
  await pages.fill('99')
  await fold(page, 2).click()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(result(page)).toHaveAttribute('data-outcome', 'error')
  await expect(pages).toHaveAttribute('aria-invalid', 'true')
  await result(page).getByRole('button', { name: 'Show steps[1].options.pages' }).click()
  await expect(pages).toBeFocused()
  await step(page, 2).getByRole('button', { name: 'Move step 2 down' }).click()
  await expect(step(page, 3).getByRole('textbox', { name: 'Pages', exact: true })).toHaveAttribute(
    'aria-invalid',
    'true',
  )
  await expect(page.getByTestId('balance')).toHaveText('100')
})

test('names a contradiction at its step, and sends a web page, names and a receipt', async ({ page }) => {
  await open(page)
  await fold(page, 3).click()
  await step(page, 3).getByRole('combobox', { name: 'Tool' }).selectOption('Protect PDF')
  await step(page, 3).getByLabel('Password to open userPassword', { exact: true }).fill('my own password')
  await step(page, 3).getByRole('button', { name: 'Move step 3 up' }).click()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(result(page)).toHaveAttribute('data-outcome', 'error')
  await expect(step(page, 3)).toContainText('page-numbers reads PDFs')
  await expect(page.getByTestId('balance')).toHaveText('100')

  await page.getByRole('combobox', { name: 'Start from an example' }).selectOption({ index: 2 })
  await fold(page, 1).click()
  await expect(step(page, 1).getByRole('combobox', { name: 'Tool' })).toHaveValue('webpage-to-pdf')
  await expect(step(page, 1).getByRole('textbox', { name: 'Name of the result' })).toHaveValue('cover')
  await fold(page, 2).click()
  await step(page, 2).getByRole('button', { name: 'Remove cover in step 2' }).click()
  await step(page, 2).getByRole('button', { name: 'Add cover to the files of step 2' }).click()
  await step(page, 2).getByRole('button', { name: 'Move cover up in step 2' }).click()
  await expect(curl(page)).toContainText('"files":["letter.pdf","cover","terms.pdf"]')
  await page.getByRole('switch', { name: 'Receipt' }).click()
  await page.locator('label').getByText('JSON', { exact: true }).click()
  const json = page.getByRole('textbox', { name: 'Options as JSON' })
  await expect(json).toHaveValue(/"letter\.pdf",\s+"cover",\s+"terms\.pdf"/)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(result(page)).toHaveAttribute('data-outcome', 'file')
  await expect(result(page).getByRole('link', { name: /^Download .+\.zip$/ })).toBeVisible()
  await expect(result(page).getByRole('button', { name: /receipt\.json/ })).toBeVisible()
})

test('moves a step by its handle, and removes it', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 1400 }) // The mouse needs both handles in view.
  await open(page)
  const from = await step(page, 1).getByRole('button', { name: 'Move step 1, Merge PDFs' }).boundingBox()
  const to = await step(page, 3).getByRole('button', { name: 'Move step 3, Compress PDF' }).boundingBox()
  if (!from || !to) throw new Error('The handles have no place.')
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 })
  await page.mouse.up()
  await expect(fold(page, 3)).toContainText('Merge PDFs')
  await expect(curl(page)).toContainText(/"compress-pdf".+"merge-pdf"/)
  await step(page, 3).getByRole('button', { name: 'Remove step 3' }).click()
  await expect(step(page, 3)).toHaveCount(0)
  await expect(fold(page, 2)).toBeFocused()
  await expect(curl(page)).not.toContainText('merge-pdf')
})
