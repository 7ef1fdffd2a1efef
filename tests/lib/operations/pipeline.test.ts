import { beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../../lib/config'
import { isRequestError } from '../../../lib/errors'
import { pipelineOperation } from '../../../lib/operations/pipeline'
import { placeSingleton } from '../../../lib/registry'
import { DEFAULT_HINTS } from '../../support/field-hints'

beforeAll(() => placeSingleton('config', readConfig({})))

const NAMES = ['a.pdf', 'b.pdf']

/** The problems of a request, as `param: message`. */
async function problemsOf(steps: unknown, names = NAMES, others: Record<string, unknown> = {}): Promise<string[]> {
  const files = names.map(name => ({ field: 'files', name, chunks: [Buffer.from('%PDF')], byteLength: 4 }))
  try {
    await pipelineOperation.parse({ encoding: 'json', fields: { steps, ...others }, files }, DEFAULT_HINTS)
    return []
  } catch (error) {
    if (!isRequestError(error)) throw error
    expect(error.status).toBe(422)
    return error.problems.map(({ param = '', message }) => `${param}: ${message}`)
  }
}

const MERGE = { tool: 'merge-pdf' }
const NUMBER = { tool: 'page-numbers' }

describe('the steps of a pipeline', () => {
  it.each([
    ['a chain', [MERGE, NUMBER, { tool: 'compress-pdf' }], NAMES],
    ['one step', [NUMBER], ['a.pdf']],
    [
      'named results',
      [
        { webpage: { html: 'x' }, as: 'cover' },
        { tool: 'merge-pdf', files: ['cover', 'a.pdf'] },
      ],
      ['a.pdf'],
    ],
    [
      'a result that two steps read',
      [{ tool: 'rotate-pdf', options: { angle: 90 }, as: 'x' }, NUMBER, { tool: 'merge-pdf', files: ['x', 'y'] }].map(
        (step, index) => (index === 1 ? { ...step, as: 'y' } : step),
      ),
      ['a.pdf'],
    ],
    ['a list before a tool for lists', [{ tool: 'split-pdf', options: { mode: 'every', every: 1 } }, MERGE], ['a.pdf']],
    ['images as a list', [{ tool: 'pdf-to-images' }, { tool: 'images-to-pdf' }], ['a.pdf']],
    [
      'a password that comes and goes',
      [
        { tool: 'protect-pdf', options: { userPassword: 'secret words' } },
        { tool: 'unlock-pdf', options: { password: 'secret words' } },
      ],
      ['a.pdf'],
    ],
    [
      'an invoice with a logo',
      [
        {
          invoice: {
            invoiceNumber: '1',
            from: { name: 'A' },
            billTo: { name: 'B' },
            items: [{ description: 'x', quantity: 1, rate: 1 }],
          },
          files: ['a.png'],
        },
        NUMBER,
      ],
      ['a.png'],
    ],
    [
      'kept metadata',
      [
        { tool: 'remove-metadata', options: { keep: ['Title'] } },
        { tool: 'edit-metadata', options: { title: 'x' } },
      ],
      ['a.pdf'],
    ],
  ])('may be %s', async (_, steps, names) => {
    expect(await problemsOf(steps, names)).toEqual([])
  })

  it.each([
    ['no steps', [], /^steps: must have at least 1 entry/],
    ['21 steps', Array.from({ length: 21 }, () => NUMBER), /^steps: must have at most 20 entries/],
    ['a step of no kind', [{ options: {} }], /^steps\[0\]: must have one of tool, webpage and invoice. Got none/],
    ['two kinds', [{ tool: 'merge-pdf', webpage: { html: 'x' } }], /^steps\[0\]: .*Got tool and webpage/],
    ['an unknown tool', [{ tool: 'merge-pdfs' }], /^steps\[0\]\.tool: must be .*Did you mean "merge-pdf"/],
    [
      'an option of a tool',
      [MERGE, { tool: 'page-numbers', options: { position: 'nowhere' } }],
      /^steps\[1\]\.options\.position: must be .*Got "nowhere"/,
    ],
    [
      'an unknown option',
      [MERGE, { tool: 'page-numbers', options: { positon: 'x' } }],
      /^steps\[1\]\.options\.positon: unknown option\. Did you mean "position"/,
    ],
    [
      'a field of a web page',
      [
        { webpage: { html: 'x', scale: 9 }, as: 'c' },
        { tool: 'merge-pdf', files: ['c', 'a.pdf', 'b.pdf'] },
      ],
      /^steps\[0\]\.webpage\.scale: must be at most 2/,
    ],
    [
      'a web page without a source',
      [
        { webpage: {}, as: 'c' },
        { tool: 'merge-pdf', files: ['c', 'a.pdf', 'b.pdf'] },
      ],
      /^steps\[0\]\.webpage: the request must have one of url, html and file/,
    ],
    [
      'a field of an invoice',
      [
        { invoice: { invoiceNumber: 1 }, as: 'i' },
        { tool: 'merge-pdf', files: ['i', 'a.pdf', 'b.pdf'] },
      ],
      /steps\[0\]\.invoice\.from: is required/,
    ],
    [
      'options beside a web page',
      [{ webpage: { html: 'x' }, options: {} }],
      /^steps\[0\]\.options: only applies to tool/,
    ],
    [
      'a name that means nothing',
      [MERGE, { tool: 'merge-pdf', files: ['c.pdf', 'a.pdf'] }],
      /^steps\[1\]\.files\[0\]: must be the name of an upload .*"c\.pdf" is neither/,
    ],
    [
      'a name of a later result',
      [
        { tool: 'merge-pdf', files: ['x', 'a.pdf'] },
        { tool: 'rotate-pdf', files: ['b.pdf'], options: { angle: 90 }, as: 'x' },
      ],
      /^steps\[0\]\.files\[0\]: /,
    ],
    ['a name that is taken', [{ tool: 'merge-pdf', as: 'a.pdf' }], /^steps\[0\]\.as: must be a new name/],
    [
      'an upload that nothing reads',
      [{ tool: 'page-numbers', files: ['a.pdf'] }],
      /^files\[1\]: is read by no step.*"b\.pdf"/,
    ],
    [
      'a result that nothing reads',
      [MERGE, { tool: 'merge-pdf', files: ['a.pdf', 'b.pdf'] }],
      /^steps\[0\]: has a result that no later step reads/,
    ],
    ['too many files', [NUMBER], /^steps\[0\]\.files: must have exactly 1 file for page-numbers\. Got 2/],
    [
      'too few files',
      [
        { tool: 'rotate-pdf', files: ['a.pdf'], options: { angle: 90 } },
        { tool: 'rotate-pdf', files: ['b.pdf'], options: { angle: 90 }, as: 'b' },
        MERGE,
      ],
      /^steps\[0\]/,
    ],
    [
      'text into a PDF tool',
      [MERGE, { tool: 'extract-text' }, NUMBER],
      /^steps\[2\]: page-numbers reads PDFs, and steps\[1\] \(extract-text\) results in text or data\. Put that step last/,
    ],
    [
      'XML into a PDF tool',
      [
        {
          invoice: {
            invoiceNumber: '1',
            from: { name: 'A' },
            billTo: { name: 'B' },
            items: [{ description: 'x', quantity: 1, rate: 1 }],
            eInvoice: { format: 'peppol' },
          },
          as: 'i',
        },
        { tool: 'merge-pdf', files: ['i', 'a.pdf', 'b.pdf'] },
      ],
      /steps\[/,
    ],
    [
      'several files into a tool for one',
      [MERGE, { tool: 'split-pdf', options: { mode: 'every', every: 1 } }, NUMBER],
      /^steps\[2\]: page-numbers reads one file, and steps\[1\] \(split-pdf\) results in several.*merge-pdf first/,
    ],
    [
      'a tool after a password',
      [MERGE, { tool: 'protect-pdf', options: { userPassword: 'secret words' } }, NUMBER],
      /^steps\[2\]: .*results in an encrypted PDF\. Put protect-pdf last/,
    ],
    [
      'metadata that was removed',
      [MERGE, { tool: 'remove-metadata' }, NUMBER, { tool: 'edit-metadata', options: { title: 'x' } }],
      /^steps\[3\]: edit-metadata adds "Title", which remove-metadata was asked to remove\. List it in keep/,
    ],
    [
      'a result in place of a logo',
      [MERGE, { tool: 'merge-pdf', files: ['a.pdf', 'b.pdf'], as: 'x' }, { invoice: {}, files: ['x'] }],
      /steps\[/,
    ],
  ])('may not be %s', async (_, steps, expected) => {
    const problems = await problemsOf(steps)
    expect(problems.join('\n')).toMatch(expected)
  })

  it('lists the problems of several steps at once', async () => {
    const steps = [MERGE, { tool: 'rotate-pdf', options: { angle: 45 } }, { tool: 'crop-pdf', options: { box: 1 } }]
    const problems = await problemsOf(steps)
    expect(problems.some(text => text.startsWith('steps[1].options.angle'))).toBe(true)
    expect(problems.some(text => text.startsWith('steps[2].options.box'))).toBe(true)
  })

  it('may not have two uploads of one name that a step names', async () => {
    const steps = [{ tool: 'merge-pdf', files: ['a.pdf', 'a.pdf'] }]
    expect(await problemsOf(steps, ['a.pdf', 'a.pdf'])).toContainEqual(
      expect.stringMatching(/is the name of two uploads/),
    )
  })

  it('may not have an empty upload', async () => {
    const files = [{ field: 'files', name: 'a.pdf', chunks: [], byteLength: 0 }]
    const request = pipelineOperation.parse({ encoding: 'json', fields: { steps: [NUMBER] }, files }, DEFAULT_HINTS)
    await expect(request).rejects.toThrow('files[0]: is empty')
  })

  it('wait for a browser only if one of them needs it', async () => {
    const files = [{ field: 'files', name: 'a.pdf', chunks: [Buffer.from('%PDF')], byteLength: 4 }]
    const parse = (steps: unknown[]) =>
      pipelineOperation.parse({ encoding: 'json', fields: { steps }, files }, DEFAULT_HINTS)
    const cover = [
      { webpage: { html: 'x' }, as: 'c' },
      { tool: 'merge-pdf', files: ['c', 'a.pdf'] },
    ]
    expect((await parse([NUMBER])).lane).toBeUndefined()
    expect((await parse(cover)).lane).toBe('browser')
  })
})
