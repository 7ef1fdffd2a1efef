import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outputTooLarge } from '../../../engines/errors'
import { holdChunks } from '../../../engines/output-content'
import type { Job, OutputFile } from '../../../engines/types'
import type { Printer } from '../../../engines/webpage/browser/browser-printer'
import { pageOptions } from '../../../engines/webpage/request/options'
import { openHtml } from '../../../engines/webpage/request/page-source'
import { PooledWebPrinter } from '../../../engines/webpage/web-printer'
import { waitFor } from '../../support/wait-for'

let folder: string
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'sheaf-print-'))))
afterAll(() => rmSync(folder, { recursive: true }))

/** Prints with a printer that only names a file, and with this last step. */
async function print(finish: (job: Job) => Promise<OutputFile>): Promise<OutputFile> {
  const path = join(folder, 'large.print')
  writeFileSync(path, 'printed')
  const printer: Printer = {
    print: async () => ({ chunks: [], byteLength: 7, path, warnings: [], timings: {} }),
    ready: async () => {},
    status: () => ({ state: 'ready', running: 0, printed: 0, started: 1 }),
    residentBytes: () => 0,
    close: async () => {},
  }
  const pages = new PooledWebPrinter({ printer, finish, maxOutputBytes: 1234 })
  const source = openHtml('<p>x', undefined)
  return pages.print({ source, options: pageOptions.parse({}), name: 'page', signal: new AbortController().signal })
}

const isRemoved = () => waitFor(() => expect(existsSync(join(folder, 'large.print'))).toBe(false))

describe('a large print', () => {
  it('stays on the disk until its last step is done', async () => {
    const seen: unknown[] = []
    await print(async ({ files, limits }) => {
      const [file] = files
      seen.push(file?.byteLength, file?.chunks, existsSync(file?.path ?? ''), limits.maxOutputBytes)
      const content = holdChunks([Buffer.from('done')])
      return { name: 'page.pdf', contentType: 'application/pdf', content, warnings: [], headers: {}, timings: {} }
    })
    expect(seen).toEqual([7, [], true, 1234])
    await isRemoved()
  })

  it('is removed after an error, and an output over the limit names the limit', async () => {
    const printing = print(async () => Promise.reject(outputTooLarge(2 ** 20)))
    await expect(printing).rejects.toMatchObject({
      reason: 'not_rendered',
      message: expect.stringContaining('at most 1 MB') as string,
    })
    await isRemoved()
  })
})
