import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isEngineError } from '../../../../engines/errors'
import { findTool } from '../../../../engines/tools/registry'
import { readConfig } from '../../../../lib/config'
import receipt from '../../../../lib/docs/pages/chain-receipt.json' with { type: 'json' }
import { BROKEN_STEPS, RECEIPT_STEPS } from '../../../../lib/docs/pages/chain-samples'
import { BROKEN_MESSAGE, describeChainTools } from '../../../../lib/docs/pages/chain-tools'
import { pipelineOperation } from '../../../../lib/operations/pipeline'
import { showOptions } from '../../../../lib/operations/show-options'
import { placeSingleton } from '../../../../lib/registry'
import { isRequestError } from '../../../../lib/errors'
import { DEFAULT_HINTS } from '../../../support/field-hints'
import { readZip } from '../../../support/read-zip'
import { runSteps, type TestStep } from '../../../support/run-pipeline'

const config = readConfig({})
const letter = { name: 'letter.pdf', bytes: readFileSync('public/samples/letter.pdf') }
const page = describeChainTools({ origin: 'https://api.example.com', config })

function toStep({ tool, options = {} }: { tool: string; options?: Record<string, unknown> }): TestStep {
  const declared = findTool(tool)
  return { id: tool, options, shownOptions: showOptions(declared?.options, options, declared?.step.hides) }
}

/** The names and texts of a receipt, without what differs from run to run or from version to version. */
function withoutFigures(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, member: unknown) => (['ms', 'bytes', 'sha256'].includes(key) ? typeof member : member)),
  )
}

describe('the guide to chains', () => {
  it('shows a real receipt', async () => {
    const { bytes } = await runSteps(RECEIPT_STEPS.map(toStep), [letter], { hasReceipt: true })
    const [, file] = readZip(bytes)
    expect(withoutFigures(receipt)).toEqual(withoutFigures(JSON.parse(String(file?.bytes))))
    expect(JSON.stringify(page.blocks)).toContain('letter-redacted-numbered.pdf')
  })

  it('shows the message of a broken promise', async () => {
    const [redact, merge] = BROKEN_STEPS.map(toStep)
    const steps: TestStep[] = [{ ...redact }, { ...merge, inputs: [{ step: 0 }, { file: 0 }] }]
    const error: unknown = await runSteps(steps, [letter]).catch((thrown: unknown) => thrown)
    expect(isEngineError(error) && [error.reason, error.message]).toEqual(['promise_broken', BROKEN_MESSAGE])
  })

  const invoice = {
    invoiceNumber: 'R-1',
    from: { name: 'A' },
    billTo: { name: 'B' },
    items: [{ description: 'Work', quantity: 1, rate: 4 }],
  }
  it.each<[string, object[], RegExp]>([
    [
      'protect-pdf',
      [
        { tool: 'protect-pdf', options: { userPassword: 'x' } },
        { tool: 'rotate-pdf', options: { angle: 90 } },
      ],
      /Put protect-pdf last/,
    ],
    [
      'remove-metadata',
      [{ tool: 'remove-metadata' }, { tool: 'edit-metadata', options: { title: 'A' } }],
      /List it in keep/,
    ],
    [
      'split-pdf',
      [{ tool: 'split-pdf', options: { mode: 'every', every: 1 } }, { tool: 'page-numbers' }],
      /join the files with merge-pdf/,
    ],
    ['a report', [{ tool: 'extract-text' }, { tool: 'page-numbers' }], /Put that step last/],
    [
      'XML',
      [
        { invoice: { ...invoice, eInvoice: { format: 'peppol' } }, as: 'xml' },
        { tool: 'merge-pdf', files: ['xml', 'letter.pdf'] },
      ],
      /XML/,
    ],
    ['an upload that no step reads', [{ webpage: { html: 'x' } }], /is read by no step/],
    [
      'a web page of a result',
      [
        { tool: 'rotate-pdf', options: { angle: 90 }, as: 'turned' },
        { webpage: {}, files: ['turned'] },
      ],
      /must be uploads/,
    ],
  ])('lists orders that are refused: %s', async (_, steps, message) => {
    placeSingleton('config', config)
    const files = [{ field: 'files', name: letter.name, chunks: [letter.bytes], byteLength: letter.bytes.length }]
    const error: unknown = await pipelineOperation
      .parse({ encoding: 'json', fields: { steps }, files }, DEFAULT_HINTS)
      .catch((thrown: unknown) => thrown)
    expect(isRequestError(error) && error.problems.map(problem => problem.message).join(' ')).toMatch(message)
  })
})
