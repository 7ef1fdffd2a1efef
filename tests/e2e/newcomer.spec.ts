import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readPageTexts } from '../support/page-texts'
import { expect, freshEmail, PASSWORD, test } from './browser-test'

const run = promisify(execFile)
const KEY = /^sheaf_live_[0-9A-Za-z]{38}$/

test(
  'a newcomer gets from the start page to a merged PDF and a rotated key',
  { tag: '@core' },
  async ({ page, request }) => {
    const folder = await mkdtemp(join(tmpdir(), 'sheaf-newcomer-'))

    await page.goto('/')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Email address').fill(freshEmail())
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL('**/account')
    await expect(page.getByTestId('balance')).toHaveText('100')

    await page.getByRole('button', { name: 'Create API key' }).click()
    const dialog = page.getByRole('dialog')
    const key = await page.getByTestId('api-key').innerText()
    expect(key).toMatch(KEY)

    await expect(dialog.getByText('Waiting for a request.')).toBeVisible()
    const command = await dialog.getByRole('tabpanel').innerText()
    expect(command).toContain(key)
    await runCommand(command, folder)
    const pages = await readPageTexts(await readFile(join(folder, 'sheaf-first-request', 'merged.pdf')))
    expect(pages.map(text => /\w+\.pdf, page \d of \d/.exec(text)?.[0])).toEqual([
      'letter.pdf, page 1 of 1',
      'terms.pdf, page 1 of 2',
      'terms.pdf, page 2 of 2',
    ])

    await expect(dialog.getByText(/^Request received: pdf-tools\/merge-pdf, 200, \d+ ms, req_/)).toBeVisible()
    await page.getByRole('button', { name: 'I stored the key' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByTestId('balance')).toHaveText('99')
    await expect(page.getByText(/Last used .*: Merge PDFs, 200/)).toBeVisible()
    await expect(page.getByRole('heading', { name: 'First-day checklist' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'First request' })).toBeHidden()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'First request' })).toBeHidden()
    await expect(page.getByText(`sheaf_live_…${key.slice(-4)}`)).toBeVisible()
    expect(await page.content()).not.toContain(key)

    await page.getByRole('button', { name: 'Rotate key' }).click()
    await expect(dialog).toContainText(key.slice(-4))
    await page.getByRole('button', { name: 'Rotate now' }).click()
    const newKey = await page.getByTestId('api-key').innerText()
    expect(newKey).toMatch(KEY)
    expect(newKey).not.toBe(key)
    await page.getByRole('button', { name: 'I stored the key' }).click()

    expect(await merge(key)).toBe(401)
    expect(await merge(newKey)).toBe(200)
    await page.reload()
    await expect(page.getByTestId('balance')).toHaveText('98')
    await expect(page.getByRole('alert').filter({ hasText: 'A rotated key is still in use' })).toContainText(
      'Rejected once since',
    )

    await page.getByRole('link', { name: 'Credits', exact: true }).click()
    await page.waitForURL('**/account/credits')
    await expect(
      page.getByText('Credits aren’t for sale on this server. Ask the operator to add credits'),
    ).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Automatic top-up' })).toBeHidden()
    await expect(async () => {
      await page.reload() // The page lists a request a moment after the request.
      await expect(page.getByRole('row', { name: /Request: Merge PDFs.* −1 98/ })).toBeVisible({ timeout: 1000 })
    }).toPass()
    await page.getByRole('link', { name: 'Requests', exact: true }).click()
    await expect(page.getByRole('row', { name: /Merge PDFs/ })).toHaveCount(2)
    await rm(folder, { recursive: true })

    async function merge(apiKey: string): Promise<number> {
      const samples = await Promise.all(
        ['letter.pdf', 'terms.pdf'].map(async name => ({
          name,
          mimeType: 'application/pdf',
          buffer: await readFile(join('public/samples', name)),
        })),
      )
      const files = new FormData()
      for (const { name, mimeType, buffer } of samples)
        files.append('files', new File([new Uint8Array(buffer)], name, { type: mimeType }))
      const response = await request.post('/api/external/pdf-tools/merge-pdf', {
        headers: { 'x-api-key': apiKey },
        multipart: files,
      })
      return response.status()
    }
  },
)

/** Runs the page's sample unchanged in a shell. Without curl, an equivalent request replaces it. */
async function runCommand(command: string, folder: string): Promise<void> {
  const hasCurl = await run('curl', ['--version']).then(
    () => true,
    () => false,
  )
  if (hasCurl) {
    await run('sh', ['-ec', command], { cwd: folder })
    return
  }
  const url = /https?:\S+merge-pdf/.exec(command)?.[0] ?? ''
  const apiKey = /x-api-key: ([^"]+)"/.exec(command)?.[1] ?? ''
  const body = new FormData()
  for (const [, name = ''] of command.matchAll(/-F files=@(\S+)/g))
    body.append('files', new File([await readFile(join('public/samples', name))], name))
  const response = await fetch(url, { method: 'POST', headers: { 'x-api-key': apiKey }, body })
  expect(response.status).toBe(200)
  await mkdir(join(folder, 'sheaf-first-request'))
  await writeFile(join(folder, 'sheaf-first-request', 'merged.pdf'), new Uint8Array(await response.arrayBuffer()))
}
