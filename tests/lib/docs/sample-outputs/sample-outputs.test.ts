import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { INVOICE_JOB } from '../../../../engines/features/invoice/data/invoice'
import { invoiceSchema } from '../../../../engines/features/invoice/input/invoice-schema'
import { runJob } from '../../../../engines/jobs'
import { listEndpoints, type Endpoint } from '../../../../lib/docs/endpoints'
import { LIMITS } from '../../../support/run-on'
import { JUDGES } from './judges'

/** The web page samples need a browser and a network. The contract tests of the endpoint run them. */
const ENDPOINTS = listEndpoints().filter(({ slug }) => slug !== 'webpage-to-pdf')

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

  it.each(SAMPLES)('$endpoint.slug: $title', async ({ endpoint, title, options }) => {
    const inputs = await Promise.all(endpoint.sampleFiles.map(name => readFile(`public/samples/${name}`)))
    const result = await runJob(describeJob(endpoint, options, inputs), () => undefined)
    await JUDGES[endpoint.slug]?.[title]?.({ bytes: Buffer.concat(result.chunks), inputs })
  })
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
