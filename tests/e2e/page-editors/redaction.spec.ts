import { findAccessibilityProblems } from '../accessibility'
import { expect, test } from '../browser-test'
import { boxes, drag, openEditor, readOptions, stage } from './stage'

test.describe('redaction by drawing', () => {
  test('draws a box, finds a text, and shows that both places have no text afterwards', async ({ page }) => {
    await openEditor(page, 'pdf-redaction')
    await expect(stage(page).getByTestId('hit').first()).toBeVisible()
    await drag(page, stage(page), [0.05, 0.05], [0.6, 0.12])
    await expect(boxes(page)).toHaveCount(1)
    await page.getByLabel('Text to redact').fill('Gross')
    await expect(page.getByText(/place.* on page/).first()).toBeVisible()
    await page.getByRole('button', { name: 'Add text' }).click()
    const { areas, search } = await readOptions(page)
    expect(areas).toEqual([
      { page: 1, x: expect.any(Number), y: expect.any(Number), width: expect.any(Number), height: expect.any(Number) },
    ])
    expect(search).toContainEqual({ text: 'Gross' })
    await expect(page.getByTestId('curl')).toContainText('"areas":[{"page":1')
    expect(await findAccessibilityProblems(page)).toEqual([])

    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const proof = page.getByTestId('proof')
    await expect(proof.getByRole('row').nth(1)).toContainText('No text')
    for (const row of await proof.getByRole('row').all()) {
      if ((await row.getByRole('cell').count()) === 0) continue
      await expect(row.getByRole('cell').nth(2)).toHaveText('No text')
    }
    await expect(proof).toContainText('Ada Reyes')
    expect(await findAccessibilityProblems(page)).toEqual([])
  })

  test('moves, resizes and removes a box by keyboard', async ({ page }) => {
    await openEditor(page, 'pdf-redaction')
    await page.getByRole('button', { name: 'Add box' }).click()
    const box = boxes(page)
    await expect(box).toBeFocused()
    const { areas: before } = await readOptions(page)
    await box.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Alt+ArrowDown')
    await page.keyboard.press('Shift+ArrowRight')
    const { areas: after } = await readOptions(page)
    const [first] = before as Record<string, number>[]
    expect(after).toEqual([
      {
        ...first,
        x: expect.closeTo((first?.['x'] ?? 0) + 1),
        y: expect.closeTo((first?.['y'] ?? 0) - 10),
        width: expect.closeTo((first?.['width'] ?? 0) + 1),
      },
    ])
    await box.focus()
    await page.keyboard.press('Delete')
    await expect(boxes(page)).toHaveCount(0)
    expect(await readOptions(page)).not.toHaveProperty('areas')
  })
})
