import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runJob } from '../../../engines/jobs'
import { isEngineError } from '../../../engines/errors'
import type { Tool } from '../../../engines/tools/define'
import { listRunnableTools } from '../../../engines/tools/registry'
import { numbered } from '../../fixtures/draft'
import { readElectronicInvoice } from '../../fixtures/e-invoice'
import { makeApplication } from '../../fixtures/forms'
import { makeBook } from '../../fixtures/make-fixtures'
import { runSteps, type NamedFile } from '../../support/run-pipeline'
import { LIMITS } from '../../support/run-on'
import { IS_COMPLETE } from '../../support/scope'

/** The first tools of all pairs. `npm test` takes those whose results differ in kind. */
const FIRST = listRunnableTools().filter(({ id }) => IS_COMPLETE || ['merge-pdf', 'protect-pdf'].includes(id))
const KINDS_OF_LISTS = ['pdfs', 'images']

const books = [makeBook({ pages: 3, salt: 'one' }).write(), makeBook({ pages: 2, salt: 'two' }).write('streams')]

function filesFor({ id, files, accepts }: Tool): NamedFile[] {
  if (accepts === 'images')
    return ['receipt.jpg', 'chart.png'].map(name => named(name, readFileSync(`public/samples/${name}`)))
  if (files === 'many') return books.map((bytes, index) => named(`book-${index + 1}.pdf`, bytes))
  if (id === 'form-filler') return [named('application.pdf', makeApplication())]
  if (id === 'read-invoice') return [named('invoice.pdf', readElectronicInvoice())]
  if (id === 'unlock-pdf') return [named('locked.pdf', readFileSync('public/samples/locked.pdf'))]
  return [named('report.pdf', numbered())]
}

function named(name: string, bytes: Uint8Array): NamedFile {
  return { name, bytes }
}

/** Options that fit the result of another tool: five pages or fewer, and no form. */
function optionsFor({ id, examples }: Tool): Record<string, unknown> {
  if (id === 'form-filler') return { listOnly: true }
  return examples[0].options
}

/** What a request returns: the file with its name, or the reason of its error. */
async function request(tool: Tool, options: Record<string, unknown>, files: NamedFile[]) {
  const job = {
    tool: tool.id,
    options,
    files: files.map(file => named(file.name, new Uint8Array(file.bytes))),
    limits: LIMITS,
  }
  return settle(
    runJob(job, () => undefined).then(result => ({ name: result.name, bytes: Buffer.concat(result.chunks) })),
  )
}

async function settle(work: Promise<NamedFile>): Promise<NamedFile | string> {
  try {
    return await work
  } catch (error) {
    if (isEngineError(error)) return error.reason
    throw error
  }
}

/** Pairs whose order is refused before anything runs, and lists, which a request gets as a ZIP. */
function canFollow(first: Tool, second: Tool, options: Record<string, unknown>): boolean {
  const kind = first.step.result(first.options.parse(options))
  if (KINDS_OF_LISTS.includes(kind) || kind === 'other') return false
  const accepts = second.accepts ?? 'pdf'
  return accepts === 'pdf' || accepts === 'pdf-or-xml' ? kind === 'pdf' : accepts === kind
}

describe.each(FIRST.map(tool => [tool.id, tool] as const))('%s', (_, first) => {
  const firstOptions = first.examples[0].options
  const followers = listRunnableTools().filter(second => canFollow(first, second, firstOptions))

  it.runIf(followers.length > 0)('gives the next tool the same bytes as a request of its own', async () => {
    const files = filesFor(first)
    const before = await request(first, firstOptions, files)
    if (typeof before === 'string') throw new Error(`${first.id} failed: ${before}`)
    for (const second of followers) {
      const options = optionsFor(second)
      const inputs = second.files === 'many' ? [{ step: 0 }, { step: 0 }] : [{ step: 0 }]
      const apart = await request(
        second,
        options,
        inputs.map(() => before),
      )
      const steps = [
        { id: first.id, options: firstOptions },
        { id: second.id, options, inputs },
      ]
      const together = await settle(runSteps(steps, files))
      if (typeof apart === 'string' || typeof together === 'string') {
        const reason = typeof together === 'string' ? together : 'a file'
        const expected = typeof apart === 'string' ? apart : 'a file'
        expect([second.id, reason]).toEqual([second.id, expected])
      } else if (!first.isRandom && !second.isRandom) {
        expect([second.id, together.name]).toEqual([second.id, apart.name])
        expect(Buffer.from(apart.bytes).equals(together.bytes), `${first.id}, ${second.id}`).toBe(true)
      }
    }
  })
})
