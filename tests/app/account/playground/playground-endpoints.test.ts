import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { describePlaygroundEndpoint } from '../../../../app/account/playground/playground-endpoints'
import { listEndpoints } from '../../../../lib/docs/endpoints'
import { readPdf } from '../../../support/reader'

const calls = listEndpoints().map(describePlaygroundEndpoint)

it('offers samples that exist, are small, and match their names', async () => {
  const names = new Set(calls.flatMap(({ samples }) => samples))
  expect(names.size).toBeGreaterThan(5)
  const bytes = new Map(
    await Promise.all([...names].map(async name => [name, await readFile(`public/samples/${name}`)] as const)),
  )
  for (const [name, file] of bytes) {
    expect(file.length, name).toBeLessThan(100_000)
    const start = { pdf: '%PDF-', html: '<!doc', xml: '<?xml', jpg: '\xff\xd8\xff\xe0\0', png: '\x89PNG\r' }[
      name.slice(name.lastIndexOf('.') + 1)
    ]
    expect(file.subarray(0, 5).toString('latin1'), name).toBe(start)
  }
})

it('has a report with bookmarks, a form with fields, and a scan without text', async () => {
  const [report, form, scan] = await Promise.all(
    ['report', 'form', 'scan'].map(async name => readPdf(await readFile(`public/samples/${name}.pdf`))),
  )
  expect(report?.outline.map(({ page }) => page)).toEqual([1, 2, 3, 4, 5])
  expect(report?.pages[0]?.text).toContain('jane.doe@example.com')
  expect(new Set(form?.pages[0]?.fields.map(({ name }) => name))).toEqual(
    new Set(['fullName', 'country', 'transport', 'agree']),
  )
  expect(scan?.pages.map(({ text }) => text.trim())).toEqual([''])
})

it('begins with a request that has files of its kind, which are among the samples', () => {
  for (const { slug, files, samples, start } of calls) {
    expect(samples.length > 0, slug).toBe(files !== 'none')
    expect(start.files.length, slug).toBe({ one: 1, many: 2, html: 1, none: 0 }[files])
    expect(samples, slug).toEqual(expect.arrayContaining(start.files))
  }
})
