import { expect, it } from 'vitest'
import { isEngineError } from '../../../engines/errors'
import { runJob } from '../../../engines/jobs'
import type { Tool } from '../../../engines/tools/define'
import { listRunnableTools } from '../../../engines/tools/registry'
import { numbered } from '../../fixtures/draft'
import { makeApplication } from '../../fixtures/forms'
import { makeBook } from '../../fixtures/make-fixtures'
import { withPdfjs } from '../../support/pdfjs-document'
import { createRandom } from '../../support/random.mjs'
import { runSteps, type NamedFile, type TestStep } from '../../support/run-pipeline'
import { LIMITS } from '../../support/run-on'

const CHAINS = 40
/** Text recognition takes too long, and these need certain files. */
const LEFT_OUT = new Set(['pdf-ocr', 'unlock-pdf', 'form-filler', 'images-to-pdf', 'read-invoice'])
const TOOLS = listRunnableTools().filter(({ id, isRandom }) => !LEFT_OUT.has(id) && !isRandom)
const FILES: NamedFile[] = [
  { name: 'book.pdf', bytes: makeBook({ pages: 4 }).write() },
  { name: 'packed.pdf', bytes: makeBook({ pages: 3, salt: 'x' }).write('streams') },
  { name: 'report.pdf', bytes: numbered() },
  { name: 'form.pdf', bytes: makeApplication() },
]

interface Link {
  tool: Tool
  options: Record<string, unknown>
}

/** Three to eight tools. Each one but the last results in a PDF. */
function makeChain(random: () => number): Link[] {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const links: Link[] = []
  const count = 3 + Math.floor(random() * 6)
  while (links.length < count) {
    const tool = pick(TOOLS)
    const { options } = pick(tool.examples)
    const isLast = links.length === count - 1
    if (isLast || tool.step.result(tool.options.parse(options)) === 'pdf') links.push({ tool, options })
  }
  return links
}

/** What requests of their own give: the bytes, or the reason of the first error. */
async function runApart(links: readonly Link[], files: NamedFile[]): Promise<Buffer | string> {
  let current = files
  for (const { tool, options } of links) {
    const inputs = tool.files === 'many' && current.length === 1 ? [...current, ...current] : current
    const job = {
      tool: tool.id,
      options,
      files: inputs.map(one => ({ ...one, bytes: new Uint8Array(one.bytes) })),
      limits: LIMITS,
    }
    const result = await settle(
      runJob(job, () => undefined).then(({ name, chunks }) => ({ name, bytes: Buffer.concat(chunks) })),
    )
    if (typeof result === 'string') return result
    current = [result]
  }
  return Buffer.from(current[0]?.bytes ?? [])
}

async function settle<Result>(work: Promise<Result>): Promise<Result | string> {
  try {
    return await work
  } catch (error) {
    if (isEngineError(error) && error.reason !== 'internal') return error.reason
    throw error
  }
}

it(`${CHAINS} random chains give what requests of their own give, or the same error`, async () => {
  const random = createRandom(5252)
  const seen = { files: 0, errors: 0, promises: 0 }
  for (let index = 0; index < CHAINS; index++) {
    const links = makeChain(random)
    const file = FILES[Math.floor(random() * FILES.length)] as NamedFile
    const steps = links.map(({ tool, options }, at): TestStep => {
      const input = at === 0 ? { file: 0 } : { step: at - 1 }
      return { id: tool.id, options, inputs: tool.files === 'many' ? [input, input] : [input] }
    })
    const name = links.map(({ tool }) => tool.id).join(' → ')
    const apart = await runApart(links, [file])
    const together = await settle(runSteps(steps, [file]).then(({ bytes }) => bytes))
    if (together === 'promise_broken') seen.promises++
    else if (typeof together === 'string') {
      expect([name, together]).toEqual([name, apart])
      seen.errors++
    } else {
      expect(Buffer.isBuffer(apart) && apart.equals(together), name).toBe(true)
      if (together.toString('latin1', 0, 5) === '%PDF-')
        await withPdfjs(together, async document => {
          expect((await document.getPage(1)).view).toHaveLength(4)
        })
      seen.files++
    }
  }
  expect(seen.files).toBeGreaterThan(CHAINS / 3)
})
