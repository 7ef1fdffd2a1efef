import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { Body, BodyFile } from '../body/body'
import { createRefusal } from '../refusal'
import { findPdfToolOperation } from '../operations/all'
import type { Operation } from '../operations/operation'
import { validate } from '../operations/validate'
import { RequestError, isRequestError } from '../errors'

/** A trial sends the names of sample files and a few options, so that a body has no room for anything else. */
const MAX_TRIAL_BODY_BYTES = 16 * 1024

const FOLDER = join(process.cwd(), 'public', 'samples')

const REDACTION_SAMPLE = 'payslip.pdf'
const MERGE_SAMPLES = ['letter.pdf', 'report.pdf', 'terms.pdf'] as const

const point = z.number().min(0).max(2000)

/** The tools that visitors can try, with the samples and options that they accept. */
const TRIALS: Record<string, Trial> = {
  'pdf-redaction': {
    fileField: 'file',
    samples: [REDACTION_SAMPLE],
    schema: z.strictObject({
      files: z.tuple([z.literal(REDACTION_SAMPLE)]),
      options: z.strictObject({
        search: z
          .array(
            z.union([
              z.strictObject({ text: z.string().min(1).max(100) }),
              z.strictObject({ preset: z.enum(['iban', 'email', 'phone', 'date']) }),
            ]),
          )
          .max(5)
          .optional(),
        areas: z
          .array(
            z.strictObject({
              page: z.literal(1),
              x: point,
              y: point,
              width: point,
              height: point,
              origin: z.enum(['top-left', 'bottom-left']).optional(),
              unit: z.literal('pt').optional(),
            }),
          )
          .max(20)
          .optional(),
      }),
    }),
  },
  'merge-pdf': {
    fileField: 'files',
    samples: MERGE_SAMPLES,
    schema: z.strictObject({
      files: z.array(z.enum(MERGE_SAMPLES)).min(2).max(3),
      options: z.strictObject({
        mode: z.enum(['concat', 'interleave']).optional(),
        blankBetween: z.enum(['none', 'always', 'odd']).optional(),
      }),
    }),
  },
}

interface Trial {
  fileField: 'file' | 'files'
  samples: readonly string[]
  schema: z.ZodType<TrialInput>
}

interface TrialInput {
  files: string[]
  options: Record<string, unknown>
}

/**
 * Returns the operation that runs a tool on sample files. Its body is JSON such as
 * `{"files": ["payslip.pdf"], "options": {…}}`, with names of files under `/samples`. `enter` is called when the work
 * begins, and its result when the work ends. Returns the error for a tool that can't be tried.
 */
export async function createTrialOperation(toolId: string, enter: () => () => void): Promise<Operation | RequestError> {
  const trial = Object.hasOwn(TRIALS, toolId) ? TRIALS[toolId] : undefined
  const operation = findPdfToolOperation(toolId)
  if (!trial) {
    return new RequestError('not_found', `Unknown trial. The tools are ${Object.keys(TRIALS).join(' and ')}.`)
  }
  if (isRequestError(operation)) return operation
  const { schema, fileField } = trial
  const samples = await loadSamples(trial.samples)
  return {
    ...operation,
    bodyRules: { ...operation.bodyRules, fileFields: [], maxStructureBytes: MAX_TRIAL_BODY_BYTES },
    maxBodyBytes: MAX_TRIAL_BODY_BYTES,
    async parse({ fields }, hints) {
      const parsed = await validate(schema, { ...fields }, { name: '' })
      if (parsed.problems) throw createRefusal(operation.refusalCode, parsed.problems)
      const body: Body = {
        encoding: 'json',
        fields: { options: parsed.data.options },
        files: parsed.data.files.map(name => createFile(fileField, name, samples)),
      }
      const prepared = await operation.parse(body, hints)
      return {
        ...prepared,
        async run(context) {
          const leave = enter()
          try {
            return await prepared.run(context)
          } finally {
            leave()
          }
        },
      }
    },
  }
}

/** The engines take over a file's chunks, so every request gets its own copy. */
function createFile(field: string, name: string, samples: Map<string, Buffer>): BodyFile {
  const chunk = Uint8Array.from(samples.get(name) ?? [])
  return { field, name, chunks: [chunk], byteLength: chunk.byteLength }
}

async function loadSamples(names: readonly string[]): Promise<Map<string, Buffer>> {
  const read = async (name: string) => [name, await readFile(join(FOLDER, name))] as const
  return new Map(await Promise.all(names.map(read)))
}
