import { EngineError, isEngineError, outputTooLarge, type Problem } from '../../engines/errors'
import { PIPELINE_JOB } from '../../engines/types'
import type { InputFile, OutputFile, PipelinePlan, PlannedStep, StepInput } from '../../engines/types'
import { getConfig } from '../config'
import type { Body, BodyFile, BodyRules } from '../body/body'
import { createRefusal } from '../refusal'
import { getEngines } from '../running-engines'
import { checkFields, type FieldHints, type KnownFields } from './check-fields'
import { readFormValues } from './form-values'
import type { Operation, PreparedRequest, RunContext } from './operation'
import { findToolTimeout, guardPassword } from './pdf-tool'
import { validate } from './validate'
import { connectSteps, findOrderProblems } from './connect-steps'
import { placeProblem, prepareStep, type PreparedStep } from './prepare-step'
import { pipelineFields, type SentStep } from './step-schema'

const CODE = 'pdf_tool_processing_failed'

/** Room for the fields of 20 steps. Files in them, such as a logo, don't count. */
const MAX_STRUCTURE_BYTES = 4 * 2 ** 20

const BODY_RULES: BodyRules = {
  fileFields: ['files'],
  jsonFields: ['steps'],
  textFields: Object.keys(pipelineFields.shape),
  listFields: [],
  maxStructureBytes: MAX_STRUCTURE_BYTES,
  maxFieldBytes: 30 * 2 ** 20,
}

const KNOWN: KnownFields = { schema: pipelineFields, fileFields: BODY_RULES.fileFields }

/** Several steps in one request. */
export const pipelineOperation: Operation = {
  id: 'pipeline',
  refusalCode: CODE,
  failureCode: CODE,
  crashCode: 'internal_error',
  bodyRules: BODY_RULES,
  parse,
}

/** A valid step and the files that it reads. */
interface ConnectedStep extends PreparedStep {
  inputs: StepInput[]
}

async function parse(body: Body, hints: FieldHints): Promise<PreparedRequest> {
  const sent = body.encoding === 'form' ? readFormValues(body.fields, pipelineFields) : body.fields
  const { fields, files, ignored, isFileRefused, problems } = checkFields(
    { fields: sent, files: body.files },
    KNOWN,
    hints,
  )
  const parsed = await validate(pipelineFields, fields, { sent, name: '' })
  const fileProblems = isFileRefused ? [] : files.flatMap(findEmpty)
  const all: Problem[] = [...problems, ...fileProblems, ...(parsed.problems ?? [])]
  if (!parsed.data || all.length > 0) throw refuse(all)
  const { receipt, outputName } = parsed.data
  // A record of the schema drops fields named `__proto__`, which a form may have.
  const sentSteps = parsed.data.steps.map((step, index) => withFields(step, (fields.steps as SentStep[])[index]))
  const { inputs, problems: connections } = connectSteps(sentSteps, files)
  const steps: ConnectedStep[] = []
  const wrong: Problem[] = []
  for (const [index, step] of sentSteps.entries()) {
    const own = inputs[index] ?? []
    const uploads =
      step.tool === undefined ? own.flatMap(input => ('file' in input ? (files[input.file] ?? []) : [])) : []
    const prepared = await prepareStep(step, { at: `steps[${index}]`, files: uploads, hints })
    if (prepared.step) steps.push({ ...prepared.step, inputs: own })
    else wrong.push(...prepared.problems)
    if (!step.tool && own.some(input => 'step' in input))
      wrong.push({
        param: `steps[${index}].files`,
        message: 'must be uploads. Only a tool reads the result of a step.',
      })
  }
  const found = [...connections, ...wrong]
  if (found.length === 0) found.push(...findOrderProblems(steps, inputs))
  if (found.length > 0) throw refuse(found)
  const pages = steps.flatMap(({ kind, request }) => (kind === 'webpage' && request ? [request] : []))
  const unknownFields = [...ignored, ...steps.flatMap(step => step.unknownFields)]
  const warnings = new Set(steps.flatMap(step => step.warnings))
  if (ignored.length > 0) warnings.add('unknown-field')
  return {
    warnings: [...warnings],
    unknownFields,
    steps: steps.map(({ id }) => id),
    ...(pages.length > 0 && { lane: 'browser' }),
    async inspect(context) {
      for (const page of pages) await page.inspect?.(context)
    },
    run: context =>
      run(steps, { files, hasReceipt: receipt, ...(outputName !== undefined && { outputName }) }, context),
  }
}

const MAX_PROBLEMS = 20

function refuse(problems: Problem[]): Error {
  const shown = problems.slice(0, MAX_PROBLEMS)
  if (problems.length > shown.length) shown.push({ message: 'and more errors' })
  return createRefusal(CODE, shown)
}

function findEmpty({ byteLength }: BodyFile, index: number): Problem[] {
  return byteLength > 0 ? [] : [{ param: `files[${index}]`, message: 'is empty. Send a file with content.' }]
}

function withFields(step: SentStep, sent: SentStep | undefined): SentStep {
  const { options, webpage, invoice } = sent ?? {}
  return { ...step, ...(options && { options }), ...(webpage && { webpage }), ...(invoice && { invoice }) }
}

interface Running {
  files: BodyFile[]
  hasReceipt: boolean
  outputName?: string
}

/** Prints the web pages, then runs all other steps as one job of an engine. */
async function run(steps: ConnectedStep[], { files, ...plan }: Running, context: RunContext): Promise<OutputFile> {
  const { accountId, signal } = context
  const { limits, OPEN_TIMEOUT_MS } = getConfig()
  const startedAtMs = performance.now()
  const limitMs = findTimeout(steps, files)
  const jobFiles: InputFile[] = []
  const positions = new Map<BodyFile, number>()
  const addUpload = (file: BodyFile): number => {
    const known = positions.get(file) ?? jobFiles.push(pick(file)) - 1
    positions.set(file, known)
    return known
  }
  const planned: PlannedStep[] = []
  let printedBytes = 0
  for (const [index, step] of steps.entries()) {
    const { kind, id, options, shownOptions, request, inputs } = step
    const own = { kind, id, options, shownOptions }
    if (kind === 'webpage' && request) {
      const { file, printed } = await print(request, context).catch((error: unknown) => {
        throw isEngineError(error) ? blame(error, `steps[${index}].webpage`) : error
      })
      printedBytes += file.byteLength
      if (printedBytes > limits.maxOutputBytes) throw outputTooLarge(limits.maxOutputBytes)
      planned.push({ ...own, inputs: [{ file: jobFiles.push(file) - 1 }], printed })
    } else if (kind === 'invoice')
      planned.push({ ...own, inputs: (request?.job?.files ?? []).map(logo => ({ file: jobFiles.push(logo) - 1 })) })
    else
      planned.push({
        ...own,
        inputs: inputs.map(input => ('file' in input ? { file: addUpload(files[input.file] as BodyFile) } : input)), // `connectSteps` knows the files.
      })
  }
  const leftMs = limitMs - (performance.now() - startedAtMs)
  if (leftMs < 1) throw new EngineError('timed_out', describeTimeout(limitMs))
  const job = {
    tool: PIPELINE_JOB,
    options: { ...plan, steps: planned } satisfies PipelinePlan,
    files: jobFiles,
    limits,
  }
  const settings = { signal, owner: accountId, openTimeoutMs: OPEN_TIMEOUT_MS, toolTimeoutMs: Math.ceil(leftMs) }
  const start = () => getEngines().run(job, settings)
  return steps.some(({ tool }) => tool?.guardsPasswords) ? guardPassword(accountId, start) : start()
}

function pick({ name, chunks, byteLength, path }: BodyFile): InputFile {
  return { name, chunks, byteLength, ...(path !== undefined && { path }) }
}

/** Prints a web page. Its PDF counts as part of the body until the job ends. */
async function print(
  request: PreparedRequest,
  context: RunContext,
): Promise<{ file: InputFile; printed: NonNullable<PlannedStep['printed']> }> {
  const startedAtMs = performance.now()
  const { name, content, warnings, headers } = await request.run(context)
  try {
    await context.take?.(content.byteLength)
    const chunks: Uint8Array[] = []
    for await (const chunk of content.read()) chunks.push(chunk)
    const file = { name, chunks, byteLength: content.byteLength }
    return { file, printed: { warnings, headers, ms: performance.now() - startedAtMs } }
  } finally {
    content.release()
  }
}

/** The error of a web page, with problems that name its step. */
function blame(error: EngineError, at: string): EngineError {
  const problems = error.problems.map(problem => placeProblem(problem, at))
  return new EngineError(error.reason, error.message, { problems, cause: error.cause })
}

/** The sum of the time limits of all steps, up to the limit of a pipeline. In milliseconds. */
function findTimeout(steps: readonly ConnectedStep[], files: readonly BodyFile[]): number {
  const { PIPELINE_TIMEOUT_MS, TOOL_TIMEOUT_MS, WEB_TIMEOUT_MS } = getConfig()
  const sum = steps.reduce((total, { tool, kind, options }) => {
    if (tool) return total + findToolTimeout(tool, options, files)
    return total + (kind === 'webpage' ? WEB_TIMEOUT_MS : TOOL_TIMEOUT_MS)
  }, 0)
  return Math.min(sum, PIPELINE_TIMEOUT_MS)
}

function describeTimeout(limitMs: number): string {
  return `The steps took longer than ${Math.round(limitMs / 1000)} seconds. Use fewer steps, or send them in several requests.`
}
