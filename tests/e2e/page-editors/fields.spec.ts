import { readFile } from 'node:fs/promises'
import { PDFDocument } from 'pdf-lib'
import { findAccessibilityProblems } from '../accessibility'
import { expect, test } from '../browser-test'
import { openEditor, readOptions } from './stage'

test('fills a form in inputs over the page', async ({ page }) => {
  await openEditor(page, 'form-filler')
  const fields = page.getByTestId('fields')
  await expect(fields).toContainText('4 fields')
  const fullName = fields.getByLabel('fullName', { exact: true })
  // The example of the documentation is filled in. Every input is where the page has its field.
  await expect(fullName).toHaveValue('Żaneta Nowak')
  const [input, stage] = [await fullName.boundingBox(), await fields.getByTestId('stage').boundingBox()]
  expect(((input?.x ?? 0) - (stage?.x ?? 0)) / (stage?.width ?? 1)).toBeCloseTo(190 / 595.28, 1)

  await fullName.fill('Grace Hopper')
  await fields.getByLabel('country').selectOption('Japan')
  await fields.getByLabel('transport: Bicycle').check()
  await fields.getByLabel('agree').uncheck()
  expect(await readOptions(page)).toEqual({
    fields: { fullName: 'Grace Hopper', country: 'Japan', transport: 'Bicycle', agree: false },
  })
  expect(await findAccessibilityProblems(page)).toEqual([])

  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download form-filled.pdf' }).click(),
  ])
  const form = (await PDFDocument.load(await readFile(await download.path()))).getForm()
  expect(form.getTextField('fullName').getText()).toBe('Grace Hopper')
  expect(form.getDropdown('country').getSelected()).toEqual(['Japan'])
  expect(form.getRadioGroup('transport').getSelected()).toBe('Bicycle')
  expect(form.getCheckBox('agree').isChecked()).toBe(false)
})

test('lists the fields below the page on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openEditor(page, 'form-filler')
  const fields = page.getByTestId('fields')
  await fields.getByRole('listitem').getByLabel('fullName').fill('Ada')
  await fields.getByText('transport: Car').click()
  expect(await readOptions(page)).toMatchObject({ fields: { fullName: 'Ada', transport: 'Car' } })
  expect(await findAccessibilityProblems(page)).toEqual([])
})
