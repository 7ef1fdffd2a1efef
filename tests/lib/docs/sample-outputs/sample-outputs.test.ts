import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { INVOICE_JOB } from '../../../../engines/features/invoice/data/invoice'
import { invoiceSchema } from '../../../../engines/features/invoice/input/invoice-schema'
import { runJob } from '../../../../engines/jobs'
import { listEndpoints, type Endpoint } from '../../../../lib/docs/endpoints'
import { LIMITS } from '../../../support/run-on'
import { sample } from '../../../support/scope'
import { JUDGES } from './judges'

/** These samples need a browser or several jobs. The contract tests of the endpoints run them. */
const ELSEWHERE = ['pipeline', 'webpage-to-pdf']
const ENDPOINTS = listEndpoints().filter(({ slug }) => !ELSEWHERE.includes(slug))

const SAMPLES = ENDPOINTS.flatMap(endpoint =>
  endpoint.examples.map(({ title, options }) => ({ endpoint, title, options })),
)

describe('every sample does what its title says', () => {
  it('each sample has a judge, and each judge a sample', () => {
    const judged = Object.entries(JUDGES).flatMap(([slug, judges]) =>
      Object.keys(judges).map(title => `${slug}: ${title}`),
    )
    expect(judged.toSorted()).toEqual(SAMPLES.map(({ endpoint, title }) => `${endpoint.slug}: ${title}`).toSorted())
  })

  it.each(sample(SAMPLES, ({ endpoint }) => endpoint.slug))(
    '$endpoint.slug: $title',
    async ({ endpoint, title, options }) => {
      const inputs = await Promise.all(endpoint.sampleFiles.map(name => readFile(`public/samples/${name}`)))
      const result = await runJob(describeJob(endpoint, options, inputs), () => undefined)
      const judge = JUDGES[endpoint.slug]?.[title]
      expect(judge).toBeTypeOf('function')
      await judge?.({ bytes: Buffer.concat(result.chunks), inputs })
    },
  )
})

it('the response in the documentation of extract-text is the beginning of a real one', async () => {
  const endpoint = ENDPOINTS.find(({ slug }) => slug === 'extract-text')
  const example = endpoint?.sections.find(section => section.example !== undefined)?.example?.json as {
    pages: { blocks: unknown[] }[]
  }
  const inputs = [await readFile('public/samples/report.pdf')]
  if (!endpoint) throw new Error('there is no extract-text')
  const result = await runJob(describeJob(endpoint, { format: 'json', pages: [1] }, inputs), () => undefined)
  const response = JSON.parse(Buffer.concat(result.chunks).toString()) as typeof example
  const [page] = response.pages
  expect({ pages: [{ ...page, blocks: page?.blocks.slice(0, 1), links: [] }] }).toEqual(example)
})

function describeJob({ slug, sampleFiles }: Endpoint, options: unknown, inputs: Buffer[]) {
  const files = sampleFiles.map((name, index) => ({ name, bytes: new Uint8Array(inputs[index] ?? []) }))
  const isInvoice = slug === 'invoice-generator'
  return {
    tool: isInvoice ? INVOICE_JOB : slug,
    options: isInvoice ? invoiceSchema.parse(options) : options,
    files,
    limits: LIMITS,
    now: new Date(0),
  }
}
